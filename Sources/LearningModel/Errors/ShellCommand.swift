extension String {
  /// The text as one word of a POSIX shell. Letters of all languages need no quotation marks.
  package var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0123456789/._-+,:@%".unicodeScalars.contains(scalar)
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

extension DefaultStringInterpolation {
  /// Appends a command whose words are quoted for a POSIX shell, so that it can be pasted: `waymark tree 'two words'`.
  package mutating func appendInterpolation(shell words: String...) { appendLiteral(Self.command(words)) }

  /// Appends a command like `appendInterpolation(shell:)`, in quotation marks. Long words are shortened.
  package mutating func appendInterpolation(command words: String...) { appendInterpolation(command: words) }

  package mutating func appendInterpolation(command words: [String]) {
    let command = Self.command(words.map(\.shortened))
    let mark = command.contains("'") ? "\"" : "'"
    appendLiteral(mark + command + mark)
  }

  private static func command(_ words: [String]) -> String { words.map(\.shellWord).joined(separator: " ") }
}

import LearningModel

/// Blocks of code as a book shows them: without hidden lines, and with the language alone as their label.
struct BookCode {
  /// What a hidden line begins with, by language.
  let hiddenPrefixes: [String: String]

  /// The block for a fence.
  ///
  /// - Parameters:
  ///   - information: What stands behind the fence, such as `rust,ignore`.
  ///   - text: The code.
  func block(_ information: String?, _ text: String) -> Block {
    let words = (information ?? "").split { $0 == "," || $0 == " " || $0 == "{" || $0 == "}" }
    // A fence may begin with an attribute instead of a language.
    let language = words.first.flatMap { information?.hasPrefix($0) == true ? String($0) : nil }
    let own = words.first { $0.hasPrefix("hidelines=") }?.dropFirst("hidelines=".count)
    let shown: String =
      if let prefix = own.map(String.init) ?? language.flatMap({ hiddenPrefixes[$0] }), !prefix.isEmpty {
        Self.without(prefix, text)
      } else if language == "rust" {
        Self.withoutHiddenRust(text)
      } else {
        text
      }
    return .code(language: language, text: shown)
  }

  private static func without(_ prefix: String, _ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix(prefix) }
      .joined(separator: "\n")
  }

  /// `# x` is hidden, `##x` is shown as `#x`, `#[x]` and `#!` stay.
  private static func withoutHiddenRust(_ text: String) -> String {
    guard text.contains("#") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> Substring? in
      let code = line.drop { $0 == " " || $0 == "\t" }
      guard code.hasPrefix("#") else { return line }
      let next = code.dropFirst().first
      if next == nil || next == " " { return nil }
      return next == "#" ? line.prefix(line.count - code.count) + code.dropFirst() : line
    }.joined(separator: "\n")
  }
}

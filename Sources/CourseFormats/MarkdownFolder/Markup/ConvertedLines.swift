import TextCanvas

/// The output of a line-by-line conversion: lines whose inline markup must still be converted, and complete lines.
///
/// Consecutive lines of one kind are converted together, because inline markup can continue on the next line.
struct ConvertedLines {
  private(set) var segments: [(lines: [String], isDone: Bool)] = []

  /// Appends a line whose inline markup must still be converted.
  mutating func add(_ line: some StringProtocol) { append([String(line)], isDone: false) }

  /// Appends lines in which no markup is converted.
  mutating func emit(_ lines: [String]) { append(lines, isDone: true) }

  private mutating func append(_ lines: [String], isDone: Bool) {
    if let last = segments.indices.last, segments[last].isDone == isDone {
      segments[last].lines += lines
    } else {
      segments.append((lines, isDone))
    }
  }

  /// The last line, or `nil` if it is complete.
  var lastText: String? {
    segments.last.flatMap { $0.isDone ? nil : $0.lines.last }
  }

  /// Removes and returns the last line. Returns `nil` and removes nothing if the last line is complete.
  mutating func removeLastText() -> String? {
    guard let line = lastText else { return nil }
    segments[segments.count - 1].lines.removeLast()
    return line
  }

  /// Whether the last line, or the line above a blank line, is a row of a table.
  var endsInTableRow: Bool {
    guard let last = segments.last, !last.isDone else { return false }
    let row = last.lines.suffix(2).last { $0.contains { !$0.isWhitespace } }
    guard let content = row.map({ PageLine($0[...]).content }) else { return false }
    return content.count > 2 && content.hasPrefix("|") && content.hasSuffix("|")
  }

  /// Replaces the first line of the last paragraph, if it is among the last 50 lines and is not complete.
  ///
  /// - Parameter change: Receives the line and returns its replacement, or `nil` to keep it.
  mutating func replaceStartOfLastParagraph(_ change: (String) -> String?) {
    guard let last = segments.indices.last, !segments[last].isDone else { return }
    let lines = segments[last].lines
    var index = lines.count
    while index > 0, lines[index - 1].allSatisfy(\.isWhitespace) { index -= 1 }
    let lowest = max(0, index - 50)
    while index > lowest, !lines[index - 1].allSatisfy(\.isWhitespace) { index -= 1 }
    guard index < lines.count, let replacement = change(lines[index]) else { return }
    segments[last].lines[index] = replacement
  }

  /// Returns all lines as one text.
  ///
  /// - Parameter convert: Converts the inline markup of consecutive lines.
  func text(converting convert: (String) -> String) -> String {
    segments.map { segment in
      let text = segment.lines.joined(separator: "\n")
      return segment.isDone ? text : convert(text)
    }.joined(separator: "\n")
  }
}

import Foundation

/// Expands `{{#include …}}` and similar directives in a page.
///
/// Source: mdBook, "mdBook-specific features", and its `parse_include_path`, `take_lines`, `take_anchored_lines` and
/// `take_rustdoc_include_anchored_lines`.
struct BookIncludes {
  private let source: CourseSource
  /// The directives that could not be expanded, with counts.
  private(set) var findings = Findings()
  /// The files that pages include.
  private(set) var included: Set<String> = []
  private var stack: IncludeStack

  init(_ source: CourseSource) {
    self.source = source
    stack = IncludeStack(page: "", limits: source.limits, total: source.includedBytes)
  }

  /// Expands a page.
  ///
  /// - Parameters:
  ///   - text: The text of the page.
  ///   - file: The path relative to the book.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the expanded text is too large.
  mutating func expand(_ text: String, of file: String) throws -> String {
    guard text.contains("{{") else { return text }
    stack = IncludeStack(page: file, limits: source.limits, total: source.includedBytes)
    return try expand(text, in: SourcePath.folder(of: file))
  }

  private mutating func expand(_ text: String, in folder: String) throws -> String {
    var result = ""
    var fence = CodeFence()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result += "\n" }
      fence.process(line)
      var rest = line
      // The next `}}`. It is searched only once for all `{{` before it, because a search for each `{{` would take
      // quadratic time.
      var end: Range<String.Index>?
      while let mark = rest.range(of: "{{") {
        if end.map({ $0.lowerBound < mark.upperBound }) ?? true { end = rest[mark.upperBound...].range(of: "}}") }
        guard let close = end else { break }
        guard let helper = IncludeHelper(rest[mark.upperBound..<close.lowerBound]) else {
          if !fence.isOpen, let end = Self.endOfForeignMarkup(at: mark.lowerBound, in: rest) {
            result += rest[..<mark.lowerBound]
            // Source: mdbook-quiz, "Quickstart".
            let isQuiz = rest[mark.upperBound..<end].hasPrefix("#quiz ")
            findings.countLoss(isQuiz ? "quiz of mdbook-quiz" : "markup of another program", "left out")
            rest = rest[end...]
            continue
          }
          result += rest[..<mark.upperBound]
          rest = rest[mark.upperBound...]
          continue
        }
        let before = rest[..<mark.lowerBound]
        if before.hasSuffix("\\") {
          result += before.dropLast() + rest[mark.lowerBound..<close.upperBound]
        } else {
          result += before
          result += try replacement(of: helper, in: folder, isInCode: fence.isOpen)
          if let error = stack.error { throw error }
        }
        rest = rest[close.upperBound...]
      }
      result += rest
    }
    return result
  }

  /// Returns the end of a directive of another program, such as `{{%segment outline}}` or `{{#quiz x.toml}}`, or `nil`
  /// for any other braces and for a directive that is escaped or inside a code span.
  private static func endOfForeignMarkup(at start: String.Index, in line: Substring) -> String.Index? {
    let mark = line[start...].prefix(300)
    let inside = mark.dropFirst(2)
    guard let sign = inside.first, sign == "%" || sign == "#" && inside.dropFirst().first?.isLetter == true,
      let end = inside.range(of: "}}"), !inside[..<end.lowerBound].contains("{")
    else { return nil }
    let before = line[..<start].suffix(300)
    return before.last == "\\" || before.count { $0 == "`" } % 2 == 1 ? nil : end.upperBound
  }

  private mutating func replacement(
    of helper: IncludeHelper, in folder: String, isInCode: Bool
  ) throws -> String {
    if helper.name == "title" { return "" }
    func missing(_ what: String) -> String {
      findings.countLoss(what, "shown as its name")
      return isInCode ? "[\(what): \(helper.path)]" : "*[\(what): `\(helper.path)`]*"
    }
    guard let path = SourcePath.resolve(helper.path, in: folder), !helper.path.hasPrefix("/") else {
      return missing("include from outside the book")
    }
    let text: String
    do {
      text = try TextDecoding.decode(try source.bytes(of: path), file: path)
    } catch CourseFormatError.leavesSource {
      return missing("include from outside the book")
    } catch CourseFormatError.fileMissing {
      return missing("missing include")
    }
    included.insert(path)
    // Searching a large file for a small part takes time too.
    _ = stack.count(text.utf8.count / 16)
    guard let part = helper.range.extracted(from: text, everyRegion: helper.includesEveryRegion)
    else { return missing("missing include") }
    let name = helper.range == .whole ? "" : "\(helper.range)"
    guard stack.open(path, part: name, size: part.utf8.count, &findings) else {
      if let error = stack.error { throw error }
      return missing("include that includes itself")
    }
    defer { stack.close() }
    let whole = try expand(part, in: SourcePath.folder(of: path))
    return helper.name == "playground" && !isInCode ? "```rust\n\(whole)\n```" : whole
  }
}

/// A directive between `{{` and `}}`.
private struct IncludeHelper {
  let name: String
  let path: String
  let range: IncludeRange
  /// Whether all regions with the anchor are included. If `false`, only the first one is included.
  var includesEveryRegion = false

  /// Parses the text between the braces, or returns `nil` if it is not a directive of mdBook.
  init?(_ words: Substring) {
    let text = words.trimmingBlanks
    guard text.first == "#" else { return nil }
    let word = text.dropFirst().prefix { $0.isLetter || $0 == "_" }
    let rest = text[word.endIndex...]
    let arguments = rest.trimmingBlanks
    guard rest.first?.isWhitespace == true, !arguments.isEmpty else { return nil }
    switch word {
    case "title":
      (name, path, range) = ("title", String(arguments), .whole)
    case "include", "rustdoc_include":
      // `rustdoc_include` adds further lines around the selected lines, but mdBook hides them.
      includesEveryRegion = word == "rustdoc_include"
      let target = arguments.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      name = "include"
      path = String(target[0].trimmingBlanks)
      range = IncludeRange(target.count > 1 ? String(target[1]) : "")
    case "playground", "playpen":
      (name, path, range) = ("playground", String(arguments.prefix { !$0.isWhitespace }), .whole)
    default: return nil
    }
  }
}

/// The part of a file that is included.
enum IncludeRange: Equatable {
  case whole
  /// A range of line numbers, from 0. The upper bound is not included.
  case lines(from: Int, upTo: Int)
  case anchor(String)

  /// Parses the text after a path: `anchor`, `3`, `3:`, `:5`, `3:5`, or nothing.
  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map {
      String(Substring($0).trimmingBlanks)
    }
    let start = parts.first.flatMap { Int($0) }.map { max(1, $0) - 1 }
    if start == nil, let first = parts.first, !first.isEmpty {
      self = .anchor(first)
    } else if parts.count < 2 {
      self = start.map { .lines(from: $0, upTo: $0 + 1) } ?? .whole
    } else if start == nil, Int(parts[1]) == nil {
      self = .whole
    } else {
      self = .lines(from: start ?? 0, upTo: Int(parts[1]) ?? .max)
    }
  }

  /// Returns this part of a text, or `nil` if the text does not contain it.
  ///
  /// - Parameter everyRegion: Whether all regions with the anchor are returned. If `false`, only the first one is
  ///   returned.
  func extracted(from text: String, everyRegion: Bool = false) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let part: [Substring]
    switch self {
    case .whole: part = lines
    case .lines(let start, let end):
      guard start < lines.count, end > start else { return nil }
      part = Array(lines[start..<min(end, lines.count)])
    case .anchor(let name):
      guard let start = lines.firstIndex(where: { Self.anchor("ANCHOR:", in: $0) == name }) else { return nil }
      var isInside = true
      var taken: [Substring] = []
      for line in lines[(start + 1)...] {
        if Self.anchor("ANCHOR_END:", in: line) == name {
          isInside = false
          if !everyRegion { break }
        } else if Self.anchor("ANCHOR:", in: line) == name {
          isInside = true
        } else if isInside {
          taken.append(line)
        }
      }
      part = taken
    }
    // Lines with anchors are removed. mdBook keeps them in files that are included completely, although they have no
    // purpose there.
    return part.filter { Self.anchor("ANCHOR:", in: $0) == nil && Self.anchor("ANCHOR_END:", in: $0) == nil }
      .joined(separator: "\n")
  }

  private static func anchor(_ mark: String, in line: Substring) -> String? {
    guard let range = line.range(of: mark) else { return nil }
    let name = line[range.upperBound...].drop(while: \.isWhitespace)
      .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    return name.isEmpty ? nil : String(name)
  }
}

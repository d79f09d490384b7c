import LearningModel

/// The text between the brackets of a wikilink: `Note#Heading|words`.
struct Wikilink: Equatable {
  /// The name of the note or file; empty for the note that contains the link.
  let name: String
  /// The heading, or `^` and the identifier of a block. `nil` if the link leads to the whole note.
  let anchor: String?
  /// The text to show, or `nil` if the author wrote none.
  let alias: String?

  /// Parses the text, or returns `nil` if it is not a link, such as the row `1, 2` of a matrix.
  init?(_ inside: String) {
    guard !inside.contains(where: { "[]\n".contains($0) }), inside.contains(where: \.isLetter) else { return nil }
    let parts = inside.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    // In a table, the vertical bar is escaped.
    let target = parts[0].hasSuffix("\\") ? parts[0].dropLast() : parts[0]
    let pieces = target.split(separator: "#", omittingEmptySubsequences: false)
    var name = pieces[0].trimmingBlanks
    var anchor = pieces.dropFirst().last.map { String($0.trimmingBlanks) }
    if anchor == nil, let mark = name.lastIndex(of: "^"), mark != name.startIndex {
      // Some programs omit the number sign before the identifier of a block.
      anchor = String(name[mark...])
      name = name[..<mark]
    }
    self.name = String(name)
    self.anchor = anchor.flatMap { $0.isEmpty ? nil : $0 }
    alias = parts.count > 1 ? String(parts[1].trimmingBlanks) : nil
    guard !self.name.isEmpty || self.anchor != nil else { return nil }
  }

  /// The link in the order of Dendron: `words|Note#Heading`. `nil` if the link has no text.
  ///
  /// Source: Dendron, "Links".
  var swapped: Wikilink? {
    alias.flatMap { Wikilink($0.replacing(/^dendron:\/\/[^\/]*\//, with: "") + "|" + name) }
  }

  /// Returns the text to show.
  ///
  /// - Parameter note: The title of the note that contains the link.
  func title(ofNote note: String) -> String {
    if let alias, !alias.isEmpty { return alias }
    let ownName = PageName.isPage(name) ? SourcePath.stem(of: name) : name
    guard let anchor, !anchor.hasPrefix("^"), !MediaFile.isMedia(name) else { return ownName.isEmpty ? note : ownName }
    return ownName.isEmpty ? anchor : "\(ownName) > \(anchor)"
  }
}

/// The identifier at the end of a block, such as `^summary`, to which links may lead.
enum BlockIdentifier {
  /// Returns the text before the identifier, and the identifier without `^`. Returns `nil` if the line has none.
  static func atEnd(of line: Substring) -> (text: Substring, identifier: String)? {
    guard let mark = line.lastIndex(of: "^"), mark != line.startIndex else { return nil }
    let text = line[..<mark]
    guard text.last?.isWhitespace == true, let identifier = identifier(line[mark...]) else { return nil }
    return (text.trimmingEnd, identifier)
  }

  /// Returns the identifier if the line consists only of it.
  static func alone(_ line: Substring) -> String? { line.first == "^" ? identifier(line) : nil }

  private static func identifier(_ text: Substring) -> String? {
    let name = text.dropFirst()
    return name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      ? nil : String(name)
  }
}

/// A property of a page or a block of Logseq: `name:: value`.
struct LogseqProperty: Equatable {
  let name: String
  let value: String

  init?(_ line: Substring) {
    let name = line.prefix { $0.isLetter || $0.isNumber || "-_./".contains($0) }
    guard !name.isEmpty, line[name.endIndex...].hasPrefix("::") else { return nil }
    let value = line[name.endIndex...].dropFirst(2)
    guard value.isEmpty || value.first == " " else { return nil }
    self.name = name.lowercased()
    self.value = String(value.trimmingBlanks)
  }

  /// Whether the property is a setting that Logseq does not show as text.
  var isHidden: Bool {
    ["id", "collapsed", "title", "alias", "tags", "icon", "public", "template", "heading", "background-color"]
      .contains(name) || name.hasPrefix("logseq.") || name.hasPrefix("card-") || name.hasPrefix("ls-")
      || name.hasPrefix("hl-")
  }
}

/// The kinds of files other than notes that a note may embed.
enum MediaFile {
  private static let images = ["png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "avif"]
  private static let others = [
    "mp3", "wav", "m4a", "ogg", "3gp", "flac", "mp4", "webm", "ogv", "mov", "mkv", "pdf", "canvas", "base",
  ]

  static func isImage(_ name: String) -> Bool { images.contains { SourcePath.hasExtension($0, name) } }

  /// Returns whether a name is that of a file that a note may embed.
  static func isMedia(_ name: String) -> Bool {
    isImage(name) || others.contains { SourcePath.hasExtension($0, name) }
  }

  /// Returns whether the text after the vertical bar is the size of an image: `300` or `300x200`.
  static func isSize(_ text: String) -> Bool {
    !text.isEmpty && text.count < 12 && text.first != "x"
      && text.allSatisfy { ("0"..."9").contains($0) || $0 == "x" }
  }
}

import LearningModel
import TextCanvas

/// Converts the markup of Obsidian, Logseq and Foam to Markdown and HTML: wikilinks, embeds, comments, block
/// identifiers and the sizes of images.
///
/// An embedded note or section is shown in a frame below the paragraph that embeds it. The frame has no headings, because
/// the anchors of the page's own headings must not depend on embedded notes.
///
/// Sources: Obsidian Help, "Internal links", "Embed files", "Basic formatting syntax"; Foam, "Wikilinks" and "Note
/// embeds"; Logseq, "Block reference" and "Properties".
struct VaultMarkup {
  /// The folder of notes that contains a page.
  struct Folder {
    /// Whether the folder has the settings of Obsidian, Foam or Logseq, or a page with a wikilink.
    var isVault = false
    /// Whether the folder has the settings of Logseq.
    var isLogseq = false
    var names = PageNames(of: .markdown)
    /// Returns the text of another page without its front matter, or `nil` if it cannot be read.
    var text: (_ path: String) -> String? = { _ in nil }
  }

  private let folder: Folder
  private let page: String
  private let isLogseq: Bool
  /// The markup that could not be shown, with counts.
  private(set) var findings = Findings()
  /// The identifiers of blocks to which any page may refer.
  private(set) var labels: Set<String> = []
  /// The text of the page without comments.
  private var ownText = ""
  /// The page, and the notes and sections that are being embedded.
  private var includes: IncludeStack
  /// The number of files that include the text of the page.
  private var outerDepth = 0
  private var isEmbedded: Bool { includes.depth > outerDepth }
  private var texts: [String: String?] = [:]
  private var excerpts: [String: String?] = [:]
  /// The number of bytes that may still be embedded, and the number of bytes that may still be searched for sections.
  private var remainingBytes = 1 << 20
  private var remainingSearch = 16 << 20
  private var embeddedCount = 0
  /// The definitions of the footnotes that are written inside the text.
  private var definitions: [String] = []

  /// The maximum depth of embedded notes, as in Obsidian.
  private static let deepest = 5

  init(_ folder: Folder, page: String) {
    self.folder = folder
    self.page = page
    isLogseq = folder.isLogseq
    includes = IncludeStack(page: page, limits: .standard, total: IncludedBytes())
  }

  /// Returns whether a page is a note of a vault: whether its folder has the settings of a program for vaults, or the
  /// page has a wikilink to a page, a file, or a part of itself.
  func isNote(_ text: some StringProtocol) -> Bool {
    if folder.isVault { return true }
    var (reader, count) = (InlineReader(String(text)), 0)
    while count < 100, let start = reader.find("[[") {
      reader.skip(to: start)
      count += 1
      guard let end = reader.find("]]", within: 300) else {
        reader.skip(to: start + 2)
        continue
      }
      let link = Wikilink(reader.text(from: start + 2, to: end))
      reader.skip(to: end + 2)
      guard let link else { continue }
      if link.name.isEmpty ? link.anchor != nil : target(of: link.name, from: page) != nil { return true }
    }
    return false
  }

  /// Returns a page as Markdown with HTML.
  ///
  /// - Parameter includes: The page and the files that include the text. The embedded notes are counted there.
  mutating func expanded(_ text: some StringProtocol, _ includes: inout IncludeStack) -> String {
    ownText = VaultComments.removed(from: String(text), &findings)
    self.includes = includes
    defer { includes = self.includes }
    outerDepth = includes.depth
    let converted = converted(ownText, of: page)
    return definitions.isEmpty ? converted : converted + "\n\n" + definitions.joined(separator: "\n\n") + "\n"
  }

  // MARK: Lines

  private mutating func converted(_ text: String, of path: String) -> String {
    var output: [String] = []
    var fence: PageLine.Fence?
    // The frames that follow the current paragraph.
    var frames: [String] = []
    let text = isLogseq ? LogseqMarkup.converted(text) : text
    for full in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = PageLine(full)
      if let open = fence {
        output.append(String(full))
        if line.closes(open) { fence = nil }
        continue
      }
      if line.isBlank || line.hasListMarker || line.content.first == "#" || line.fence != nil {
        output += frames
        frames = []
      }
      if let opening = line.fence {
        fence = opening
        output.append(String(full))
      } else if line.isBlank {
        output.append(String(full))
      } else if let identifier = BlockIdentifier.alone(line.content) {
        // The identifier belongs to the block above it.
        if !isEmbedded { insertAnchor(identifier, in: &output) }
      } else if isLogseq, let property = LogseqProperty(line.content) {
        guard let shown = converted(property, line) else { continue }
        // Each property is a line of its own.
        if property.name != "id", let last = output.last, PageLine(last[...]).content.first?.isLetter == true {
          output[output.count - 1] += "  "
        }
        output.append(shown)
      } else {
        convert(line, of: path, &output, &frames)
      }
    }
    return (output + frames).joined(separator: "\n")
  }

  private mutating func convert(
    _ line: PageLine, of path: String, _ output: inout [String], _ frames: inout [String]
  ) {
    var content = line.content
    var ending = ""
    if let (rest, identifier) = BlockIdentifier.atEnd(of: content) {
      content = rest
      if !isEmbedded { ending = " " + Self.anchor(identifier) }
    }
    if line.hasListMarker, content.first == "[", content.dropFirst(2).hasPrefix("] "),
      let mark = content.dropFirst().first, !" xX".contains(mark)
    {
      // Any character between the brackets means that the task is complete.
      content = "[x\(content.dropFirst(2))"
    }
    if !line.hasListMarker, let link = Self.onlyEmbed(content), !isFile(link.name, from: path) {
      let frame = frame(link, from: path, line) ?? [line.prefix + markdown(link, from: path)]
      output += frame + (ending.isEmpty ? [] : [line.continuationPrefix + ending.trimmingCharacters])
      return
    }
    var below: [Wikilink] = []
    let text = inline(String(content), of: path, &below)
    output.append("\(line.prefix)\(text)\(ending)" + String(repeating: " ", count: line.fullLine.trailingBlanks))
    for link in below { frames += frame(link, from: path, line) ?? [] }
  }

  /// Returns the embed that a line consists of, or `nil` for other lines.
  private static func onlyEmbed(_ content: Substring) -> Wikilink? {
    guard let start = content.firstIndex(of: "!"), content[start...].hasPrefix("![["), content.hasSuffix("]]"),
      embedModifiers.contains(String(content[..<start]))
    else { return nil }
    let inside = content[start...].dropFirst(3).dropLast(2)
    return inside.contains("]]") ? nil : Wikilink(String(inside))
  }

  /// The words that Foam accepts before an embed.
  private static let embedModifiers: Set<String> = [
    "", "full", "content", "inline", "card", "full-inline", "full-card", "content-inline", "content-card",
  ]

  /// Inserts an anchor before the last block of the output.
  private func insertAnchor(_ identifier: String, in output: inout [String]) {
    var index = output.count
    let lowest = max(0, index - 100)
    while index > lowest, output[index - 1].allSatisfy(\.isWhitespace) { index -= 1 }
    while index > lowest, !output[index - 1].allSatisfy(\.isWhitespace) { index -= 1 }
    output.insert(contentsOf: [Self.anchor(identifier), ""], at: index)
  }

  private static func anchor(_ identifier: String) -> String { "<a id=\"^\(identifier.escapedForXML())\"></a>" }

  // MARK: Logseq

  private mutating func converted(_ property: LogseqProperty, _ line: PageLine) -> String? {
    if property.name == "id" {
      labels.insert(property.value)
      return line.continuationPrefix + "<a id=\"\(property.value.escapedForXML())\"></a>"
    }
    guard !property.isHidden else { return nil }
    var below: [Wikilink] = []
    return line.prefix + "\(property.name): \(inline(property.value, of: page, &below))"
  }

  // MARK: Lines of text

  private mutating func inline(_ text: String, of path: String, _ below: inout [Wikilink]) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "(") }) else { return text }
    var reader = InlineReader(text)
    while let byte = reader.peek {
      switch byte {
      case UInt8(ascii: "\\"): reader.copy(2)
      case UInt8(ascii: "`"): reader.copyCodeSpan()
      case UInt8(ascii: "!") where reader.starts(with: "![["):
        if !readEmbed(&reader, of: path, &below) { reader.copy(1) }
      case UInt8(ascii: "!") where reader.starts(with: "!["):
        if !readImage(&reader) { reader.copy(2) }
      case UInt8(ascii: "[") where reader.starts(with: "[["):
        if !readLink(&reader, of: path) { reader.copy(2) }
      case UInt8(ascii: "^") where reader.starts(with: "^["):
        if !readNote(&reader) { reader.copy(2) }
      case UInt8(ascii: "]") where isLogseq && readLabelledReference(&reader, of: path): continue
      case UInt8(ascii: "]") where path != page && reader.starts(with: "]("):
        if !readDestination(&reader, of: path) { reader.copy(2) }
      case UInt8(ascii: "(") where isLogseq && reader.starts(with: "(("):
        if !readBlockReference(&reader) { reader.copy(2) }
      case UInt8(ascii: "{") where isLogseq && reader.starts(with: "{{embed "):
        if !readLogseqEmbed(&reader, of: path, &below) { reader.copy(2) }
      default: reader.copy(1)
      }
    }
    return reader.result
  }

  private func readLink(_ reader: inout InlineReader, of path: String) -> Bool {
    guard let end = reader.find("]]", within: 300),
      let link = Wikilink(reader.text(from: reader.position + 2, to: end))
    else { return false }
    reader.skip(to: end + 2)
    // In Dendron, the text precedes the name of the note.
    let swapped = target(of: link.name, from: path) == nil ? link.swapped : nil
    let isSwapped = swapped.map { target(of: $0.name, from: path) != nil } ?? false
    reader.write(markdown(isSwapped ? swapped! : link, from: path))
    return true
  }

  private mutating func readEmbed(
    _ reader: inout InlineReader, of path: String, _ below: inout [Wikilink]
  ) -> Bool {
    guard let end = reader.find("]]", within: 300),
      let link = Wikilink(reader.text(from: reader.position + 3, to: end))
    else { return false }
    reader.skip(to: end + 2)
    write(embed: link, &reader, of: path, &below)
    return true
  }

  private mutating func write(
    embed link: Wikilink, _ reader: inout InlineReader, of path: String, _ below: inout [Wikilink]
  ) {
    let file = folder.names.file(named: link.name, from: path)
    guard MediaFile.isImage(link.name) else {
      if file == nil, note(of: link, from: path) != nil { below.append(link) }
      return reader.write(markdown(link, from: path))
    }
    let alternative = link.alias.flatMap { MediaFile.isSize($0) ? nil : $0 } ?? SourcePath.name(of: link.name)
    let source = file.map { "/" + Self.encoded($0) } ?? Self.encoded(link.name)
    reader.write("![\(alternative.withoutBrackets)](<\(source)>)")
  }

  /// Reads an image whose description ends in its size: `![a map|300](map.png)`.
  private func readImage(_ reader: inout InlineReader) -> Bool {
    guard let end = reader.find("](", within: 400) else { return false }
    let description = reader.text(from: reader.position + 2, to: end)
    guard let bar = description.lastIndex(of: "|"), !description.contains("\n"), !description.contains("]"),
      MediaFile.isSize(String(description[description.index(after: bar)...]))
    else { return false }
    let title = description[..<bar]
    reader.write("![" + (title.hasSuffix("\\") ? title.dropLast() : title))
    reader.skip(to: end)
    return true
  }

  /// Reads the destination of a link in an embedded note, which is relative to the folder of that note.
  private func readDestination(_ reader: inout InlineReader, of path: String) -> Bool {
    guard SourcePath.folder(of: path) != SourcePath.folder(of: page),
      let end = reader.closingParenthesis(after: reader.position + 1, within: 500)
    else { return false }
    let destination = reader.text(from: reader.position + 2, to: end)
    guard let first = destination.first, !"/<#".contains(first), !destination.contains(" "),
      case .file(let name, let anchor) = LinkTarget(destination),
      let full = SourcePath.resolve(name, in: SourcePath.folder(of: path))
    else { return false }
    reader.skip(to: end + 1)
    reader.write("](</\(Self.encoded(full))\(anchor.map { "#" + $0 } ?? "")>)")
    return true
  }

  /// Reads a footnote inside the text: `^[words]`.
  private mutating func readNote(_ reader: inout InlineReader) -> Bool {
    guard reader.last != UInt8(ascii: "["), reader.find("]") != nil,
      let end = reader.closingBracket(after: reader.position + 1, within: 1_000)
    else { return false }
    let text = reader.text(from: reader.position + 2, to: end)
    reader.skip(to: end + 1)
    if isEmbedded {
      // The footnotes of the page must not be interrupted by those of an embedded note.
      reader.write(" (\(text))")
    } else {
      definitions.append("[^inline-\(definitions.count + 1)]: " + text)
      reader.write("[^inline-\(definitions.count)]")
    }
    return true
  }

  private func readBlockReference(_ reader: inout InlineReader) -> Bool {
    guard let end = reader.find("))", within: 60) else { return false }
    let identifier = reader.text(from: reader.position + 2, to: end)
    guard identifier.count == 36, identifier.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return false }
    reader.skip(to: end + 2)
    reader.write("[](<\(LinkScheme.label)\(identifier)>)")
    return true
  }

  /// Reads the destination of a link with words: `[words]([[Page]])` or `[words](((identifier)))`.
  private func readLabelledReference(_ reader: inout InlineReader, of path: String) -> Bool {
    if reader.starts(with: "]([["), let end = reader.find("]])", within: 300),
      let link = Wikilink(reader.text(from: reader.position + 4, to: end))
    {
      reader.skip(to: end + 3)
      reader.write("](<\(LinkScheme.page)\(Self.encoded(note(of: link, from: path) ?? link.name))>)")
      return true
    }
    guard reader.starts(with: "]((("), let end = reader.find(")))", within: 60) else { return false }
    let identifier = reader.text(from: reader.position + 4, to: end)
    guard identifier.count == 36, identifier.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return false }
    reader.skip(to: end + 3)
    reader.write("](<\(LinkScheme.label)\(identifier)>)")
    return true
  }

  private mutating func readLogseqEmbed(
    _ reader: inout InlineReader, of path: String, _ below: inout [Wikilink]
  ) -> Bool {
    guard let end = reader.find("}}", within: 300) else { return false }
    let inside = reader.text(from: reader.position + 8, to: end).trimmingCharacters
    if inside.hasPrefix("[["), inside.hasSuffix("]]"), let link = Wikilink(String(inside.dropFirst(2).dropLast(2))) {
      reader.skip(to: end + 2)
      write(embed: link, &reader, of: path, &below)
      return true
    }
    guard inside.hasPrefix("(("), inside.hasSuffix("))") else { return false }
    reader.skip(to: end + 2)
    findings.countLoss("embedded block", "shown as a link")
    reader.write("[](<\(LinkScheme.label)\(inside.dropFirst(2).dropLast(2))>)")
    return true
  }

  // MARK: Targets

  /// Returns the page or the file with a name.
  private func target(of name: String, from path: String) -> String? {
    folder.names.file(named: name, from: path) ?? folder.names.page(named: name, from: path)
  }

  private func isFile(_ name: String, from path: String) -> Bool {
    MediaFile.isImage(name) || folder.names.file(named: name, from: path) != nil
  }

  /// Returns the note to which a link leads, or `nil` if it is missing.
  private func note(of link: Wikilink, from path: String) -> String? {
    link.name.isEmpty ? path : folder.names.page(named: link.name, from: path)
  }

  /// Returns a link in Markdown. A link to a missing note is counted when the links are resolved.
  private func markdown(_ link: Wikilink, from path: String) -> String {
    let title = link.title(ofNote: SourcePath.stem(of: SourcePath.name(of: path))).withoutBrackets
    if let file = folder.names.file(named: link.name, from: path) {
      return "[\(title)](</\(Self.encoded(file))>)"
    }
    let note = note(of: link, from: path) ?? link.name
    let anchor = link.anchor.map { "#" + Self.encoded($0.hasPrefix("^") ? $0 : Anchor.make(from: $0)) } ?? ""
    return "[\(title)](<\(LinkScheme.page)\(Self.encoded(note))\(anchor)>)"
  }

  private static func encoded(_ path: String) -> String {
    var encoded = ""
    for character in path {
      switch character {
      case "%": encoded += "%25"
      case "#": encoded += "%23"
      case "?": encoded += "%3F"
      case "<": encoded += "%3C"
      case ">": encoded += "%3E"
      case "\\": encoded += "%5C"
      default: encoded.append(character)
      }
    }
    return encoded
  }

  // MARK: Embedded notes

  /// Returns the frame with an embedded note or section. Returns `nil` if the note is missing. Returns `nil` and counts
  /// the embed if the section is missing, or if the note embeds itself, is nested too deeply or is too large.
  private mutating func frame(_ link: Wikilink, from path: String, _ line: PageLine) -> [String]? {
    guard let note = note(of: link, from: path) else { return nil }
    let key = note + (link.anchor.map { "#" + $0 } ?? "")
    guard includes.depth - outerDepth < Self.deepest, line.content.first != "|",
      !includes.refuses(note, part: link.anchor ?? "", &findings),
      let excerpt = knownExcerpt(of: note, at: link.anchor, key), excerpt.utf8.count <= remainingBytes,
      includes.open(note, part: link.anchor ?? "", size: excerpt.utf8.count, &findings)
    else {
      findings.countLoss("embedded note", "shown as a link")
      return nil
    }
    remainingBytes -= excerpt.utf8.count + 64
    embeddedCount += 1
    let number = embeddedCount
    let text = NoteExcerpt.withoutHeadings(converted(excerpt, of: note))
      .replacing("[^", with: "[^note-\(number)-")
    includes.close()
    let (before, blank) = (line.continuationPrefix, line.blankLine)
    let title = "<span class=\"\(Alerts.titleClass)\">\(markdown(link, from: path))</span>"
    let content = text.split(separator: "\n", omittingEmptySubsequences: false).map { before + $0 }
    return [blank, before + "<div class=\"admonition\">", blank, before + title, blank] + content
      + [blank, before + "</div>", blank]
  }

  private mutating func knownExcerpt(of note: String, at anchor: String?, _ key: String) -> String? {
    if let known = excerpts[key] { return known }
    let excerpt = excerpt(of: note, at: anchor)
    excerpts[key] = .some(excerpt)
    return excerpt
  }

  private mutating func excerpt(of note: String, at anchor: String?) -> String? {
    let text: String
    if note == page {
      text = ownText
    } else if let known = texts[note] {
      guard let known else { return nil }
      text = known
    } else {
      let read = folder.text(note).map { text in
        var uncounted = Findings()
        return VaultComments.removed(from: text, &uncounted)
      }
      texts[note] = .some(read)
      guard let read else { return nil }
      text = read
    }
    remainingSearch -= text.utf8.count
    guard remainingSearch > 0, includes.count(text.utf8.count / 16) else { return nil }
    let excerpt = NoteExcerpt(text, title: SourcePath.stem(of: SourcePath.name(of: note)))
    guard let anchor else { return excerpt.whole }
    return anchor.hasPrefix("^") ? excerpt.block(String(anchor.dropFirst())) : excerpt.section(anchor)
  }
}

extension Substring {
  /// The number of spaces at the end of the line. Two or more spaces are a line break.
  fileprivate var trailingBlanks: Int { reversed().prefix { $0 == " " }.count }
}

extension VaultMarkup.Folder {
  /// The maximum number of pages that are examined for wikilinks.
  private static let maximumExamined = 20

  /// Examines a folder.
  ///
  /// - Parameter pages: The pages that may have wikilinks.
  init(in source: CourseSource, names: PageNames, pages: [String]) {
    self.names = names
    guard source.isFolder else { return }
    let settings = [".obsidian", ".foam", "logseq"]
    let entries = (try? source.allEntries(in: "")) ?? []
    isVault = entries.contains { $0.isFolder && settings.contains($0.name) }
    isLogseq = entries.contains { $0.isFolder && $0.name == "logseq" }
    text = { path in
      guard let bytes = try? source.bytes(of: path), let text = try? TextDecoding.decode(bytes, file: path) else {
        return nil
      }
      var findings = Findings()
      return String(PageFrontMatter(text, file: path, limits: source.limits, findings: &findings).body)
    }
    isVault =
      isVault
      || pages.prefix(Self.maximumExamined).contains { page in
        text(page).map { VaultMarkup(self, page: page).isNote($0) } ?? false
      }
  }
}

import Foundation
import LearningModel
import TextCanvas

extension PageMarkup {
  /// Returns text that is outside code blocks with its inline markup converted.
  mutating func inline(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x7B, 0x5B, 0x60, 0x2B, 0x3D, 0x3C].contains($0) }) else { return text }
    var reader = InlineReader(text)
    // The number of open brackets.
    var depth = 0
    while let byte = reader.peek {
      switch byte {
      case UInt8(ascii: "\\") where readReference(&reader): continue
      case UInt8(ascii: "\\"): reader.copy(2)
      case UInt8(ascii: "`"): reader.copyCodeSpan()
      case UInt8(ascii: "<") where readInventoryLink(&reader): continue
      case UInt8(ascii: "{") where readBraces(&reader): continue
      case UInt8(ascii: "[") where readBrackets(&reader): continue
      case UInt8(ascii: "["):
        depth += 1
        reader.copy(1)
      case UInt8(ascii: "]"):
        if depth == 0 || !readDestination(&reader) { reader.copy(1) }
        depth = max(0, depth - 1)
      case UInt8(ascii: "+") where readKeys(&reader): continue
      case UInt8(ascii: "=") where readHighlight(&reader): continue
      default: reader.copy(1)
      }
    }
    return reader.result
  }

  /// Reads markup that begins with a brace. Returns `false` if the brace is plain text.
  private mutating func readBraces(_ reader: inout InlineReader) -> Bool {
    if reader.starts(with: "{{<") || reader.starts(with: "{{%") { return readShortcode(&reader) }
    if reader.starts(with: "{{") { return readSubstitution(&reader) }
    if reader.starts(with: "{%") { return readLiquid(&reader) }
    if reader.starts(with: "{/*"), SourcePath.hasExtension("mdx", context.file), let end = reader.find("*/}") {
      reader.skip(to: end + 3)
      return true
    }
    if readRole(&reader) { return true }
    return readAttributes(&reader)
  }

  // MARK: Braces

  /// Reads a placeholder such as `{{ name }}`, which is replaced by its value or removed.
  private mutating func readSubstitution(_ reader: inout InlineReader) -> Bool {
    guard let end = reader.find("}}", within: 200) else { return false }
    let inside = reader.text(from: reader.position + 2, to: end)
    let name = inside.split(separator: "|").first.map { $0.trimmingBlanks } ?? ""
    if let quote = name.first, "\"'".contains(quote), name.count > 1, name.last == quote {
      // A text with filters, such as `{{ '/page' | relative_url }}` in Jekyll.
      reader.skip(to: end + 2)
      reader.write(String(name.dropFirst().dropLast()))
      return true
    }
    // The text must be a name, and the name must be known, contain a dot or follow a blank, because `{{50}}` and
    // `{{x}}` are mathematics.
    let isName = name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || "_.-".contains($0) }
    guard isName, inside.first == " " || name.contains(".") || context.substitutions[String(name)] != nil else {
      return false
    }
    reader.skip(to: end + 2)
    if let value = context.substitutions[String(name)]
      ?? context.substitutions[String(name.split(separator: ".").last ?? "")]
    {
      reader.write(value.hasPrefix("<") ? "" : value.onOneLine)
    } else if !["site.baseurl", "site.url", "page.url"].contains(name) {
      findings.countLoss("placeholder \(quoted: name)", "left out")
    }
    return true
  }

  /// Reads a role: `` {role}`words` ``.
  private mutating func readRole(_ reader: inout InlineReader) -> Bool {
    guard let close = reader.find("}", within: 40), reader.byte(at: close + 1) == UInt8(ascii: "`") else {
      return false
    }
    let name = reader.text(from: reader.position + 1, to: close)
    guard name.first?.isLetter == true,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_:+.".contains($0)) }),
      let span = reader.codeSpan(at: close + 1)
    else { return false }
    reader.skip(to: span.end)
    reader.write(role(name.split(separator: ":").last.map(String.init) ?? name, span.text.onOneLine))
    return true
  }

  /// Reads a reference of LaTeX to an equation or another label: `\eqref{label}`.
  ///
  /// Source: MathJax, "Automatic Equation Numbering".
  private func readReference(_ reader: inout InlineReader) -> Bool {
    guard let begin = ["\\eqref{", "\\ref{"].first(where: reader.starts(with:)),
      let end = reader.find("}", within: 100)
    else { return false }
    let label = reader.text(from: reader.position + begin.utf8.count, to: end)
    guard !label.isEmpty, !label.contains(where: { $0.isWhitespace || "<>{".contains($0) }) else { return false }
    reader.skip(to: end + 1)
    reader.write("[](<\(LinkScheme.label)\(label)>)")
    return true
  }

  /// Reads a link of MyST to an object of another project, `<inv:python#str.join>`. The name of the object is shown.
  ///
  /// Source: MyST-Parser, "Cross-project (inventory) links".
  private mutating func readInventoryLink(_ reader: inout InlineReader) -> Bool {
    guard context.isNotebook, reader.starts(with: "<inv:"), let end = reader.find(">", within: 200) else {
      return false
    }
    let destination = reader.text(from: reader.position + 1, to: end)
    guard !destination.contains(where: \.isWhitespace) else { return false }
    findings.countLoss("link to another project", "shown as text")
    reader.skip(to: end + 1)
    reader.write(Self.codeSpan(Self.plainText(of: destination)))
    return true
  }

  private mutating func role(_ name: String, _ words: String) -> String {
    var (text, target) = (words, words)
    var hasText = false
    if words.hasSuffix(">"), let open = words.lastIndex(of: "<"), open > words.startIndex {
      text = String(words[..<open].trimmingBlanks)
      target = String(words[words.index(after: open)...].dropLast())
      hasText = true
    }
    switch name {
    case "ref", "numref", "eq", "hyperref":
      return "[\(hasText ? text.withoutBrackets : "")](<\(LinkScheme.label)\(target)>)"
    case "doc":
      if let colon = target.firstIndex(of: ":"), let address = context.projects[String(target[..<colon])] {
        let page = target[target.index(after: colon)...].drop { $0 == "/" }
        return "[\(hasText ? text.withoutBrackets : String(page))](<\(address)\(page).html>)"
      }
      return "[\(hasText ? text.withoutBrackets : "")](<\(target)>)"
    case "download":
      findings.countLoss("file to download", "shown as its name")
      return text
    case "math": return MarkdownMathematics.withFormulaMarkup(String(words))
    case "kbd": return Self.keys(words.split(separator: "+").map { String($0.trimmingBlanks) })
    case "sup", "superscript": return "<sup>\(words.escapedForXML())</sup>"
    case "sub", "subscript": return "<sub>\(words.escapedForXML())</sub>"
    case "term":
      return "[\(text.withoutBrackets)](<\(LinkScheme.label)\(LabelledContent.label(ofTerm: target))>)"
    case "abbr", "dfn", "index", "u", "underline", "smallcaps": return text
    case "emphasis": return "*\(words)*"
    case "strong": return "**\(words)**"
    case "del": return "~~\(words)~~"
    case "cite", "citep", "footcite", "p": return citation(words, isInSentence: false)
    case "citet", "t": return citation(words, isInSentence: true)
    case "glue", "eval":
      findings.countLoss("computed value", "left out")
      return ""
    case "octicon", "material-regular", "fa", "fab", "fas", "far", "bdg":
      findings.countLoss("icon", "left out")
      return ""
    default:
      guard Self.codeRoles.contains(name) else {
        findings.countLoss("role \(quoted: name)", "shown as text")
        return text
      }
      // A tilde at the beginning means that only the last component of the name is shown.
      let shown = text.hasPrefix("~") ? text.dropFirst().split(separator: ".").last.map(String.init) ?? text : text
      return Self.codeSpan(shown.hasPrefix("!") ? String(shown.dropFirst()) : shown)
    }
  }

  /// Returns the authors and years of entries of the bibliography. Their titles are in footnotes.
  ///
  /// Sources: sphinxcontrib-bibtex, "Roles and Directives"; MyST Markdown, "Citations".
  ///
  /// - Parameter isInSentence: Whether the authors are part of the sentence, so that only the year is in parentheses.
  private mutating func citation(_ words: String, isInSentence: Bool) -> String {
    let keys = words.split(whereSeparator: { ",;".contains($0) }).map { String($0.trimmingBlanks) }
    guard keys.contains(where: { context.bibliography[$0] != nil }) else {
      findings.countLoss("citation", "shown as its key")
      return "(\(words))"
    }
    var footnotes = ""
    var texts: [String] = []
    for key in keys {
      guard let entry = context.bibliography[key] else {
        findings.countLoss("citation", "shown as its key")
        texts.append(key)
        continue
      }
      if citations.keys.insert(key).inserted {
        citations.footnotes.append("[^cite-\(key)]: \(PandocMarkup.escaped(entry.description))")
      }
      footnotes += "[^cite-\(key)]"
      let year = entry.year.isEmpty || !isInSentence ? entry.year : "(\(entry.year))"
      texts.append([PandocMarkup.escaped(entry.shortNames), year].filter { !$0.isEmpty }.joined(separator: " "))
    }
    let text = texts.joined(separator: isInSentence ? ", " : "; ")
    return (isInSentence ? text : "(\(text))") + footnotes
  }

  private static let codeRoles: Set<String> = [
    "func", "function", "mod", "module", "class", "meth", "method", "attr", "attribute", "data", "obj", "exc", "const",
    "any", "file", "command", "program", "option", "envvar", "guilabel", "menuselection", "code", "samp",
    "literal", "c", "py", "keyword", "token", "type", "macro", "member", "var", "regexp", "path",
  ]

  static func codeSpan(_ words: String) -> String {
    let marks = words.contains("`") ? "``" : "`"
    let gap = words.hasPrefix("`") || words.hasSuffix("`") ? " " : ""
    return marks + gap + words + gap + marks
  }

  /// Reads attributes. The form `{.class #id name=value}` is recognised after an image, a link, code or emphasis, or
  /// alone on a line; the form `{: … }` is recognised anywhere. An alternative text in the attributes is added to the
  /// image.
  private mutating func readAttributes(_ reader: inout InlineReader) -> Bool {
    guard let close = reader.find("}", within: 400) else { return false }
    let inside = reader.text(from: reader.position + 1, to: close)
    let marks = inside.first == ":" ? inside.dropFirst() : inside[...]
    guard let first = marks.trimmingBlanks.first,
      inside.first == ":" || first == "." || first == "#" || marks.contains("="),
      !inside.contains("\n") || marks.contains("=")
    else { return false }
    let isBehind = [UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "`"), UInt8(ascii: "*")].contains(
      reader.last ?? 0)
    let isAlone = reader.isAtLineStart && [nil, 0x0A].contains(reader.byte(at: close + 1))
    guard isBehind || isAlone || inside.first == ":" else { return false }
    let attributes = Attributes(marks)
    guard
      isAlone || inside.first == ":" || !attributes.classes.isEmpty || attributes.identifier != nil
        || !attributes.values.isEmpty
    else { return false }
    reader.skip(to: close + 1)
    if let words = attributes.values["alt"] {
      // Source: The Carpentries Workbench, "Figures".
      reader.setImageDescription(words.withoutBrackets, movesText: true)
    } else if let words = attributes.values["fig-alt"] {
      reader.setImageDescription(words.withoutBrackets)
    }
    return true
  }

  // MARK: Highlights

  /// Reads highlighted text such as `==words==`. Other text, such as `a == b`, is unchanged.
  ///
  /// Sources: Obsidian Help, "Basic formatting syntax"; PyMdown Extensions, "Mark".
  private mutating func readHighlight(_ reader: inout InlineReader) -> Bool {
    let start = reader.position + 2
    guard reader.starts(with: "=="), reader.last.map({ !$0.isWordByte && $0 != UInt8(ascii: "=") }) ?? true,
      let first = reader.byte(at: start), first > 0x20, first != UInt8(ascii: "="),
      let end = reader.find("==", after: start, within: 2_000), let last = reader.byte(at: end - 1), last > 0x20,
      reader.byte(at: end + 2).map({ !$0.isWordByte && $0 != UInt8(ascii: "=") }) ?? true
    else { return false }
    let inside = reader.text(from: start, to: end)
    guard !inside.contains("\n\n"), !inside.contains("|") else { return false }
    reader.skip(to: end + 2)
    reader.write("<mark>" + inline(inside) + "</mark>")
    return true
  }

  // MARK: Keys

  /// Reads keys such as `++ctrl+alt+del++`. Other text, such as `i++ or j++`, is unchanged.
  ///
  /// Source: PyMdown Extensions, "Keys".
  private func readKeys(_ reader: inout InlineReader) -> Bool {
    guard reader.starts(with: "++"), reader.last.map({ !$0.isWordByte }) ?? true,
      let end = reader.find("++", after: reader.position + 2, within: 60)
    else { return false }
    let names = reader.text(from: reader.position + 2, to: end).split(separator: "+").map(String.init)
    let keys = names.compactMap(Self.key)
    guard !keys.isEmpty, keys.count == names.count, reader.byte(at: end + 2).map({ !$0.isWordByte }) ?? true else {
      return false
    }
    reader.skip(to: end + 2)
    reader.write(Self.keys(keys))
    return true
  }

  private static func keys(_ names: [String]) -> String {
    names.map { "<kbd>\($0.escapedForXML())</kbd>" }.joined(separator: "+")
  }

  /// Returns the label of the key with that name, or `nil` if there is no such key.
  private static func key(_ name: String) -> String? {
    if name.count > 2, name.first == "\"", name.last == "\"" { return String(name.dropFirst().dropLast()) }
    if let key = keyNames[name] { return key }
    if name.count == 1 { return name.uppercased() }
    let isFunction = name.first == "f" && Int(name.dropFirst()).map { (1...24).contains($0) } ?? false
    return isFunction ? name.uppercased() : nil
  }

  private static let keyNames: [String: String] = [
    "ctrl": "Ctrl", "control": "Ctrl", "alt": "Alt", "shift": "Shift", "cmd": "Cmd", "command": "Cmd", "meta": "Meta",
    "option": "Option", "win": "Win", "windows": "Win", "super": "Super", "fn": "Fn", "enter": "Enter",
    "return": "Return", "esc": "Esc", "escape": "Esc", "tab": "Tab", "space": "Space", "backspace": "Backspace",
    "del": "Del", "delete": "Del", "ins": "Ins", "insert": "Ins", "home": "Home", "end": "End", "up": "Up",
    "down": "Down", "left": "Left", "right": "Right", "arrow-up": "Up", "arrow-down": "Down", "arrow-left": "Left",
    "arrow-right": "Right", "page-up": "Page Up", "pageup": "Page Up", "page-down": "Page Down",
    "pagedown": "Page Down", "caps-lock": "Caps Lock", "print-screen": "Print Screen", "pause": "Pause",
  ]

  // MARK: Brackets

  /// Reads `[text]{#anchor}`, which is a text with an anchor, or `[[Page]]`, which is a link to a page by its name.
  private mutating func readBrackets(_ reader: inout InlineReader) -> Bool {
    if reader.starts(with: "[[") { return readPageName(&reader) }
    guard let close = reader.find("]{", within: 400), let end = reader.find("}", after: close, within: 200) else {
      return false
    }
    let words = reader.text(from: reader.position + 1, to: close)
    guard !words.contains("["), !words.contains("]"), !words.contains("\n\n") else { return false }
    let marks = reader.text(from: close + 2, to: end)
    guard let first = marks.first, first == "#" || first == "." else { return false }
    let attributes = Attributes(marks[...])
    reader.skip(to: end + 1)
    if let identifier = attributes.identifier { reader.write("<a id=\"\(identifier.escapedForXML())\"></a>") }
    reader.write(inline(words))
    return true
  }

  /// Reads the destination of a link that contains blanks, such as `](my file.png)`. CommonMark allows this only
  /// between angle brackets, but many programs write it without them. Returns `false` for other destinations.
  private func readDestination(_ reader: inout InlineReader) -> Bool {
    guard reader.starts(with: "]("), let end = reader.closingParenthesis(after: reader.position + 1, within: 500) else {
      return false
    }
    let destination = reader.text(from: reader.position + 2, to: end)
    guard destination.contains(" "), !destination.contains("{{"), !destination.contains("{%"),
      !destination.contains(where: { "<>\"\n".contains($0) }),
      !destination.contains(" '"),
      destination.first != " ", destination.firstMatch(of: /\.[A-Za-z0-9]{2,8}(#[^ ]*)?$/) != nil
    else { return false }
    reader.skip(to: end + 1)
    reader.write("](<\(destination)>)")
    return true
  }

  /// Reads a wikilink of the form `[[Page#Heading|text]]`, as in Obsidian and wikis.
  private mutating func readPageName(_ reader: inout InlineReader) -> Bool {
    guard let end = reader.find("]]", within: 300) else { return false }
    let inside = reader.text(from: reader.position + 2, to: end)
    let parts = inside.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].prefix { $0 != "#" && $0 != "^" }.trimmingBlanks
    guard !inside.contains("\n"), !inside.contains("["), context.isPage(String(name)) else { return false }
    let words = parts.count > 1 ? String(parts[1]) : String(parts[0])
    let anchor = parts[0].firstIndex(of: "#").map {
      "#" + Anchor.make(from: String(parts[0][parts[0].index(after: $0)...]))
    }
    reader.skip(to: end + 2)
    reader.removeExclamationMark()
    reader.write("[\(words.withoutBrackets)](<\(LinkScheme.page)\(name)\(anchor ?? "")>)")
    return true
  }
}

extension UInt8 {
  /// Whether the byte is part of a word.
  fileprivate var isWordByte: Bool {
    self >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

/// Reads a text byte by byte and writes a converted text.
struct InlineReader {
  private let bytes: [UInt8]
  private var written: [UInt8] = []
  private(set) var position = 0
  /// For each text that was searched: its next occurrence, and the position from which this result is valid.
  private var nextPositions: [String: (from: Int, found: Int?)] = [:]

  init(_ text: String) {
    bytes = Array(text.utf8)
    written.reserveCapacity(bytes.count)
  }

  /// The text written so far.
  var result: String { String(decoding: written, as: UTF8.self) }
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  /// The last byte written.
  var last: UInt8? { written.last }
  func byte(at index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  var isAtLineStart: Bool {
    let before = written.lastIndex { $0 != 0x20 && $0 != 0x09 }
    return before.map { written[$0] == 0x0A } ?? true
  }

  func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  func text(from start: Int, to end: Int) -> String {
    let end = min(end, bytes.count)
    return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
  }

  /// Returns the position of the next occurrence of a text.
  ///
  /// The result of each search is stored. The searches at all braces of a page therefore take linear time in total.
  ///
  /// - Parameters:
  ///   - start: The start of the search. If `nil`, the current position.
  ///   - reach: The maximum distance from the start, in bytes.
  mutating func find(_ text: String, after start: Int? = nil, within reach: Int = .max) -> Int? {
    let start = start ?? position
    var found = nextPositions[text]?.found
    let isKnown = nextPositions[text].map { $0.from <= start && start <= ($0.found ?? .max) } ?? false
    if !isKnown {
      found = next(Array(text.utf8), from: start)
      nextPositions[text] = (start, found)
    }
    return found.flatMap { $0 - start <= reach ? $0 : nil }
  }

  private func next(_ wanted: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index + wanted.count <= bytes.count {
        if bytes[index] == wanted[0], wanted.indices.allSatisfy({ bytes[index + $0] == wanted[$0] }) { return index }
        index += 1
      }
      return nil
    }
  }

  mutating func copy(_ count: Int) {
    let end = min(bytes.count, position + count)
    written += bytes[position..<end]
    position = end
  }

  mutating func skip(to index: Int) { position = min(index, bytes.count) }
  mutating func write(_ text: String) { written += text.utf8 }

  /// Returns the position of the parenthesis that closes the one at `start`, or `nil` if it is not closed on the same
  /// line.
  ///
  /// - Parameter reach: The maximum distance, in bytes.
  func closingParenthesis(after start: Int, within reach: Int) -> Int? {
    var depth = 0
    for index in start..<min(bytes.count, start + reach) {
      switch bytes[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case 0x0A: return nil
      default: break
      }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Returns the text and the end of the code span that begins at a position, or `nil` if no code span begins there.
  func codeSpan(at start: Int) -> (text: String, end: Int)? {
    var count = 0
    while byte(at: start + count) == UInt8(ascii: "`") { count += 1 }
    guard count > 0 else { return nil }
    var index = start + count
    var run = 0
    while index <= bytes.count {
      if byte(at: index) == UInt8(ascii: "`") {
        run += 1
      } else {
        if run == count { return (text(from: start + count, to: index - run), index) }
        run = 0
        // A code span cannot continue in the next paragraph.
        if byte(at: index) == 0x0A, byte(at: index + 1) == 0x0A { return nil }
      }
      index += 1
    }
    return nil
  }

  /// Returns code in which Hugo's escaped shortcodes are unescaped. An escaped shortcode is displayed and not executed.
  static func unescaped(_ code: String) -> String {
    guard code.contains("{{") else { return code }
    return code.replacing("{{</*", with: "{{<").replacing("*/>}}", with: ">}}").replacing("{{%/*", with: "{{%")
      .replacing("*/%}}", with: "%}}")
  }

  /// Copies a code span. If the span is not closed, copies only its backticks.
  mutating func copyCodeSpan() {
    if let span = codeSpan(at: position) {
      write(Self.unescaped(text(from: position, to: span.end)))
      position = span.end
    } else {
      while peek == UInt8(ascii: "`") { copy(1) }
    }
  }

  /// Adds a description to the last image in the last 2,000 bytes of the output, if it has none.
  ///
  /// - Parameter movesText: Whether the text of the image is a caption, which is written below the image.
  mutating func setImageDescription(_ words: String, movesText: Bool = false) {
    let tail = Array(written.suffix(2_000))
    guard let start = tail.indices.last(where: { tail[$0...].starts(with: "![".utf8) }),
      let end = tail[(start + 2)...].firstIndex(of: UInt8(ascii: "]"))
    else { return }
    let caption = String(decoding: tail[(start + 2)..<end], as: UTF8.self)
    guard caption.isEmpty || movesText && caption != words else { return }
    let offset = written.count - tail.count
    written.replaceSubrange((offset + start + 2)..<(offset + end), with: words.utf8)
    if !caption.isEmpty { write("<br><em>\(caption)</em>") }
  }

  /// Removes an exclamation mark at the end of the output. Otherwise the link that follows would become an image.
  mutating func removeExclamationMark() {
    if written.last == UInt8(ascii: "!") { written.removeLast() }
  }
}

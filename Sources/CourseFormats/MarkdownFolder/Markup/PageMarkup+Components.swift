import LearningModel
import TextCanvas

extension PageMarkup {
  /// The programs whose components and expressions a page may contain.
  enum ComponentSyntax {
    /// None. Components are converted only if an attribute contains an expression.
    case none
    case mdx
    /// Components and the conditions of Svelte. Other braces are text.
    case svelte
  }

  /// Returns a page with its components, expressions and program code of MDX converted to Markdown and HTML, or removed
  /// and counted. Text inside components is kept.
  mutating func withoutComponents(_ text: String) -> String {
    guard componentSyntax != .none || text.utf8.contains(UInt8(ascii: "{")) && text.contains("={") else { return text }
    let isMDX = componentSyntax != .none
    let text = isMDX ? MarkdownMathematics.withFormulaMarkup(in: text, rule: .spaced) : text
    var reading = ComponentReading(text, marks: self)
    reading.read()
    self = reading.marks
    return String(decoding: reading.written, as: UTF8.self)
  }

  /// Returns the text of a page that is included as a component, or `nil` if it does not exist or cannot be included.
  fileprivate mutating func textOfComponent(_ path: String) -> String? {
    guard includes.error == nil, let file = context.text(path),
      includes.open(file.path, size: file.text.utf8.count, &findings)
    else {
      return nil
    }
    defer { includes.close() }
    included.insert(file.path)
    var inner = Findings()
    let matter = PageFrontMatter(file.text, file: file.path, limits: context.limits, findings: &inner)
    return withoutComponents(String(matter.body))
  }

  /// The names of components with questions, in lower case.
  static let quizComponents: Set<String> = [
    "question", "quiz", "quizquestion", "multiplechoice", "multiplechoicequestion", "singlechoice", "truefalse",
    "fillintheblank", "fillintheblanks", "questionnaire", "exercisequiz", "checkquestion", "mcq",
  ]
}

/// Converts the components of a page.
private struct ComponentReading {
  var marks: PageMarkup
  private(set) var written: [UInt8] = []
  private var scanner: JSXScanner
  private var position = 0
  private var open: [OpenComponent] = []
  /// The position before which no program code begins.
  private var programLimit = 0
  /// The files that the page imports, by the name of their component.
  private var imports: [String: String] = [:]

  private struct OpenComponent {
    let name: String
    /// The lines that close the component; empty if it is inside a line.
    let closing: [String]
    /// The text that closes a component inside a line.
    var suffix = ""
    /// The indentation of the line with the opening tag.
    let indent: Int
    /// The number of columns by which the lines inside are moved to the left, or `nil` before the first line.
    var shift: Int?
  }

  /// The maximum nesting depth of components that are converted.
  private static let deepest = 64

  private var bytes: [UInt8] { scanner.bytes }
  /// Whether all components are converted.
  private var isMDX: Bool { marks.componentSyntax != .none }

  init(_ text: String, marks: PageMarkup) {
    scanner = JSXScanner(text)
    self.marks = marks
    written.reserveCapacity(text.utf8.count)
  }

  mutating func read() {
    while position < bytes.count {
      if isAtLineStart, readLineStart() { continue }
      switch bytes[position] {
      case UInt8(ascii: "`"): copyCodeSpan()
      case UInt8(ascii: "\\"): copy(2)
      case UInt8(ascii: "<"): if !readComment(), !readTag() { copy(1) }
      case UInt8(ascii: "{") where isMDX: if !readExpression() { copy(1) }
      default: copy(1)
      }
    }
    while let component = open.popLast() {
      write(component.suffix)
      write(component.closing)
    }
  }

  // MARK: Copying

  private var isAtLineStart: Bool { written.isEmpty || written.last == 0x0A }

  private mutating func copy(_ count: Int) {
    let end = min(bytes.count, position + count)
    written += bytes[position..<end]
    position = end
  }

  private mutating func write(_ text: String) { written += text.utf8 }

  /// Writes lines. The first one begins on a new line of the output.
  private mutating func write(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    if !isAtLineStart { write("\n") }
    write(lines.joined(separator: "\n") + "\n")
  }

  private func lineEnd(from index: Int) -> Int { bytes[index...].firstIndex(of: 0x0A) ?? bytes.count }

  private mutating func copyCodeSpan() {
    let count = bytes[position...].prefix { $0 == UInt8(ascii: "`") }.count
    var index = position + count
    while index < bytes.count {
      let run = bytes[index...].prefix { $0 == UInt8(ascii: "`") }.count
      if run == count { return copy(index + run - position) }
      if bytes[index] == 0x0A, scanner.byte(index + 1) == 0x0A { break }
      index += max(1, run)
    }
    copy(count)
  }

  // MARK: Lines

  /// Reads the beginning of a line. Returns `true` if the position has changed.
  private mutating func readLineStart() -> Bool {
    let start = position
    let spaces = bytes[position...].prefix { $0 == 0x20 }.count
    let end = lineEnd(from: position)
    if position + spaces < end { moveLeft(spaces) }
    if readFence(indent: spaces) { return true }
    if marks.componentSyntax == .mdx, spaces == 0,
      scanner.starts(at: start, with: "import ") || scanner.starts(at: start, with: "export ")
    {
      return readProgram()
    }
    return position != start
  }

  /// Skips the indentation of a line that results from the nesting of components. In MDX, indented text is not code.
  private mutating func moveLeft(_ spaces: Int) {
    guard isMDX, let last = open.indices.last else { return }
    if open[last].shift == nil { open[last].shift = max(0, spaces - open[last].indent) }
    position += min(spaces, open.reduce(0) { $0 + ($1.shift ?? 0) })
  }

  /// Copies a fenced code block.
  private mutating func readFence(indent: Int) -> Bool {
    let first = PageLine(Substring(scanner.text(position, lineEnd(from: position))))
    guard let fence = first.fence else { return false }
    copy(lineEnd(from: position) + 1 - position)
    while position < bytes.count {
      let spaces = bytes[position...].prefix { $0 == 0x20 }.count
      let end = lineEnd(from: position)
      if isMDX, position + spaces < end { position += min(spaces, open.reduce(0) { $0 + ($1.shift ?? 0) }) }
      let line = PageLine(Substring(scanner.text(position, end)))
      copy(end + 1 - position)
      if line.closes(fence) { break }
    }
    return true
  }

  /// Skips statements that import or export, up to an empty line outside of brackets.
  private mutating func readProgram() -> Bool {
    guard position >= programLimit else { return false }
    let isExport = scanner.starts(at: position, with: "export ")
    var index = position
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), let end = scanner.expressionEnd(at: index) {
        index = end
      } else {
        index += 1
        if bytes[index - 1] == 0x0A, endsProgram(at: index) { break }
      }
    }
    let program = scanner.text(position, index)
    let words = program.prefix(200).split(whereSeparator: { " \n(".contains($0) })
    // A sentence may also begin with these words.
    let isProgram =
      isExport
      ? words.count > 1 && Self.declarations.contains(words[1])
      : ["from '", "from \"", "import '", "import \""].contains { program.contains($0) }
    guard isProgram else {
      programLimit = index
      return false
    }
    for line in program.split(separator: "\n") where line.hasPrefix("import ") { recordImport(line) }
    if isExport { marks.findings.countLoss("export of MDX", "left out") }
    position = index
    return true
  }

  private static let declarations: Set<Substring> = [
    "const", "let", "var", "function", "default", "class", "async", "{", "*",
  ]

  /// Returns whether the line at a position is empty and the next line with text is not indented and closes no bracket.
  private func endsProgram(at start: Int) -> Bool {
    let text = bytes[start...].drop { $0 == 0x0A || $0 == 0x0D }
    guard text.startIndex > start, let first = text.first else { return text.isEmpty }
    return !" \t)}]".utf8.contains(first)
  }

  /// Records an import of a page, such as `import Intro from './_intro.mdx'`.
  private mutating func recordImport(_ line: Substring) {
    let words = line.split(whereSeparator: { " ;".contains($0) })
    guard words.count == 4, words[2] == "from" else { return }
    let path = words[3].drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) }
    guard PageName.isPage(String(path)) else { return }
    imports[String(words[1])] = path.hasPrefix("@site/") ? String(path.dropFirst(5)) : String(path)
  }

  private mutating func readComment() -> Bool {
    guard scanner.starts(at: position, with: "<!--") else { return false }
    var index = position + 4
    while index < bytes.count, !scanner.starts(at: index, with: "-->") { index += 1 }
    copy(min(index + 3, bytes.count) - position)
    return true
  }

  // MARK: Expressions

  /// Skips an expression of MDX, or a block tag of Svelte.
  private mutating func readExpression() -> Bool {
    // These are attributes and placeholders of other programs.
    if let next = scanner.byte(position + 1), [UInt8(ascii: "{"), UInt8(ascii: "%")].contains(next) { return false }
    let isSvelte = marks.componentSyntax == .svelte
    if isSvelte, let next = scanner.byte(position + 1), !"#:/".utf8.contains(next) { return false }
    guard let end = scanner.expressionEnd(at: position) else { return false }
    let inside = scanner.text(position + 1, end - 1)[...].trimmingBlanks
    if inside.first == "#" || inside.first == ":" || inside.first == "/", inside.dropFirst().first?.isLetter == true {
      // Source: Svelte 4, "Logic blocks"; Hugging Face courses choose between frameworks with them.
      let name = inside.dropFirst().prefix { $0.isLetter }
      guard ["if", "else", "each", "await", "then", "catch", "key"].contains(name) else { return false }
      if inside.first == "#" { marks.findings.countLoss("condition of Svelte", "all its texts are shown") }
    } else if isSvelte || inside.first == "#" || inside.first == "-" || inside.first == "." {
      return false
    } else if inside.hasPrefix("/*"), inside.hasSuffix("*/") {
    } else if let text = JSXScanner.literal(String(inside)), !inside.hasSuffix(")"), text != "true" {
      write(text)
    } else if !inside.isEmpty {
      marks.findings.countLoss("expression of MDX", "left out")
    }
    position = end
    return true
  }

  // MARK: Tags

  private mutating func readTag() -> Bool {
    guard let tag = scanner.tag(at: position) else { return false }
    let isOption = tag.name == "hfoptions" || tag.name == "hfoption"
    if tag.name.isEmpty {
      guard isMDX else { return false }
      position = tag.end
      return true
    }
    guard tag.isComponent || isOption else {
      if isMDX, tag.name == "figcaption", !tag.isClosing, readCaption(tag) { return true }
      guard isMDX || tag.hasExpression, !tag.isClosing, tag.name != MarkdownMathematics.element else { return false }
      guard tag.hasExpression || tag.attributes["className"] != nil else { return false }
      write(Self.element(tag))
      position = tag.end
      return true
    }
    if tag.isClosing { return close(tag) }
    guard isMDX || tag.hasExpression || isOption, open.count < Self.deepest else { return false }
    convert(tag)
    return true
  }

  /// Reads the caption of a figure that contains Markdown. The caption is written on a line of its own, because
  /// Markdown inside a line of HTML is not read otherwise. Returns `false` for other captions.
  private mutating func readCaption(_ tag: JSXScanner.Tag) -> Bool {
    let line = scanner.text(tag.end, lineEnd(from: tag.end))
    guard let end = line.firstRange(of: "</figcaption>"), case let words = line[..<end.lowerBound],
      words.contains("](") || words.contains("`") || words.contains("*")
    else { return false }
    write("<figcaption>\n\n\(words.trimmingBlanks)\n\n")
    position = tag.end + words.utf8.count
    return true
  }

  /// Returns an HTML element with the attributes that are texts.
  private static func element(_ tag: JSXScanner.Tag) -> String {
    let attributes = tag.attributes.sorted { $0.key < $1.key }.map { name, value in
      " \(name == "className" ? "class" : name)=\"\(value.escapedForXML())\""
    }
    return "<\(tag.name)\(attributes.joined())\(tag.isSelfClosing ? " /" : "")>"
  }

  private mutating func close(_ tag: JSXScanner.Tag) -> Bool {
    guard let index = open.lastIndex(where: { $0.name == tag.name }) else {
      // A closing tag without an opening tag is removed.
      guard isMDX else { return false }
      position = tag.end
      return true
    }
    for component in open[index...].reversed() {
      write(component.suffix)
      write(component.closing)
    }
    open.removeSubrange(index...)
    position = tag.end
    skipBlanksOfLine()
    return true
  }

  private mutating func skipBlanksOfLine() {
    guard isAtLineStart else { return }
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private mutating func convert(_ tag: JSXScanner.Tag) {
    var lineStart = written.endIndex
    // A component after 200 or more blanks is treated as part of a line.
    while lineStart > 0, written.count - lineStart < 200,
      written[lineStart - 1] == 0x20 || written[lineStart - 1] == 0x09
    { lineStart -= 1 }
    let isLineStart = lineStart == 0 || written[lineStart - 1] == 0x0A
    let indent = written[lineStart...]
    let ending = bytes[tag.end...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    let isAlone = ending == nil || ending == 0x0A
    let line = PageLine(Substring(String(repeating: " ", count: isLineStart ? indent.count : 0) + "x"))
    let source = scanner.text(position, tag.end)
    position = tag.end
    if let path = imports[tag.name], let page = marks.textOfComponent(path) {
      write(isLineStart && isAlone ? "\n\n" + page + "\n\n" : String(page[...].trimmingBlanks))
      return tag.isSelfClosing ? () : push(tag, [], [], isBlock: false, indent: indent.count)
    }
    let name = tag.name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let isBlock = isLineStart && (isAlone || DirectiveRole.of(name) != nil || Self.roles[name] != nil)
    if PageMarkup.quizComponents.contains(name) {
      if tag.isSelfClosing, let choices = QuizChoices(source, limits: marks.context.limits) {
        marks.findings.countLoss("quiz component \(quoted: tag.name)", "shown as a list")
        return write(choices.lines)
      }
      marks.findings.countLoss(
        "quiz component \(quoted: tag.name)", tag.isSelfClosing ? "left out" : "shown as its text")
      return tag.isSelfClosing ? () : push(tag, [], [], isBlock: isBlock, indent: indent.count)
    }
    if tag.hasElement { marks.findings.countLoss("element in an attribute", "left out") }
    if tag.isSelfClosing {
      let text = replacement(of: tag, named: name)
      guard isLineStart, isAlone, case .embedded? = DirectiveRole.of(name), indent.allSatisfy({ $0 == 0x20 }),
        indent.count < 4
      else { return write(text) }
      // Markdown inside an element of HTML is read only after a blank line.
      return write(["", String(repeating: " ", count: indent.count) + text, ""])
    }
    if Self.links.contains(name), !isAlone, let address = tag.text("href", "to") {
      write("[")
      push(tag, [], [], isBlock: false, indent: 0)
      open[open.count - 1].suffix = "](<\(address)>)"
      return
    }
    let (lines, closing) = box(tag, named: name, before: line)
    push(tag, isBlock ? lines : [], isBlock ? closing : [], isBlock: isBlock, indent: indent.count)
  }

  private mutating func push(
    _ tag: JSXScanner.Tag, _ lines: [String], _ closing: [String], isBlock: Bool, indent: Int
  ) {
    let outer = open.reduce(0) { $0 + ($1.shift ?? 0) }
    open.append(OpenComponent(name: tag.name, closing: closing, indent: isBlock ? indent + outer : .max))
    if !isBlock { open[open.count - 1].shift = 0 }
    guard !lines.isEmpty else { return }
    // The spaces before the tag are removed, because the new lines contain the indentation.
    while written.last == 0x20 || written.last == 0x09 { written.removeLast() }
    write(lines)
    if scanner.byte(position) == 0x0A { position += 1 } else { write(String(repeating: " ", count: indent)) }
  }

  /// Returns the text of a component without content.
  private mutating func replacement(of tag: JSXScanner.Tag, named name: String) -> String {
    let address = tag.text("src", "url", "href", "id")
    if name == "code", let code = tag.attributes["code"] {
      let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return "\n\n" + PageMarkup.code(lines, language: tag.text("lang"), before: PageLine("")).joined(separator: "\n")
        + "\n\n"
    }
    switch DirectiveRole.of(name) {
    case .embedded(let what) where address != nil:
      marks.findings.countLoss(what, "shown as a link")
      var directive = Directive(name: name, argument: address ?? "", options: tag.attributes)
      if name == "youtube", address?.hasPrefix("http") == true { directive.name = "video" }
      return PageMarkup.link(to: directive, what: what)
    case .image where tag.text("src") != nil:
      return "![\((tag.text("alt", "title") ?? "").withoutBrackets)](<\(tag.text("src") ?? "")>)"
    default: break
    }
    let words = tag.text("title", "label", "text", "children", "alt", "description")
    if let href = tag.text("href", "to", "link"), let words {
      let more = tag.text("description").flatMap { $0 == words ? nil : " – " + $0 } ?? ""
      return "[\(words.withoutBrackets)](<\(href)>)" + more
    }
    marks.findings.countLoss("component \(quoted: tag.name)", words == nil ? "left out" : "shown as its text")
    return words.map { $0.escapedForXML() } ?? ""
  }

  /// Returns the lines before and after the text of a component.
  private mutating func box(
    _ tag: JSXScanner.Tag, named name: String, before line: PageLine
  ) -> (lines: [String], closing: [String]) {
    let title = tag.text("title", "label", "summary", "header", "name", "heading")
    var directive = Directive(name: name, argument: title ?? "", options: tag.attributes)
    directive.options["title"] = nil
    switch name {
    case "hfoptions": return marks.boxLines(Directive(name: "tabs"), .tabs, before: line)
    case "hfoption":
      return marks.boxLines(
        Directive(name: "tab", argument: tag.text("id") ?? "Option"), .tab, before: line)
    // Hugging Face has one component for tips and warnings.
    case "tip" where tag.attributes["warning"] == "true": directive.name = "warning"
    default: break
    }
    guard let role = DirectiveRole.of(directive.name) ?? Self.roles[name], Directive.holdsText(role) else {
      marks.findings.countLoss("component \(quoted: tag.name)", "shown as its text")
      return marks.boxLines(
        Directive(name: name, argument: title.map { "**\($0)**" } ?? ""), .container, before: line)
    }
    if role == .tabs { directive.argument = "" }
    if role == .tab, directive.argument.isEmpty { directive.argument = tag.text("value", "id") ?? "Tab" }
    return marks.boxLines(directive, role, before: line)
  }

  /// The components that are links.
  private static let links: Set<String> = ["link", "linkbutton", "navlink", "anchor"]

  /// The components whose names differ from those of directives.
  ///
  /// Sources: Starlight, "Components"; Mintlify, "Components"; Nextra, "Built-in components"; Docusaurus, "Details".
  private static let roles: [String: DirectiveRole] = [
    "cardgrid": .container, "cardgroup": .container, "filetree": .container, "step": .box, "frame": .container,
    "accordiongroup": .container, "codegroup": .container, "admonition": .box, "accordionitem": .details("More"),
    "expandable": .details("More"), "collapsible": .details("More"), "tablist": .container, "linkcard": .box,
    "responsefield": .box, "paramfield": .box, "update": .box,
  ]
}

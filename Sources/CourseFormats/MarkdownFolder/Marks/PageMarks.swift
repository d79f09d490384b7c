import LearningModel
import TextCanvas

/// Turns what generators of sites add to Markdown into Markdown and HTML: directives between colons or back-ticks,
/// shortcodes, roles, admonitions, attributes. What is not known is counted, and none of it stays as it is written.
///
/// A page is read line by line; what stands in program text is left alone.
struct PageMarks {
  /// What the page is, and what may stand for what.
  let context: Context
  /// What could not be shown.
  var findings = Findings()
  /// The files whose text stands in the page.
  var included: Set<String> = []
  /// Names of places, which any page of the course may link to.
  var labels: Set<String> = []
  /// The boxes that are open, the innermost last.
  var open: [OpenBox] = []
  /// Whether a directive in two parts had only its first one in the text, and whether one had only its last.
  private(set) var hasUnended = false
  var endsUnbegun = false
  /// The shortcodes that are open, the innermost last, and what ends their boxes.
  var openShortcodes: [(name: String, closing: [String])] = []
  /// The shortcodes that the page ends by their names.
  var pairedShortcodes: Set<String> = []

  struct Context {
    var file = ""
    var limits = SourceLimits.standard
    /// The language of a notebook's cells.
    var codeLanguage: String?
    /// Whether the page is written for MyST, where a line of `+++` parts cells and one with `%` is a comment.
    var isNotebook = false
    /// Words for `{{ name }}`.
    var substitutions: [String: String] = [:]
    /// The text of another file of the source.
    var text: (_ name: String) -> (path: String, text: String)? = { _ in nil }
    /// Whether there is a page of that name, wherever it is.
    var isPage: (_ name: String) -> Bool = { _ in false }
  }

  struct OpenBox {
    /// The lines that end it.
    let closing: [String]
    /// Whether another directive ends it, and not a line of colons.
    var endsByName = false
  }

  /// What a directive says besides its text.
  struct Directive {
    var name: String
    var argument = ""
    var options: [String: String] = [:]
    var body: [Substring] = []
  }

  init(_ context: Context = Context()) {
    self.context = context
  }

  /// The page as Markdown with HTML.
  mutating func expanded(_ text: some StringProtocol, depth: Int = 0) -> String {
    let lines = String(text).split(separator: "\n", omittingEmptySubsequences: false)
    guard depth < Self.deepest else { return lines.joined(separator: "\n") }
    if depth == 0 { pairedShortcodes = Self.endedShortcodes(in: String(text)) }
    let outer = open
    open = []
    var scan = Scan(depth: depth)
    var index = 0
    while index < lines.count { read(lines, at: &index, &scan) }
    while let box = open.popLast() {
      hasUnended = hasUnended || box.endsByName
      scan.emit(box.closing)
    }
    open = outer
    scan.endDefinition()
    return finish(scan)
  }

  /// Directives inside directives that are read one by one; deeper ones stay as text.
  private static let deepest = 24

  /// The state of going through lines.
  struct Scan {
    let depth: Int
    /// Lines that may have marks in them, and lines that are done.
    fileprivate(set) var pieces: [(lines: [String], isDone: Bool)] = []
    /// Whether a list is open, so that what stands to the right is its text.
    var isInList = false
    /// How far the text of a definition stands to the right; 0 outside of one.
    var definition = 0
    /// What stands before the lines of that definition.
    var beforeDefinition = ""

    mutating func add(_ line: some StringProtocol) { append([String(line)], isDone: false) }
    /// Adds lines that nothing is looked for in.
    mutating func emit(_ lines: [String]) { append(lines, isDone: true) }

    private mutating func append(_ lines: [String], isDone: Bool) {
      if let last = pieces.indices.last, pieces[last].isDone == isDone {
        pieces[last].lines += lines
      } else {
        pieces.append((lines, isDone))
      }
    }

    /// Ends the definition that is open.
    mutating func endDefinition() {
      guard definition > 0 else { return }
      definition = 0
      let air = beforeDefinition.contains(">") ? beforeDefinition : ""
      emit([air, beforeDefinition + "</dd>", beforeDefinition + "</dl>", air])
    }

    /// The last line that text may still be in, taken off; `nil` where there is none.
    mutating func takeLastText() -> String? {
      guard let last = pieces.indices.last, !pieces[last].isDone, let line = pieces[last].lines.last else { return nil }
      pieces[last].lines.removeLast()
      return line
    }

    var lastText: String? {
      pieces.last.flatMap { $0.isDone ? nil : $0.lines.last }
    }
  }

  private mutating func finish(_ scan: Scan) -> String {
    var text = scan.pieces.map { piece in
      let text = piece.lines.joined(separator: "\n")
      return piece.isDone ? text : inline(text)
    }.joined(separator: "\n")
    while scan.depth == 0, let box = openShortcodes.popLast() { text += "\n\n" + box.closing.joined(separator: "\n") }
    return text
  }

  // MARK: Lines

  /// Reads one line, or all lines of what begins there.
  private mutating func read(_ lines: [Substring], at index: inout Int, _ scan: inout Scan) {
    let line = PageLine(dedented(lines[index], &scan))
    if line.isBlank {
      scan.add(line.whole)
      index += 1
      return
    }
    let wasInList = scan.isInList
    scan.isInList = line.hasListMark || wasInList && line.indent > 0
    if line.indent >= 4, !wasInList, !scan.isInList, line.quoteDepth == 0,
      scan.lastText.map({ $0.allSatisfy(\.isWhitespace) }) != false
    {
      // An indented block of program text.
      scan.emit([String(line.whole)])
      index += 1
      return
    }
    if let fence = line.fence {
      readFence(fence, line, lines, at: &index, &scan)
    } else if let opening = line.colons {
      readColons(opening, line, lines, at: &index, &scan)
    } else if let admonition = line.indentedAdmonition {
      index += 1
      let body = takeIndented(lines, at: &index, beyond: line.indent + 4)
      emit(admonition.directive(body), before: line, &scan)
    } else if let definition = line.definition, scan.definition > 0, isMeaning(above: index, in: lines) {
      scan.add("")
      scan.add(scan.beforeDefinition + definition.text)
      index += 1
    } else if let definition = line.definition, let term = takeTerm(&scan) {
      scan.endDefinition()
      let before = line.before
      scan.emit([line.air, before + "<dl>", before + "<dt>", line.air])
      scan.add(line.quotes + term.trimmingBlanks)
      scan.emit([line.air, before + "</dt>", before + "<dd>", line.air])
      scan.add(before + definition.text)
      (scan.definition, scan.beforeDefinition) = (definition.indent, before)
      index += 1
    } else if let element = line.markdownElement,
      let end = lines[(index + 1)...].prefix(200).firstIndex(where: { $0.trimmingBlanks == "</\(element)>" })
    {
      let body = lines[(index + 1)..<end]
      let columns = body.filter { !$0.allSatisfy(\.isWhitespace) }.map(PageLine.columns).min() ?? 0
      let text = body.map { PageLine.dropping(columns, of: $0) }.joined(separator: "\n")
      scan.emit(["", String(line.whole), "", expanded(text, depth: scan.depth + 1), "", String(lines[end]), ""])
      index = end + 1
    } else if isDropped(line) {
      scan.add("")
      index += 1
    } else if let label = line.target {
      labels.insert(label)
      scan.emit(["", line.before + "<a id=\"\(label.escapedForXML())\"></a>", ""])
      index += 1
    } else {
      scan.add(line.whole)
      index += 1
    }
  }

  /// A line of a definition without what moves it to the right.
  private func dedented(_ line: Substring, _ scan: inout Scan) -> Substring {
    guard scan.definition > 0, !line.allSatisfy(\.isWhitespace) else { return line }
    let spaces = line.prefix { $0 == " " }.count
    if spaces >= min(scan.definition, 2) { return line.dropFirst(min(spaces, scan.definition)) }
    if scan.lastText.map({ $0.allSatisfy(\.isWhitespace) }) != false, PageLine(line).definition == nil {
      scan.endDefinition()
    }
    return line
  }

  /// Whether what stands above a definition is another one of the same word, and not a word.
  private func isMeaning(above index: Int, in lines: [Substring]) -> Bool {
    guard index > 0 else { return false }
    let above = PageLine(lines[index - 1])
    return above.isBlank || above.definition != nil || above.indent > 1
  }

  /// The words that a definition is of: the line above, also where an empty one stands between.
  private func takeTerm(_ scan: inout Scan) -> Substring? {
    guard var line = scan.takeLastText() else { return nil }
    var skipped = false
    if line.allSatisfy(\.isWhitespace), let above = scan.takeLastText() {
      skipped = true
      line = above
    }
    let isTerm = line.contains { !$0.isWhitespace } && !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("#")
    if isTerm, scan.definition == 0 || !skipped { return line[...] }
    // A second definition of the same term, or no definition at all.
    scan.add(line)
    if skipped { scan.add("") }
    return nil
  }

  /// Whether a line is a mark that says nothing to a reader.
  private func isDropped(_ line: PageLine) -> Bool {
    let rest = line.rest
    if context.isNotebook, rest == "+++" || rest.hasPrefix("+++ ") || rest.hasPrefix("% ") || rest == "%" {
      return true
    }
    if SourcePath.hasExtension("mdx", context.file), line.indent == 0 {
      return rest.hasPrefix("import ") && rest.contains("from ") || rest.hasPrefix("export ")
    }
    return false
  }

  private mutating func readFence(
    _ fence: PageLine.Fence, _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) {
    index += 1
    var body: [Substring] = []
    while index < lines.count {
      let inner = PageLine(dedented(lines[index], &scan))
      index += 1
      if inner.closes(fence) { break }
      // What a list or a quotation holds ends with it, also without a closing fence.
      let isOutside = line.quoteDepth > inner.quoteDepth || scan.isInList && line.indent > 0 && inner.indent == 0
      if isOutside, !inner.isBlank || line.quoteDepth > 0 {
        index -= 1
        break
      }
      body.append(inner.without(line))
    }
    guard let name = fence.directive else {
      let code = body.map { Self.unescaped(String($0)) }
      return scan.emit(Self.code(code, language: fence.language, before: line))
    }
    var directive = Directive(name: name.name, argument: name.argument)
    directive.takeOptions(from: &body)
    directive.body = body
    emit(directive, before: line, isFence: true, &scan)
  }

  private mutating func readColons(
    _ opening: PageLine.Colons, _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) {
    index += 1
    guard let name = opening.name else {
      // A line of colons ends the innermost box that it can end; without any it is a mark too many.
      if let box = open.last, !box.endsByName {
        open.removeLast()
        scan.emit(box.closing)
      }
      return
    }
    var directive = Directive(name: name, argument: opening.argument, options: opening.attributes)
    // Between colons without braces a hint is what The Carpentries close.
    let role = name == "hint" && !opening.isInBraces ? .details("Hint") : DirectiveRole.of(name)
    guard Directive.holdsText(role) else {
      var body = takeColons(lines, at: &index, opening.count, line)
      directive.takeOptions(from: &body)
      directive.body = body
      return emit(directive, before: line, &scan)
    }
    var options: [Substring] = []
    while opening.isInBraces, index < lines.count {
      let inner = PageLine(lines[index])
      guard inner.rest.hasPrefix(":"), Directive.option(inner.rest) != nil else { break }
      options.append(inner.rest)
      index += 1
    }
    directive.takeOptions(from: &options)
    if role == nil { lose(directive, isTextKept: true) }
    var lead = begun(line)
    if directive.argument.isEmpty, let heading = takeHeading(lines, at: &index) {
      let (words, own) = Self.attributed(heading)
      directive.argument = words
      // Links to the heading lead to the box.
      let anchor = own ?? Anchor.make(from: PageMarks.words(words, context.limits))
      lead += ["", line.before + "<a id=\"\(anchor.escapedForXML())\"></a>", ""]
    }
    let box = boxLines(directive, role ?? .container, before: line)
    scan.emit(lead + box.lines)
    open.append(OpenBox(closing: box.closing))
  }
}

extension PageMarks {
  /// The title that stands as a heading at the beginning of a box.
  func takeHeading(_ lines: [Substring], at index: inout Int) -> String? {
    var next = index
    while next < lines.count, lines[next].allSatisfy(\.isWhitespace) { next += 1 }
    guard next < lines.count else { return nil }
    let rest = PageLine(lines[next]).rest
    let level = rest.prefix { $0 == "#" }.count
    guard (1...6).contains(level), rest.dropFirst(level).first?.isWhitespace == true else { return nil }
    index = next + 1
    return String(rest.dropFirst(level).trimmingBlanks)
  }

  /// A heading without the attributes at its end, and the anchor that they give it: `Words {#anchor .class}`.
  static func attributed(_ heading: String) -> (words: String, anchor: String?) {
    guard heading.hasSuffix("}"), let open = heading.lastIndex(of: "{") else { return (heading, nil) }
    let attributes = Attributes(heading[open...].dropFirst().dropLast())
    guard attributes.identifier != nil || !attributes.classes.isEmpty else { return (heading, nil) }
    return (String(heading[..<open].trimmingBlanks), attributes.identifier)
  }

  /// The lines up to the colons that end a directive, with those of the directives inside it.
  func takeColons(
    _ lines: [Substring], at index: inout Int, _ count: Int, _ line: PageLine
  ) -> [Substring] {
    var body: [Substring] = []
    var depth = 0
    while index < lines.count {
      let inner = PageLine(lines[index])
      index += 1
      if let colons = inner.colons {
        depth += colons.name == nil ? -1 : 1
        if depth < 0 { break }
      }
      body.append(inner.without(line))
    }
    return body
  }

  /// The lines that stand further to the right, moved back.
  func takeIndented(_ lines: [Substring], at index: inout Int, beyond indent: Int) -> [Substring] {
    var body: [Substring] = []
    while index < lines.count {
      let line = lines[index]
      if line.allSatisfy(\.isWhitespace) {
        body.append("")
      } else if PageLine.columns(of: line) >= indent {
        body.append(PageLine.dropping(indent, of: line))
      } else {
        break
      }
      index += 1
    }
    while body.last == "" {
      body.removeLast()
      index -= 1
    }
    return body
  }
}

extension PageLine {
  /// The element that a line of HTML begins where it says that Markdown is inside: `<figure markdown>`.
  ///
  /// Source: Python-Markdown, "Markdown in HTML".
  var markdownElement: Substring? {
    guard rest.first == "<", rest.last == ">", quoteDepth == 0, !hasListMark else { return nil }
    let name = rest.dropFirst().prefix { $0.isLetter }
    let words = rest.dropFirst(name.count + 1).dropLast().split(separator: " ")
    let saysSo = words.contains { $0 == "markdown" || $0.hasPrefix("markdown=") }
    return name.isEmpty || !saysSo || words.contains { $0.contains(">") } ? nil : name
  }
}

extension PageMarks {
  /// Words without the marks of Markdown around them.
  static func words(_ markdown: String, _ limits: SourceLimits) -> String {
    guard markdown.contains(where: { "*_`[<&\\{$!~".contains($0) }) else { return markdown.onOneLine }
    var marks = PageMarks()
    let plain = marks.inline(markdown)
    let dialect = TextDialect(hasHeadingAttributes: true)
    let parsed = try? MarkdownText.parse(
      "# " + plain.replacing("\n", with: " "), file: "", limits: limits, dialect: dialect)
    return parsed?.blocks.map(\.block).plainText.onOneLine ?? markdown.onOneLine
  }
}

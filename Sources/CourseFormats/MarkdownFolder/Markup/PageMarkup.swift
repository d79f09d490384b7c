import LearningModel
import TextCanvas

/// Converts the markup that site generators add to Markdown to Markdown and HTML: directives with colons or backticks,
/// shortcodes, roles, admonitions and attributes. Unknown markup is counted and removed.
///
/// A page is processed line by line. Code is not changed.
struct PageMarkup {
  /// The information about the page and its folder.
  let context: Context
  /// The markup that could not be shown, with counts.
  var findings = Findings()
  /// The files whose text is included in the page.
  var included: Set<String> = []
  /// The page and the files that it includes at the current position.
  var includes: IncludeStack
  /// The labels to which any page of the course may refer.
  var labels: Set<String> = []
  /// The numbers of figures, tables and notes for pandoc, which continue in included files.
  var pandoc = PandocCounts()
  /// The numbers and titles of the labels.
  var references = LabelledContent()
  /// The number of lines of the text that was searched for the end of a formula, and the line that was reached.
  var environmentLimit = (lines: 0, index: 0)
  /// The keys of the bibliography to which the page refers, and the footnotes with their entries.
  var citations: (keys: Set<String>, footnotes: [String]) = ([], [])
  /// The open boxes, the innermost last.
  var open: [OpenBox] = []
  /// Whether the text contains the first part of a two-part directive, but not the second part.
  private(set) var hasUnended = false
  /// Whether the text contains the second part of a two-part directive, but not the first part.
  var endsUnbegun = false
  /// The open shortcodes, the innermost last, each with the lines that close its box.
  var openShortcodes: [(name: String, closing: [String])] = []
  /// The names of shortcodes for which the page has a closing tag.
  var pairedShortcodes: Set<String> = []

  /// The programs whose components the page may contain.
  var componentSyntax: ComponentSyntax {
    context.components == .none && SourcePath.hasExtension("mdx", context.file) ? .mdx : context.components
  }

  struct OpenBox {
    /// The lines that close the box.
    let closing: [String]
    /// Whether the box is closed by another directive and not by a line of colons.
    var endsByName = false
    /// Whether each code block in the box is a tab.
    var isCodeGroup = false
  }

  init(_ context: Context = Context()) {
    self.context = context
    includes = IncludeStack(page: context.file, limits: context.limits, total: context.includedBytes)
  }

  /// Returns a whole page, or a page that is included in another one, as Markdown with HTML.
  mutating func expanded(page text: some StringProtocol, depth: Int = 0) -> String {
    var text = String(text)
    var notes = VaultMarkup(context.vault, page: context.file)
    // In MDX and in pages of Hugging Face, `[[id]]` after a heading is the identifier of the heading.
    let hasIdentifiers = componentSyntax == .svelte || SourcePath.hasExtension("mdx", context.file)
    let mayBeNote = !hasIdentifiers && text.contains("[[")
    if context.vault.isVault || mayBeNote && notes.isNote(text) {
      text = notes.expanded(text, &includes)
      findings.add(notes.findings)
      labels.formUnion(notes.labels)
    }
    if let settings = context.pandoc {
      var markup = PandocMarkup(context, settings, pandoc)
      text = markup.expanded(text)
      pandoc = markup.counts
      findings.add(markup.findings)
      labels.formUnion(markup.labels)
      for (label, title) in markup.labelTitles { references.set(title, for: label) }
    }
    return expanded(text, depth: depth)
  }

  /// Returns the page as Markdown with HTML.
  mutating func expanded(_ text: some StringProtocol, depth: Int = 0) -> String {
    let text = depth == 0 ? withoutComponents(String(text)) : String(text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard depth < Self.deepest else { return lines.joined(separator: "\n") }
    if depth == 0 { pairedShortcodes = Self.endedShortcodes(in: text) }
    let outer = open
    open = []
    var scan = Scan(depth: depth)
    var index = 0
    while index < lines.count { read(lines, at: &index, &scan) }
    while let box = open.popLast() {
      hasUnended = hasUnended || box.endsByName
      scan.output.emit(box.closing)
    }
    open = outer
    scan.endDefinition()
    return finish(scan)
  }

  /// The maximum nesting depth of directives that are converted. Directives at a greater depth remain text.
  private static let deepest = 24

  /// The state of processing lines.
  struct Scan {
    let depth: Int
    var output = ConvertedLines()
    /// Whether a list is open, so that indented lines belong to it.
    var isInList = false
    /// The indentation of the text of the open definition, or 0.
    var definition = 0
    /// The prefix of the lines of the open definition.
    var beforeDefinition = ""

    mutating func endDefinition() {
      guard definition > 0 else { return }
      definition = 0
      let air = beforeDefinition.contains(">") ? beforeDefinition : ""
      output.emit([air, beforeDefinition + "</dd>", beforeDefinition + "</dl>", air])
    }
  }

  private mutating func finish(_ scan: Scan) -> String {
    var text = scan.output.text { inline($0) }
    while scan.depth == 0, let box = openShortcodes.popLast() { text += "\n\n" + box.closing.joined(separator: "\n") }
    if scan.depth == 0, !citations.footnotes.isEmpty {
      text += "\n\n" + citations.footnotes.joined(separator: "\n\n") + "\n"
      citations.footnotes = []
    }
    return text
  }

  // MARK: Lines

  /// Reads one line, or all lines of the block that begins there.
  private mutating func read(_ lines: [Substring], at index: inout Int, _ scan: inout Scan) {
    let line = PageLine(dedented(lines[index], &scan))
    if line.isBlank {
      scan.output.add(line.fullLine)
      index += 1
      return
    }
    if readCallout(line, lines, at: &index, &scan) { return }
    let wasInList = scan.isInList
    scan.isInList = line.hasListMarker || wasInList && line.indent > 0
    if line.indent >= 4, !wasInList, !scan.isInList, line.quoteDepth == 0,
      scan.output.lastText.map({ $0.allSatisfy(\.isWhitespace) }) != false
    {
      // The line belongs to an indented code block.
      scan.output.emit([String(line.fullLine)])
      index += 1
      return
    }
    if let fence = line.fence {
      readFence(fence, line, lines, at: &index, &scan)
    } else if let opening = line.colons {
      readColons(opening, line, lines, at: &index, &scan)
    } else if let admonition = line.indentedAdmonition {
      index += 1
      let body = removeIndentedBlock(lines, at: &index, beyond: line.indent + 4)
      emit(admonition.directive(body), before: line, &scan)
    } else if let definition = line.definition, scan.definition > 0, isMeaning(above: index, in: lines) {
      scan.output.add("")
      scan.output.add(scan.beforeDefinition + definition.text)
      index += 1
    } else if let caption = line.definition?.text, scan.output.endsInTableRow {
      let before = line.continuationPrefix
      scan.output.emit([line.blankLine, before + "<figcaption>", line.blankLine])
      scan.output.add(before + caption)
      scan.output.emit([line.blankLine, before + "</figcaption>", line.blankLine])
      index += 1
    } else if let definition = line.definition, let term = removeTerm(&scan) {
      scan.endDefinition()
      let before = line.continuationPrefix
      scan.output.emit([line.blankLine, before + "<dl>", before + "<dt>", line.blankLine])
      scan.output.add(line.quotes + term.trimmingBlanks)
      scan.output.emit([line.blankLine, before + "</dt>", before + "<dd>", line.blankLine])
      scan.output.add(before + definition.text)
      (scan.definition, scan.beforeDefinition) = (definition.indent, before)
      index += 1
    } else if let element = line.markdownElement,
      let end = lines[(index + 1)...].prefix(200).firstIndex(where: { $0.trimmingBlanks == "</\(element)>" })
    {
      let body = lines[(index + 1)..<end]
      let columns = body.filter { !$0.allSatisfy(\.isWhitespace) }.map(PageLine.columns).min() ?? 0
      let text = body.map { PageLine.dropping(columns, of: $0) }.joined(separator: "\n")
      scan.output.emit([
        "", String(line.fullLine), "", expanded(text, depth: scan.depth + 1), "", String(lines[end]), "",
      ])
      index = end + 1
    } else if line.hasListMarker, index + 1 < lines.count, lines[index + 1].trimmingBlanks.hasPrefix("{:toc") {
      // Source: kramdown, "Automatic Table of Contents Generation".
      findings.countLoss("list of contents", "left out")
      scan.output.add("")
      index += 2
    } else if let heading = line.heading {
      scan.output.add(heading.text.isEmpty ? String(line.fullLine) : withoutHeadingMarkup(heading, line))
      index += 1
    } else if readGeneratorLine(line, lines, at: &index, &scan) || readFormula(line, lines, at: &index, &scan) {
    } else if isDropped(line) {
      scan.output.add("")
      index += 1
    } else if context.isNotebook, let attributes = line.blockAttributes {
      // The comment separates lists that have different attributes.
      let before = line.continuationPrefix
      var separator = [line.blankLine, before + "<!-- -->", line.blankLine]
      if let identifier = attributes.identifier {
        labels.insert(identifier)
        separator += [before + "<a id=\"\(identifier.escapedForXML())\"></a>", line.blankLine]
      }
      scan.output.emit(separator)
      index += 1
    } else if let label = line.target {
      labels.insert(label)
      scan.output.emit(["", line.continuationPrefix + "<a id=\"\(label.escapedForXML())\"></a>", ""])
      index += 1
    } else {
      scan.output.add(line.fullLine)
      index += 1
    }
  }

  /// Returns a line of a definition without its indentation.
  private func dedented(_ line: Substring, _ scan: inout Scan) -> Substring {
    guard scan.definition > 0, !line.allSatisfy(\.isWhitespace) else { return line }
    let spaces = line.prefix { $0 == " " }.count
    if spaces >= min(scan.definition, 2) { return line.dropFirst(min(spaces, scan.definition)) }
    if scan.output.lastText.map({ $0.allSatisfy(\.isWhitespace) }) != false, PageLine(line).definition == nil {
      scan.endDefinition()
    }
    return line
  }

  /// Returns whether the line is a further definition of the same term. This is determined from the line above it.
  private func isMeaning(above index: Int, in lines: [Substring]) -> Bool {
    guard index > 0 else { return false }
    let above = PageLine(lines[index - 1])
    return above.isBlank || above.definition != nil || above.indent > 1
  }

  /// Removes and returns the term of a definition: the previous line, or the one before an empty line.
  private func removeTerm(_ scan: inout Scan) -> Substring? {
    guard var line = scan.output.removeLastText() else { return nil }
    var skipped = false
    if line.allSatisfy(\.isWhitespace), let above = scan.output.removeLastText() {
      skipped = true
      line = above
    }
    let isTerm = line.contains { !$0.isWhitespace } && !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("#")
    if isTerm, scan.definition == 0 || !skipped { return line[...] }
    // The line is a further definition of the same term, or it is not a definition.
    scan.output.add(line)
    if skipped { scan.output.add("") }
    return nil
  }

  /// Returns whether a line of a MyST page is a comment or a separator of cells, which are not shown.
  private func isDropped(_ line: PageLine) -> Bool {
    let rest = line.content
    guard context.isNotebook else { return false }
    if rest == "+++" || rest.hasPrefix("+++ ") || rest.hasPrefix("% ") || rest == "%" { return true }
    // The line between the header and the text of a card, and the fields of a page. Sources: sphinx-design, "Cards";
    // Sphinx, "Field Lists", "File-wide metadata".
    return rest.count >= 3 && rest.allSatisfy { $0 == "^" } || rest == ":orphan:" || rest == ":nosearch:"
  }

  private mutating func readFence(
    _ fence: PageLine.Fence, _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) {
    if index > 0 {
      // In kramdown, an element of HTML ends at its closing tag and not at the next empty line.
      let above = lines[index - 1].trimmingBlanks
      if above.hasPrefix("</"), above.hasSuffix(">"), !above.contains(" ") { scan.output.emit([line.blankLine]) }
    }
    index += 1
    var body: [Substring] = []
    while index < lines.count {
      let inner = PageLine(dedented(lines[index], &scan))
      index += 1
      if inner.closes(fence) { break }
      // A code block in a list or a block quote ends together with it, even if there is no closing fence.
      let isOutside = line.quoteDepth > inner.quoteDepth || scan.isInList && line.indent > 0 && inner.indent == 0
      if isOutside, !inner.isBlank || line.quoteDepth > 0 {
        index -= 1
        break
      }
      body.append(inner.removingPrefix(line))
    }
    guard let name = fence.directive else { return emitCode(body, fence, line, &scan) }
    var directive = Directive(name: name.name, argument: name.argument)
    directive.removeOptions(from: &body)
    directive.body = body
    emit(directive, before: line, isFence: true, &scan)
  }

  /// Emits a fenced code block below its title. In a code group, each code block is a tab.
  private func emitCode(_ body: [Substring], _ fence: PageLine.Fence, _ line: PageLine, _ scan: inout Scan) {
    var code = body.map { InlineReader.unescaped(String($0)) }
    let language = fence.language
    if !["md", "mdx", "markdown"].contains(language ?? "") { code = CodeBlockMarks.removed(from: code) }
    if open.last?.isCodeGroup == true, !line.hasListMarker {
      let tab = boxLines(Directive(name: "tab", argument: fence.tabLabel), .tab, before: line)
      return scan.output.emit(tab.lines + Self.code(code, language: language, before: line) + tab.closing)
    }
    guard let title = fence.title else { return scan.output.emit(Self.code(code, language: language, before: line)) }
    let prefix = line.continuationPrefix
    let below = line.hasListMarker ? PageLine((prefix + "x")[...]) : line
    scan.output.emit(
      startingInList(line) + [below.blankLine, prefix + CodeBlockMarks.line(forTitle: title), below.blankLine]
        + Self.code(code, language: language, before: below))
  }

  private mutating func readColons(
    _ opening: PageLine.Colons, _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) {
    index += 1
    guard let name = opening.name else {
      // A line of colons closes the innermost box. If no box is open, the line is removed.
      if let box = open.last, !box.endsByName {
        open.removeLast()
        scan.output.emit(box.closing)
      }
      return
    }
    var directive = Directive(name: name, argument: opening.argument, options: opening.attributes)
    // If the name is not in braces, "hint" is the collapsible block of The Carpentries.
    let role = name == "hint" && !opening.isInBraces ? .details("Hint") : DirectiveRole.of(name)
    guard Directive.holdsText(role) else {
      var body = removeColonBlock(lines, at: &index, opening.count, line)
      directive.removeOptions(from: &body)
      directive.body = body
      return emit(directive, before: line, &scan)
    }
    var options: [Substring] = []
    while opening.isInBraces, index < lines.count {
      let inner = PageLine(lines[index])
      guard inner.content.hasPrefix(":"), Directive.option(inner.content) != nil else { break }
      options.append(inner.content)
      index += 1
    }
    directive.removeOptions(from: &options)
    if role == nil { countLoss(directive, isTextKept: true) }
    var lead = startingInList(line)
    if directive.argument.isEmpty, Directive.showsTitle(role), let heading = removeHeading(lines, at: &index) {
      let (words, own) = Self.attributed(heading)
      directive.argument = words
      // Links to the heading lead to the box.
      let anchor = own ?? Anchor.make(from: PageMarkup.plainText(words, context.limits))
      lead += ["", line.continuationPrefix + "<a id=\"\(anchor.escapedForXML())\"></a>", ""]
    }
    if opening.isInBraces {
      addNumber(to: &directive)
      if let label = directive.options["label"] ?? directive.options["name"], !label.isEmpty {
        labels.insert(label)
        lead += ["", line.continuationPrefix + "<a id=\"\(label.escapedForXML())\"></a>", ""]
      }
    }
    let box = boxLines(directive, role ?? .container, before: line)
    scan.output.emit(lead + box.lines)
    open.append(OpenBox(closing: box.closing, isCodeGroup: name == "code-group"))
  }
}

extension PageMarkup {
  /// Removes and returns the heading at the beginning of a box, which becomes its title.
  func removeHeading(_ lines: [Substring], at index: inout Int) -> String? {
    var next = index
    while next < lines.count, lines[next].allSatisfy(\.isWhitespace) { next += 1 }
    guard next < lines.count else { return nil }
    let rest = PageLine(lines[next]).content
    let level = rest.prefix { $0 == "#" }.count
    guard (1...6).contains(level), rest.dropFirst(level).first?.isWhitespace == true else { return nil }
    index = next + 1
    return String(rest.dropFirst(level).trimmingBlanks)
  }

  /// Returns a heading without the attributes at its end, and the anchor in them: `Words {#anchor .class}`.
  static func attributed(_ heading: String) -> (words: String, anchor: String?) {
    guard heading.hasSuffix("}"), let open = heading.lastIndex(of: "{") else { return (heading, nil) }
    let attributes = Attributes(heading[open...].dropFirst().dropLast())
    guard attributes.identifier != nil || !attributes.classes.isEmpty else { return (heading, nil) }
    return (String(heading[..<open].trimmingBlanks), attributes.identifier)
  }

  /// Returns the lines up to the colons that close a directive, including nested directives. Moves `index` past the
  /// colons.
  func removeColonBlock(
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
      body.append(inner.removingPrefix(line))
    }
    return body
  }

  /// Returns the following lines that are indented by at least `indent` columns, with this indentation removed. Moves
  /// `index` past them.
  func removeIndentedBlock(_ lines: [Substring], at index: inout Int, beyond indent: Int) -> [Substring] {
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
  /// If a line of HTML begins an element that is declared to contain Markdown, the name of the element: `figure` for
  /// `<figure markdown>`. Otherwise `nil`.
  ///
  /// Source: Python-Markdown, "Markdown in HTML".
  var markdownElement: Substring? {
    guard content.first == "<", content.last == ">", quoteDepth == 0, !hasListMarker else { return nil }
    let name = content.dropFirst().prefix { $0.isLetter }
    let words = content.dropFirst(name.count + 1).dropLast().split(separator: " ")
    let saysSo = words.contains { $0 == "markdown" || $0.hasPrefix("markdown=") }
    return name.isEmpty || !saysSo || words.contains { $0.contains(">") } ? nil : name
  }
}

extension PageMarkup {
  /// Returns the plain text of Markdown.
  static func plainText(_ markdown: String, _ limits: SourceLimits) -> String {
    guard markdown.contains(where: { "*_`[<&\\{$!~".contains($0) }) else { return markdown.onOneLine }
    var marks = PageMarkup()
    let plain = marks.inline(markdown)
    let dialect = TextDialect(hasHeadingAttributes: true)
    let parsed = try? MarkdownText.parse(
      "# " + plain.replacing("\n", with: " "), file: "", limits: limits, dialect: dialect)
    if parsed?.blocks.count == 1, case .heading(_, let words, _) = parsed?.blocks.first?.block {
      return words.titleText
    }
    return parsed?.blocks.map(\.block).plainText.onOneLine ?? markdown.onOneLine
  }
}

extension [Inline] {
  /// The plain text of a title. Images, such as a logo before the name of a program, are left out if there is other
  /// text.
  var titleText: String {
    let words = map(\.textWithoutImages).joined().onOneLine
    return words.isEmpty ? plainText.onOneLine : words
  }
}

extension Inline {
  fileprivate var textWithoutImages: String {
    switch self {
    case .image: ""
    default: children.isEmpty ? plainText : children.map(\.textWithoutImages).joined()
    }
  }
}

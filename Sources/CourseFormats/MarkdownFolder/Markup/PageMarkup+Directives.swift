import LearningModel
import TextCanvas

/// A directive, a shortcode or a box of a page.
struct Directive {
  var name: String
  var argument = ""
  var options: [String: String] = [:]
  var body: [Substring] = []

  /// Returns whether the body of a fenced division with a role is parsed as text of the page.
  static func holdsText(_ role: DirectiveRole?) -> Bool {
    switch role {
    case nil, .admonition, .box, .exercise, .details, .quote, .tab, .tabs, .container: true
    default: false
    }
  }

  /// Returns whether a directive with a role has a title. A heading at the beginning of others is a heading of the page.
  static func showsTitle(_ role: DirectiveRole?) -> Bool {
    switch role {
    case .admonition, .box, .exercise, .details, .tab: true
    default: false
    }
  }

  /// The name without the prefix of a family: `tip` for `callout-tip`, `theorem` for `prf:theorem`.
  var kindName: String {
    let name = self.name.lowercased()
    let bare = name.hasPrefix("callout-") ? String(name.dropFirst("callout-".count)) : name
    return bare.split(separator: ":").last.map(String.init) ?? bare
  }

  /// Removes the options from the beginning of a body. Options are lines such as `:label: x`, or YAML between two lines
  /// of hyphens.
  mutating func removeOptions(from body: inout [Substring]) {
    if body.first?.trimmingBlanks == "---", let end = body.dropFirst().firstIndex(where: { $0.trimmingBlanks == "---" })
    {
      for line in body[1..<end] {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let value = line[line.index(after: colon)...].trimmingBlanks
        options[String(line[..<colon].trimmingBlanks)] = String(value)
      }
      body.removeFirst(end + 1)
      return
    }
    while let line = body.first, let (name, value) = Self.option(line.trimmingBlanks) {
      options[name] = value
      body.removeFirst()
    }
    while body.first?.allSatisfy(\.isWhitespace) == true { body.removeFirst() }
  }

  /// Parses `:name: value`.
  static func option(_ line: Substring) -> (name: String, value: String)? {
    guard line.first == ":", let end = line.dropFirst().firstIndex(of: ":") else { return nil }
    let name = line[line.index(after: line.startIndex)..<end]
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }) else { return nil }
    return (String(name), String(line[line.index(after: end)...].trimmingBlanks))
  }
}

extension PageMarkup {
  /// Emits the lines that replace a directive.
  mutating func emit(_ written: Directive, before line: PageLine, isFence: Bool = false, _ scan: inout Scan) {
    var directive = written
    addNumber(to: &directive)
    if let label = directive.options["label"] ?? directive.options["name"], !label.isEmpty {
      labels.insert(label)
      scan.output.emit([
        line.blankLine, line.continuationPrefix + "<a id=\"\(label.escapedForXML())\"></a>", line.blankLine,
      ])
    }
    let role = DirectiveRole.of(directive.name)
    switch role {
    case .beginning(let what):
      let role: DirectiveRole = what == .exercise ? .exercise("Exercise") : .details("Solution")
      var shown = directive
      shown.name = what == .exercise ? "exercise" : "solution"
      // The label of an exercise that is not on the page is not shown.
      if what == .solution, shown.argument == written.argument { shown.argument = "" }
      let box = boxLines(shown, role, before: line)
      scan.output.emit(startingInList(line) + box.lines)
      open.append(OpenBox(closing: box.closing, endsByName: true))
    case .ending:
      if scan.depth == 0, !open.contains(where: \.endsByName) { endsUnbegun = true }
      while let box = open.popLast() {
        scan.output.emit(box.closing)
        if box.endsByName { break }
      }
    case nil where isFence && DirectiveRole.languages.contains(directive.name.lowercased()):
      let body = directive.body.filter { !$0.hasPrefix("#|") }.map(String.init)
      scan.output.emit(Self.code(body, language: directive.name.lowercased(), before: line))
    default:
      var lines = startingInList(line)
      if role == nil { countLoss(directive, isTextKept: !directive.body.isEmpty) }
      lines += replacementLines(directive, role ?? .container, before: line, depth: scan.depth)
      scan.output.emit(lines)
    }
  }

  /// Returns the line with the list marker if the box begins directly after a list marker. Otherwise returns no lines.
  func startingInList(_ line: PageLine) -> [String] {
    line.hasListMarker ? [line.prefix + "<!-- -->"] : []
  }

  /// Returns the lines that replace a directive.
  private mutating func replacementLines(
    _ directive: Directive, _ role: DirectiveRole, before line: PageLine, depth: Int
  ) -> [String] {
    let before = line.continuationPrefix
    func placed(_ text: String) -> [String] {
      [line.blankLine] + text.split(separator: "\n", omittingEmptySubsequences: false).map { before + $0 } + [
        line.blankLine
      ]
    }
    /// Returns the caption of code.
    func caption() -> [String] {
      let words = directive.options["caption"] ?? ""
      return words.isEmpty ? [] : placed("<em>\(inlineCopy(words.quoteless))</em>")
    }
    let body = directive.body.joined(separator: "\n")
    switch role {
    case .code:
      let named = directive.argument.isEmpty ? directive.options["lang"] : directive.argument
      return caption() + Self.code(directive.body.map(String.init), language: named?.firstWord, before: line)
    case .cell:
      let tags = directive.options["tags"] ?? ""
      if tags.contains("remove-cell") || tags.contains("remove-input") {
        findings.countLoss("hidden cell", "left out")
        return []
      }
      let language = context.codeLanguage ?? (directive.argument.isEmpty ? "python" : directive.argument.firstWord)
      let code = Self.code(directive.body.map(String.init), language: language, before: line)
      // The caption of the figure that the code computes.
      guard let caption = directive.options["caption"], !caption.isEmpty else { return code }
      let number = directive.options["number"].map { $0 + ": " } ?? ""
      return code + placed("*\(number)\(inlineCopy(caption.quoteless))*")
    case .source(let language):
      let code = directive.body.isEmpty ? [directive.argument] : directive.body.map(String.init)
      return Self.code(code, language: language, before: line)
    case .image:
      let source = directive.argument.isEmpty ? directive.options["src"] ?? "" : directive.argument
      let words = directive.options["alt"] ?? directive.options["caption"] ?? directive.options["title"] ?? ""
      var caption = body.isEmpty ? directive.options["caption"] ?? "" : body
      if let number = directive.options["number"], !caption.isEmpty { caption = "\(number): \(caption)" }
      return placed("![\(words.withoutBrackets)](<\(source)>)\n\n" + expanded(caption, depth: depth + 1))
    case .listTable:
      let header = directive.options["header-rows"].flatMap { Int($0) } ?? 0
      let marker = ListTable.marker(headerRows: header, caption: directive.argument)
      return placed("<blockquote>\n\n\(marker)\n\n\(expanded(body, depth: depth + 1))\n\n</blockquote>")
    case .glossary: return placed(expanded(glossary(directive.body), depth: depth + 1))
    case .lines:
      let lines = directive.body.map { String($0.trimmingBlanks) }
      let broken = lines.indices.map { index in
        let isLast = index + 1 == lines.count || lines[index + 1].isEmpty
        return isLast || lines[index].isEmpty ? lines[index] : lines[index] + "\\"
      }
      return placed(expanded(broken.joined(separator: "\n"), depth: depth + 1))
    case .button:
      let words = body.isEmpty ? directive.argument : body.onOneLine
      return placed("[\(words.withoutBrackets)](<\(directive.argument)>)")
    case .commaTable: return placed(CommaTable.markdown(of: directive.body.map(String.init)))
    case .listing:
      guard includes.error == nil, let file = context.text(directive.argument), includes.count(file.text.utf8.count)
      else {
        return placed(missing(directive.argument))
      }
      if TeachingFile.kind(of: file.path) != nil { included.insert(file.path) }
      let language =
        directive.options["language"] ?? SourcePath.name(of: file.path).split(separator: ".").last.map(String.init)
      return caption()
        + Self.code(
          file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), language: language,
          before: line)
    case .include:
      let name = directive.argument.quoteless
      guard includes.error == nil, let file = context.text(name) else { return placed(missing(name)) }
      guard includes.open(file.path, size: file.text.utf8.count, &findings) else {
        findings.countLoss("include that includes itself", "shown as its name")
        return placed("<em>Included in itself: \(name.escapedForXML())</em>")
      }
      defer { includes.close() }
      included.insert(file.path)
      var inner = Findings()
      let matter = PageFrontMatter(file.text, file: file.path, limits: context.limits, findings: &inner)
      return placed(expanded(page: matter.body, depth: depth + 1))
    case .embedded(let what):
      findings.countLoss(what, "shown as a link")
      return placed(Self.link(to: directive, what: what))
    case .reference: return placed("[\(directive.argument)](\(directive.argument))")
    case .unsupported(let what):
      findings.countLoss(what, "left out")
      return []
    default:
      let box = boxLines(directive, role, before: line)
      return box.lines + placed(expanded(body, depth: depth + 1)) + box.closing
    }
  }

  /// Returns the opening and closing lines of the box of a directive that contains text.
  func boxLines(_ directive: Directive, _ role: DirectiveRole, before line: PageLine) -> (
    lines: [String], closing: [String]
  ) {
    let (before, air) = (line.continuationPrefix, line.blankLine)
    let title = directive.argument.trimmingPrefix(while: \.isWhitespace)
    func framed(_ name: String, _ title: some StringProtocol) -> (lines: [String], closing: [String]) {
      element("div class=\"admonition \(name)\"", title)
    }
    func element(_ element: String, _ title: some StringProtocol) -> (lines: [String], closing: [String]) {
      let words = inlineCopy(String(title))
      let span = "<span class=\"\(Alerts.titleClass)\">\(words)</span>"
      return (
        [air, before + "<\(element)>", air] + (words.isEmpty ? [] : [before + span, air]),
        [air, before + "</\(element.firstWord)>", air]
      )
    }
    func closed(_ title: String) -> (lines: [String], closing: [String]) {
      let words = PageMarkup.plainText(title, context.limits)
      return (
        [air, before + "<details>", before + "<summary>\(words.escapedForXML())</summary>", air],
        [air, before + "</details>", air]
      )
    }
    let options = directive.options
    let isClosed =
      (options["class"] ?? "").contains("dropdown") || options["collapsible"] != nil || options["collapse"] == "true"
    // Some themes have one shortcode for all kinds of frames. Its argument names the kind: "hint warning", "callout
    // type=info".
    let isKind = !title.isEmpty && title == title.lowercased()
    let classes = (options["class"] ?? "").split(separator: " ").map(String.init)
    let kind = ([options["type"], options["style"], options["color"], isKind ? String(title) : nil] + classes)
      .lazy.compactMap { $0?.lowercased() }.first { DirectiveRole.of($0)?.label != nil }
    switch role {
    case .admonition(let label):
      let words = kind != nil && isKind ? "" : String(title)
      if options["untitled"] != nil { return framed("", "") }
      let shown = kind.flatMap { DirectiveRole.of($0)?.label } ?? label
      if isClosed { return closed(words.isEmpty ? shown : "\(shown): \(words)") }
      return framed(kind ?? directive.kindName, words)
    case .box:
      var words = isKind && kind != nil ? "" : title.isEmpty ? options["title"] ?? "" : String(title)
      if isClosed { return closed(words.isEmpty ? "More" : words) }
      if directive.name == "grid-item-card", let link = options["link"], !words.isEmpty {
        let scheme = options["link-type"] == "ref" ? LinkScheme.label : ""
        words = "[\(words.withoutBrackets)](<\(scheme)\(link)>)"
      }
      return framed(kind ?? "", words)
    case .exercise: return framed(directive.kindName, title)
    case .details(let label):
      return closed(title.isEmpty ? options["summary"] ?? options["title"] ?? label : String(title))
    case .tab:
      let label =
        title.isEmpty
        ? options["label"] ?? options["name"] ?? options["header"] ?? options["title"] ?? "" : String(title)
      return element("tabitem", label)
    case .tabs: return element("tabs", "")
    case .quote: return ([air, before + "<blockquote>", air], [air, before + "</blockquote>", air])
    default:
      let isLayout = title.isEmpty || Self.layouts.contains(directive.name.lowercased())
      return (isLayout ? [air] : [air, before + inlineCopy(String(title)), air], [air])
    }
  }

  /// The containers whose arguments are numbers of columns, classes or formats, which are not shown.
  ///
  /// Sources: sphinx-design, "Grids"; MyST-Parser, "Dividers and blocks"; Docutils, "Container".
  private static let layouts: Set<String> = ["grid", "div", "container", "only"]

  /// Returns a title with its markup expanded. Losses in the title are not counted.
  func inlineCopy(_ text: String) -> String {
    var copy = self
    return copy.inline(text)
  }

  // MARK: Fragments of output

  mutating func countLoss(_ directive: Directive, isTextKept: Bool) {
    findings.countLoss("directive \(quoted: directive.name.onOneLine)", isTextKept ? "shown as its text" : "left out")
  }

  private mutating func missing(_ name: String) -> String {
    findings.countLoss("missing include", "shown as its name")
    return "<em>Not in the folder: \(name.escapedForXML())</em>"
  }

  /// Returns a fenced code block. The fence is longer than any run of backticks in the code.
  static func code(_ lines: [String], language: String?, before line: PageLine) -> [String] {
    let longest = lines.joined(separator: "\n").longestRun(of: "`")
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return [line.prefix + fence + (language ?? "")] + lines.map { line.continuationPrefix + $0 } + [
      line.continuationPrefix + fence
    ]
  }

  /// Returns a link to embedded content.
  static func link(to directive: Directive, what: String) -> String {
    let word = what.prefix(1).uppercased() + what.dropFirst()
    let id = directive.options["id"] ?? directive.argument.firstWord
    let address: String =
      switch directive.name.lowercased() {
      case "youtube": "https://www.youtube.com/watch?v=\(id)"
      case "vimeo": "https://vimeo.com/\(id)"
      case "gist":
        "https://gist.github.com/" + directive.argument.split(separator: " ").prefix(2).joined(separator: "/")
      default: directive.options["src"] ?? directive.options["url"] ?? id
      }
    let words = directive.options["title"] ?? String(word)
    return "[\(words.withoutBrackets)](<\(address)>)"
  }
}

extension String {
  /// The text up to the first blank.
  var firstWord: String { split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "" }

  /// The text without surrounding quotation marks.
  var quoteless: String {
    trimmingPrefix("\"").description.hasSuffix("\"") ? String(trimmingPrefix("\"").dropLast()) : self
  }

  /// The text with brackets replaced by parentheses, for use as the text of a link.
  var withoutBrackets: String { onOneLine.replacing("[", with: "(").replacing("]", with: ")") }

  /// Returns the length of the longest run of a character.
  fileprivate func longestRun(of character: Character) -> Int {
    var longest = 0
    var run = 0
    for one in self {
      run = one == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

import LearningModel

extension PageMarks.Directive {
  /// Whether the text of a division between colons is read on as the page's own.
  static func holdsText(_ role: DirectiveRole?) -> Bool {
    switch role {
    case nil, .admonition, .box, .exercise, .details, .quote, .tab, .tabs, .container: true
    default: false
    }
  }

  /// The name of its kind, without that of a family in front: `callout-tip`, `prf:theorem`.
  var kindName: String {
    let name = self.name.lowercased()
    let bare = name.hasPrefix("callout-") ? String(name.dropFirst("callout-".count)) : name
    return bare.split(separator: ":").last.map(String.init) ?? bare
  }

  /// Takes the options off the beginning of a body: lines such as `:label: x`, or YAML between two lines of hyphens.
  mutating func takeOptions(from body: inout [Substring]) {
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

  /// Reads `:name: value`.
  static func option(_ line: Substring) -> (name: String, value: String)? {
    guard line.first == ":", let end = line.dropFirst().firstIndex(of: ":") else { return nil }
    let name = line[line.index(after: line.startIndex)..<end]
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }) else { return nil }
    return (String(name), String(line[line.index(after: end)...].trimmingBlanks))
  }
}

extension PageMarks {
  /// Shows what a directive says in its place.
  mutating func emit(_ directive: Directive, before line: PageLine, isFence: Bool = false, _ scan: inout Scan) {
    if let label = directive.options["label"] ?? directive.options["name"], !label.isEmpty {
      labels.insert(label)
      scan.emit([line.air, line.before + "<a id=\"\(label.escapedForHTML)\"></a>", line.air])
    }
    let role = DirectiveRole.of(directive.name)
    switch role {
    case .beginning(let what):
      let role: DirectiveRole = what == .exercise ? .exercise("Exercise") : .details("Solution")
      var shown = directive
      shown.name = what == .exercise ? "exercise" : "solution"
      // The label of the exercise that a solution is for says nothing to a reader.
      if what == .solution { shown.argument = "" }
      let box = boxLines(shown, role, before: line)
      scan.emit(begun(line) + box.lines)
      open.append(OpenBox(closing: box.closing, endsByName: true))
    case .ending:
      if scan.depth == 0, !open.contains(where: \.endsByName) { endsUnbegun = true }
      while let box = open.popLast() {
        scan.emit(box.closing)
        if box.endsByName { break }
      }
    case nil where isFence && DirectiveRole.languages.contains(directive.name.lowercased()):
      let body = directive.body.filter { !$0.hasPrefix("#|") }.map(String.init)
      scan.emit(Self.code(body, language: directive.name.lowercased(), before: line))
    default:
      var lines = begun(line)
      if role == nil { lose(directive, isTextKept: !directive.body.isEmpty) }
      lines += shown(directive, role ?? .container, before: line, depth: scan.depth)
      scan.emit(lines)
    }
  }

  /// The line with a list's mark where a box begins behind one.
  func begun(_ line: PageLine) -> [String] {
    line.hasListMark ? [line.prefix + "<!-- -->"] : []
  }

  /// The lines that stand in a directive's place.
  private mutating func shown(
    _ directive: Directive, _ role: DirectiveRole, before line: PageLine, depth: Int
  ) -> [String] {
    let before = line.before
    func placed(_ text: String) -> [String] {
      [line.air] + text.split(separator: "\n", omittingEmptySubsequences: false).map { before + $0 } + [line.air]
    }
    let body = directive.body.joined(separator: "\n")
    switch role {
    case .code:
      let named = directive.argument.isEmpty ? directive.options["lang"] : directive.argument
      return Self.code(directive.body.map(String.init), language: named?.firstWord, before: line)
    case .cell:
      let tags = directive.options["tags"] ?? ""
      if tags.contains("remove-cell") || tags.contains("remove-input") {
        findings.lose("hidden cell", "left out")
        return []
      }
      let language = context.codeLanguage ?? (directive.argument.isEmpty ? "python" : directive.argument.firstWord)
      return Self.code(directive.body.map(String.init), language: language, before: line)
    case .source(let language):
      let code = directive.body.isEmpty ? [directive.argument] : directive.body.map(String.init)
      return Self.code(code, language: language, before: line)
    case .picture:
      let source = directive.argument.isEmpty ? directive.options["src"] ?? "" : directive.argument
      let words = directive.options["alt"] ?? directive.options["caption"] ?? directive.options["title"] ?? ""
      let caption = body.isEmpty ? directive.options["caption"] ?? "" : body
      return placed("![\(words.withoutBrackets)](<\(source)>)\n\n" + expanded(caption, depth: depth + 1))
    case .listTable:
      let header = directive.options["header-rows"].flatMap { Int($0) } ?? 0
      let marker = ListTable.mark(headerRows: header, caption: directive.argument)
      return placed("<blockquote>\n\n\(marker)\n\n\(expanded(body, depth: depth + 1))\n\n</blockquote>")
    case .commaTable: return placed(CommaTable.markdown(of: directive.body.map(String.init)))
    case .listing:
      guard let file = context.text(directive.argument) else { return placed(missing(directive.argument)) }
      let language =
        directive.options["language"] ?? SourcePath.name(of: file.path).split(separator: ".").last.map(String.init)
      return Self.code(
        file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), language: language,
        before: line)
    case .include:
      let name = directive.argument.quoteless
      guard let file = context.text(name), !included.contains(file.path) || depth < 8 else {
        return placed(missing(name))
      }
      included.insert(file.path)
      var inner = Findings()
      let matter = PageMatter(file.text, file: file.path, limits: context.limits, findings: &inner)
      return placed(expanded(matter.body, depth: depth + 1))
    case .embedded(let what):
      findings.lose(what, "linked to")
      return placed(Self.link(to: directive, what: what))
    case .reference: return placed("[\(directive.argument)](\(directive.argument))")
    case .lost(let what):
      findings.lose(what, "left out")
      return []
    default:
      let box = boxLines(directive, role, before: line)
      return box.lines + placed(expanded(body, depth: depth + 1)) + box.closing
    }
  }

  /// What begins and ends the box of a directive that holds text.
  func boxLines(_ directive: Directive, _ role: DirectiveRole, before line: PageLine) -> (
    lines: [String], closing: [String]
  ) {
    let (before, air) = (line.before, line.air)
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
      let words = PageMarks.words(title, context.limits)
      return (
        [air, before + "<details>", before + "<summary>\(words.escapedForHTML)</summary>", air],
        [air, before + "</details>", air]
      )
    }
    let options = directive.options
    let isClosed = (options["class"] ?? "").contains("dropdown") || options["collapsible"] != nil
    // Themes have one shortcode for all kinds, and name the kind in it: "hint warning", "callout type=info".
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
      let words = isKind && kind != nil ? "" : title.isEmpty ? options["title"] ?? "" : String(title)
      if isClosed { return closed(words.isEmpty ? "More" : words) }
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
    default: return (title.isEmpty ? [air] : [air, before + inlineCopy(String(title)), air], [air])
    }
  }

  /// A title with its marks expanded. What is lost in it is in the text's own count already or too small to count.
  private func inlineCopy(_ text: String) -> String {
    var copy = self
    return copy.inline(text)
  }

  // MARK: Small parts

  mutating func lose(_ directive: Directive, isTextKept: Bool) {
    findings.lose("directive '\(directive.name.onOneLine)'", isTextKept ? "its text is shown" : "left out")
  }

  private mutating func missing(_ name: String) -> String {
    findings.lose("missing include", "named in the text")
    return "<em>Not in the folder: \(name.escapedForHTML)</em>"
  }

  /// Program text between back-ticks, as many as it takes.
  static func code(_ lines: [String], language: String?, before line: PageLine) -> [String] {
    let longest = lines.joined(separator: "\n").longestRun(of: "`")
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return [line.prefix + fence + (language ?? "")] + lines.map { line.before + $0 } + [line.before + fence]
  }

  /// What Hugo's pages write so that a shortcode is shown and not run, as it is shown.
  static func unescaped(_ code: String) -> String {
    guard code.contains("{{") else { return code }
    return code.replacing("{{</*", with: "{{<").replacing("*/>}}", with: ">}}").replacing("{{%/*", with: "{{%")
      .replacing("*/%}}", with: "%}}")
  }

  /// A link to what plays elsewhere.
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

  /// The text without quotation marks around it.
  var quoteless: String {
    trimmingPrefix("\"").description.hasSuffix("\"") ? String(trimmingPrefix("\"").dropLast()) : self
  }

  /// The text as it may stand between brackets.
  var withoutBrackets: String { onOneLine.replacing("[", with: "(").replacing("]", with: ")") }

  /// How often a character stands in a row at most.
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

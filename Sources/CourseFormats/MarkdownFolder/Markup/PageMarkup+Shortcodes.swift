import LearningModel
import TextCanvas

extension PageMarkup {
  /// Returns the names of the shortcodes and Liquid tags that have a closing tag on the page.
  static func endedShortcodes(in text: String) -> Set<String> {
    var names: Set<String> = []
    var reader = InlineReader(text)
    while let brace = reader.find("{") {
      reader.skip(to: brace + 1)
      let isShortcode = reader.starts(with: "{<") || reader.starts(with: "{%")
      guard isShortcode || reader.starts(with: "%") else { continue }
      let inside = reader.text(from: brace + (isShortcode ? 3 : 2), to: brace + 80)
      let words = inside.drop { $0 == " " || $0 == "-" }
      let mark = isShortcode ? "/" : "end"
      guard words.hasPrefix(mark) else { continue }
      let name = words.dropFirst(mark.count).drop { $0 == " " }
      names.insert(String(name.prefix { $0.isLetter || $0.isNumber || "_-./".contains($0) }))
    }
    return names
  }

  // MARK: Hugo

  /// Reads a shortcode of the form `{{< name … >}}` or `{{% name … %}}`. A shortcode whose content is between `/*` and
  /// `*/` is shown as code.
  mutating func readShortcode(_ reader: inout InlineReader) -> Bool {
    let isAngled = reader.starts(with: "{{<")
    let ending = isAngled ? ">}}" : "%}}"
    guard let end = reader.find(ending, within: 20_000) else {
      // The shortcode is not closed, so its opening delimiter is removed.
      findings.countLoss("shortcode", "left out")
      reader.skip(to: reader.position + 3)
      return true
    }
    let start = reader.position
    var inside = reader.text(from: start + 3, to: end).trimmingCharacters
    reader.skip(to: end + 3)
    if inside.hasPrefix("/*") {
      reader.write(Self.codeSpan(InlineReader.unescaped(reader.text(from: start, to: end + 3)).onOneLine))
      return true
    }
    if inside.hasPrefix("/") {
      close(inside.dropFirst().trimmingBlanks.description.firstWord, &reader)
      return true
    }
    let isClosed = inside.hasSuffix("/")
    if isClosed { inside.removeLast() }
    guard let directive = Self.directive(inside) else {
      findings.countLoss("shortcode", "left out")
      return true
    }
    if ["var", "meta"].contains(directive.name), let value = context.projectValue(of: directive.argument) {
      reader.write(value)
    } else if directive.name == "param", let value = context.substitutions[directive.argument.lowercased()] {
      reader.write(value)
    } else {
      let closer = "{{\(isAngled ? "<" : "%")"
      show(directive, isPaired: !isClosed && pairedShortcodes.contains(directive.name), kind: "shortcode", &reader) {
        reader in
        Self.bodyEnd(in: reader, closer: closer, name: directive.name, ending: ending)
      }
    }
    return true
  }

  /// Returns the end of a shortcode's body and the position after its closing tag, or `nil` if the shortcode is not
  /// closed.
  private static func bodyEnd(
    in whole: InlineReader, closer: String, name: String, ending: String
  ) -> (end: Int, next: Int)? {
    var reader = whole
    var index = reader.position
    while let found = reader.find(closer, after: index), let end = reader.find(ending, after: found, within: 200) {
      let inside = reader.text(from: found + 3, to: end).trimmingCharacters
      if inside.hasPrefix("/"), inside.dropFirst().trimmingBlanks == name { return (found, end + 3) }
      index = found + 3
    }
    return nil
  }

  /// Parses the name, the named arguments and the positional arguments of a shortcode.
  private static func directive(_ text: String) -> Directive? {
    let words = text[...].shellWords
    guard let name = words.first, !name.isEmpty else { return nil }
    var directive = Directive(name: name)
    var others: [String] = []
    for word in words.dropFirst() {
      if let equals = word.firstIndex(of: "="),
        word[..<equals].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }),
        equals != word.startIndex
      {
        directive.options[String(word[..<equals])] = String(word[word.index(after: equals)...])
      } else {
        others.append(word)
      }
    }
    directive.argument = others.joined(separator: " ")
    return directive
  }

  // MARK: Liquid

  /// Reads a Liquid tag of the form `{% name … %}`, as in Jekyll and GitBook.
  mutating func readLiquid(_ reader: inout InlineReader) -> Bool {
    guard let end = reader.find("%}", within: 2_000) else { return false }
    var inside = reader.text(from: reader.position + 2, to: end).trimmingCharacters
    if inside.hasPrefix("-") { inside.removeFirst() }
    if inside.hasSuffix("-") { inside.removeLast() }
    guard let directive = Self.directive(inside), directive.name.first?.isLetter == true else { return false }
    reader.skip(to: end + 2)
    let name = directive.name
    let isPaired = pairedShortcodes.contains(name)
    func body(_ whole: InlineReader) -> (end: Int, next: Int)? {
      var reader = whole
      guard isPaired, let found = reader.find("{%", endingIn: "end" + name) else { return nil }
      return reader.find("%}", after: found).map { (found, $0 + 2) }
    }
    switch name {
    case "raw":
      if let (end, next) = body(reader) {
        reader.write(reader.text(from: reader.position, to: end))
        reader.skip(to: next)
      }
    case "comment":
      if let (_, next) = body(reader) { reader.skip(to: next) }
    case "link": reader.write("/" + directive.argument.firstWord)
    // The address of a post depends on its date and its categories, so the link is resolved by its name.
    case "post_url": reader.write(LinkScheme.page + SourcePath.name(of: directive.argument.firstWord))
    case _ where name.hasPrefix("end"): close(String(name.dropFirst(3)), &reader)
    case "code", "content-ref", "stepper", "step", "column", "columns":
      // These tags of GitBook contain a code block or a link, which needs no conversion.
      if let title = directive.options["title"], !title.isEmpty { reader.write("*\(title)*\n\n") }
      openShortcodes.append((name, []))
    case "embed" where directive.options["url"] != nil:
      findings.countLoss("embedded page", "shown as a link")
      reader.write("<\(directive.options["url"] ?? "")>")
    case "file" where directive.options["src"] != nil:
      findings.countLoss("file to download", "shown as its name")
      reader.write("*\(SourcePath.name(of: directive.options["src"] ?? ""))*\n\n")
      if isPaired { openShortcodes.append((name, [])) }
    case "include": readInclude(directive, &reader)
    default:
      show(directive, isPaired: isPaired, kind: "Liquid tag", &reader, body: body)
    }
    return true
  }

  /// Reads an include of Jekyll, which is shown as an image or by the text in its parameters. The included templates
  /// are not read, because they are programs for the web site.
  ///
  /// Source: Jekyll, "Includes"; Minimal Mistakes, "Helpers".
  private mutating func readInclude(_ directive: Directive, _ reader: inout InlineReader) {
    let options = directive.options
    let words = ["caption", "content", "text", "title", "alt"].lazy.compactMap { options[$0] }.first { !$0.isEmpty }
    if let source = options["image_path"] ?? options["src"] ?? options["file"] ?? options["url"],
      ["figure", "image", "img"].contains(where: directive.argument.firstWord.contains)
    {
      reader.write("![\((options["alt"] ?? words ?? "").withoutBrackets)](<\(source)>)")
      if let caption = options["caption"], !caption.isEmpty { reader.write("\n\n*\(caption)*\n\n") }
    } else if let words {
      findings.countLoss("include of Jekyll", "the text in its parameters is shown")
      reader.write(words)
    } else {
      show(directive, isPaired: false, kind: "Liquid tag", &reader) { _ in nil }
    }
  }

  // MARK: Shortcodes and Liquid tags

  private mutating func close(_ name: String, _ reader: inout InlineReader) {
    guard let index = openShortcodes.lastIndex(where: { $0.name == name }) else { return }
    for box in openShortcodes[index...].reversed() where !box.closing.isEmpty {
      reader.write("\n\n" + box.closing.joined(separator: "\n") + "\n\n")
    }
    openShortcodes.removeSubrange(index...)
  }

  /// Emits the replacement of a shortcode, or opens its box.
  private mutating func show(
    _ directive: Directive, isPaired: Bool, kind: String, _ reader: inout InlineReader,
    body: (InlineReader) -> (end: Int, next: Int)?
  ) {
    guard let role = DirectiveRole.of(directive.name) else {
      findings.countLoss("\(kind) \(quoted: directive.name.onOneLine)", isPaired ? "shown as its text" : "left out")
      if isPaired { openShortcodes.append((directive.name, [])) }
      return
    }
    let line = PageLine("")
    if Directive.holdsText(role) {
      guard isPaired else {
        // An admonition inside a line is a short remark, such as "new in version 1.2".
        if case .admonition(let label) = role {
          let words = "\(label) \(directive.argument)".onOneLine
          reader.write("<em>(\(words.escapedForXML()))</em>")
        } else {
          findings.countLoss("\(kind) \(quoted: directive.name.onOneLine)", "left out")
        }
        return
      }
      let box = boxLines(directive, role, before: line)
      reader.write(box.lines.joined(separator: "\n") + "\n")
      openShortcodes.append((directive.name, box.closing))
      return
    }
    var whole = directive
    if isPaired, let (end, next) = body(reader) {
      let text = reader.text(from: reader.position, to: end)
      whole.body = text.split(separator: "\n", omittingEmptySubsequences: false)
      while whole.body.first?.allSatisfy(\.isWhitespace) == true { whole.body.removeFirst() }
      while whole.body.last?.allSatisfy(\.isWhitespace) == true { whole.body.removeLast() }
      if directive.name == "code-toggle" { whole.argument = Self.configurationLanguage(of: text) }
      reader.skip(to: next)
    }
    if role == .reference { return reader.write(directive.argument) }
    if role == .image {
      let source = directive.options["src"] ?? directive.argument.firstWord
      let words = directive.options["alt"] ?? directive.options["caption"] ?? directive.options["title"] ?? ""
      return reader.write("![\(words.withoutBrackets)](<\(source)>)")
    }
    var scan = Scan(depth: 1)
    emit(whole, before: line, &scan)
    let shown = scan.output.segments.flatMap(\.lines).joined(separator: "\n")
    if !shown.isEmpty { reader.write("\n" + shown + "\n") }
  }

  /// Returns the configuration language of a text: `json`, `toml` or `yaml`.
  private static func configurationLanguage(of text: String) -> String {
    if text.trimmingCharacters.hasPrefix("{") { return "json" }
    let isTOML = text.split(separator: "\n").contains { line in
      let words = line.trimmingBlanks
      return words.hasPrefix("[") || words.firstIndex(of: "=").map { !words[..<$0].contains(":") } ?? false
    }
    return isTOML ? "toml" : "yaml"
  }
}

extension InlineReader {
  /// Returns the position of the next tag that begins with `opening` and then `name`.
  fileprivate mutating func find(_ opening: String, endingIn name: String) -> Int? {
    var index = position
    while let found = find(opening, after: index) {
      let words = text(from: found + opening.utf8.count, to: found + opening.utf8.count + 80)
        .trimmingCharacters.drop { $0 == "-" }.trimmingBlanks
      if words.hasPrefix(name) { return found }
      index = found + 2
    }
    return nil
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmingCharacters: String { String(self[...].trimmingBlanks) }
}

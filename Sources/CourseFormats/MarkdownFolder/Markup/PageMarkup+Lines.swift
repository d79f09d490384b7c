import LearningModel

/// Markup of single lines: headings, callouts of docsify, and lines that a generator replaces by a file or a list.
extension PageMarkup {
  /// Returns the line of a heading without the markup of site generators.
  mutating func withoutHeadingMarkup(_ heading: (marks: Substring, text: Substring), _ line: PageLine) -> String {
    let markup = HeadingMarkup(heading.text, isMDX: componentSyntax != .none)
    for tag in markup.removedTags { findings.countLoss(tag, "left out") }
    guard markup.text != heading.text else { return String(line.fullLine) }
    return line.prefix + heading.marks + " " + markup.withIdentifier
  }

  /// Reads a line that a site generator replaces. Returns `false` for other lines.
  mutating func readGeneratorLine(
    _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) -> Bool {
    if let directive = line.fileDirective {
      index += 1
      emit(directive, before: line, &scan)
      return true
    }
    if line.content.hasPrefix("?> ") || line.content.hasPrefix("!> ") {
      // Source: docsify, "Doc helper".
      var directive = Directive(name: line.content.first == "?" ? "tip" : "important")
      directive.body = [line.content.dropFirst(3)]
      index += 1
      while index < lines.count, !PageLine(lines[index]).isBlank {
        directive.body.append(PageLine(lines[index]).removingPrefix(line))
        index += 1
      }
      emit(directive, before: line, &scan)
      return true
    }
    guard let loss = line.generatedContent, !context.isPage(String(line.content.dropFirst(2).dropLast(2))) else {
      return false
    }
    findings.countLoss(loss, "left out")
    scan.output.add("")
    index += 1
    // The options of generated references are indented lists.
    guard loss == "generated reference" else { return true }
    while index < lines.count, PageLine(lines[index]).indent > 0, PageLine(lines[index]).hasListMarker { index += 1 }
    return true
  }
}

extension PageLine {
  /// The content that a generator inserts in place of the line, in the singular; `nil` for other lines.
  ///
  /// Sources: Python-Markdown, "Table of Contents"; VitePress, "Table of Contents"; Hugging Face doc-builder.
  fileprivate var generatedContent: String? {
    guard content.first == "[", !hasListMarker else { return nil }
    if content.hasPrefix("[[autodoc]] ") { return "generated reference" }
    switch content.lowercased() {
    case "[[toc]]", "[toc]", "[[_toc_]]": return "list of contents"
    case "[[open-in-colab]]": return "link to a notebook"
    default: return nil
    }
  }

  /// The directive for a line that includes a file; `nil` for other lines.
  ///
  /// Sources: docsify, "Embed files"; VitePress, "Import Code Snippets" and "Markdown File Inclusion"; VuePress,
  /// "Import Code Blocks"; PyMdown Extensions, "Snippets".
  fileprivate var fileDirective: Directive? {
    switch content.first {
    case "[": docsifyFile
    case "<" where content.hasPrefix("<<< "): Self.file("literalinclude", content.dropFirst(4))
    case "<" where content.hasPrefix("<!--") && content.hasSuffix("-->"):
      content.dropFirst(4).dropLast(3).trimmingBlanks.removing(prefix: "@include:").flatMap { Self.file("include", $0) }
    case "@" where content.hasPrefix("@[code"):
      content.firstRange(of: "](").flatMap { range in
        content.last == ")" ? Self.file("literalinclude", content[range.upperBound...].dropLast()) : nil
      }
    case "-" where content.hasPrefix("--8<-- \""):
      Self.file("include", content.dropFirst(8).prefix { $0 != "\"" })
    default: nil
    }
  }

  /// Returns the directive for a path. A region, a range of lines and a language after the path are ignored. Returns
  /// `nil` if the path is empty.
  private static func file(_ name: String, _ path: Substring) -> Directive? {
    let bare = path.trimmingBlanks.prefix { !"{#".contains($0) && !$0.isWhitespace }
    guard !bare.isEmpty else { return nil }
    let file = bare.hasPrefix("@/") ? bare.dropFirst() : bare
    return Directive(name: name, argument: String(file))
  }

  /// The directive for an include of docsify, such as `[name](file ":include :type=code")`; `nil` for other lines.
  private var docsifyFile: Directive? {
    guard content.last == ")", content.contains(":include"), let open = content.firstRange(of: "]("),
      let blank = content[open.upperBound...].firstIndex(of: " ")
    else { return nil }
    let path = content[open.upperBound..<blank]
    let options = content[blank...].dropLast().filter { !"\"'".contains($0) }.split(separator: " ")
    guard options.first == ":include" else { return nil }
    let type = options.lazy.compactMap { $0[...].removing(prefix: ":type=") }.first ?? ""
    switch type {
    case "iframe", "video", "audio": return Directive(name: String(type), argument: String(path))
    case "code": return Directive(name: "literalinclude", argument: String(path))
    default:
      let name = PageName.isPage(String(path)) ? "include" : "literalinclude"
      return Directive(name: name, argument: String(path))
    }
  }
}

extension Substring {
  /// Returns the text after a prefix, without blanks at its ends. Returns `nil` if the text does not begin with the
  /// prefix.
  fileprivate func removing(prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count).trimmingBlanks : nil
  }
}

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

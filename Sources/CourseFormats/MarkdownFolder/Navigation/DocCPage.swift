import LearningModel

/// A parsed page of a DocC catalog: its text converted to the Markdown of other folders, and the topics that order
/// other pages.
///
/// The number of lines does not change, so that warnings refer to the right line.
///
/// Source: Swift-DocC, "Formatting Your Documentation Content", "Adding Structure to Your Documentation Pages", and its
/// reference of directives.
struct DocCPage {
  /// The pages under one heading of the topics.
  struct Group: Equatable {
    /// The heading, or `nil` for the topics before the first heading.
    var title: String?
    var topics: [Topic]
  }

  /// A page that is listed in the topics of another page.
  struct Topic: Equatable {
    var name: String
    /// Whether the topic is a symbol, which may have no page of its own.
    var isSymbol: Bool
    /// The line number on the page, from 1.
    var line: Int
  }

  /// The text without topics, with directives converted.
  private(set) var text = ""
  /// The pages below this page.
  private(set) var topics: [Group] = []
  /// Whether the page declares itself as the root of its catalog.
  private(set) var isRoot = false
  /// The first heading, as written.
  private(set) var title: String?

  private var lines: [String] = []
  /// The closing lines of the open directives, the innermost last.
  private var open: [Opened] = []
  /// The number of open braces in a directive that is omitted.
  private var dropped = 0
  private var fence: Substring?
  private var isInTopics = false
  private var isInComment = false
  private var isQuote = false

  /// Converts the inline markup of a line outside code.
  private let inline: (String) -> String

  private struct Opened {
    let closing: String
    /// The indentation of the directive's text, or `nil` before its first line.
    var indent: Int?
  }

  /// Parses a page.
  ///
  /// - Parameters:
  ///   - page: The text of the page.
  ///   - inline: Converts the inline markup of a line outside code.
  init(_ page: String, inline: @escaping (String) -> String = { $0 }) {
    self.inline = inline
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      read(line, number: index + 1)
    }
    for opened in open.reversed() { lines.append(opened.closing) }
    text = lines.joined(separator: "\n")
  }

  private mutating func read(_ whole: Substring, number: Int) {
    let bare = whole.trimmingBlanks
    if dropped > 0 {
      count(bare)
      return lines.append("")
    }
    let line = dedented(whole)
    if let open = fence {
      if bare.hasPrefix(open), bare.allSatisfy({ $0 == open.first }) { fence = nil }
      return write(line)
    }
    if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
      fence = bare.prefix { $0 == bare.first }
      return write(line)
    }
    if isInComment || bare.hasPrefix("<!--") {
      isInComment = !bare.contains("-->")
      return write(line)
    }
    let level = bare.prefix { $0 == "#" }.count
    if (1...6).contains(level), bare.dropFirst(level).first == " " {
      let words = bare.dropFirst(level).trimmingBlanks
      if level == 1, title == nil { title = String(words) }
      if level <= 2 { isInTopics = level == 2 && words == "Topics" }
      if isInTopics, level > 2 { topics.append(Group(title: String(words), topics: [])) }
      return write(line)
    }
    if isInTopics {
      if let topic = Self.topic(in: bare, line: number) {
        if topics.isEmpty { topics.append(Group(title: nil, topics: [])) }
        topics[topics.count - 1].topics.append(topic)
      }
      return lines.append("")
    }
    if bare == "}", let opened = open.popLast() { return lines.append(opened.closing) }
    guard let directive = DocCDirective(bare) else { return write(line) }
    checkRoot(bare)
    begin(directive)
  }

  private mutating func write(_ line: Substring) {
    let wasQuote = isQuote
    let bare = line.trimmingBlanks
    isQuote = bare.hasPrefix(">")
    if isInTopics { return lines.append("") }
    guard fence == nil, !bare.hasPrefix("```"), !bare.hasPrefix("~~~") else { return lines.append(String(line)) }
    lines.append(inline((isQuote && !wasQuote ? Self.admonition(line) : nil) ?? String(line)))
  }

  /// Converts `> Note: Text` to a frame on the same line, or returns `nil` for other block quotes.
  private static func admonition(_ line: Substring) -> String? {
    let bare = line.trimmingBlanks.dropFirst().trimmingBlanks
    guard let colon = bare.firstIndex(of: ":") else { return nil }
    let tag = bare[..<colon]
    let rest = bare[bare.index(after: colon)...]
    let isTag = tag.allSatisfy(\.isLetter) || ["see also", "to do"].contains(tag.lowercased())
    guard tag.first?.isUppercase == true, isTag, rest.isEmpty || rest.first == " " else { return nil }
    return line.prefix { $0 == " " } + "> " + Alerts.title("", kind: tag.lowercased()) + "<br>" + rest.trimmingBlanks
  }

  /// Returns the page that an item of a topics list names: `` - <doc:Name> ``, `` - [text](doc:Name) `` or
  /// ``` - ``Symbol`` ```.
  private static func topic(in bare: Substring, line: Int) -> Topic? {
    guard let mark = bare.first, "-*+".contains(mark) else { return nil }
    let item = bare.dropFirst().trimmingBlanks
    if item.hasPrefix("``") {
      return Topic(name: String(item.dropFirst(2).prefix { $0 != "`" }), isSymbol: true, line: line)
    }
    for (before, after) in [("<doc:", ">"), ("](doc:", ")")] {
      guard let start = item.firstRange(of: before), let end = item[start.upperBound...].firstRange(of: after) else {
        continue
      }
      return Topic(name: String(item[start.upperBound..<end.lowerBound]), isSymbol: false, line: line)
    }
    return nil
  }

  // MARK: Directives

  private mutating func begin(_ directive: DocCDirective) {
    switch directive.role {
    case .dropped:
      lines.append("")
      if directive.opens { dropped = 1 }
    case .image:
      let words = directive["alt"] ?? ""
      lines.append("![\(words.filter { !"[]".contains($0) })](<\(directive["source"] ?? directive["poster"] ?? "")>)")
      if directive.opens { open.append(Opened(closing: "")) }
    case .box(let opening, let closing):
      lines.append(directive.opens ? opening : "")
      if directive.opens { open.append(Opened(closing: closing)) }
    }
  }

  private mutating func checkRoot(_ bare: Substring) { isRoot = isRoot || bare.contains("@TechnologyRoot") }

  /// Counts the braces of a directive that is omitted.
  private mutating func count(_ bare: Substring) {
    checkRoot(bare)
    if bare.hasSuffix("{") { dropped += 1 }
    if bare.hasSuffix("}"), !bare.contains("{") { dropped -= 1 }
  }

  /// Removes the indentation of a line inside a directive. Otherwise the line would become a code block.
  private mutating func dedented(_ line: Substring) -> Substring {
    guard let last = open.indices.last, !line.allSatisfy(\.isWhitespace) else { return line }
    let spaces = line.prefix { $0 == " " }.count
    let indent = open[last].indent ?? spaces
    open[last].indent = indent
    return line.dropFirst(min(spaces, indent))
  }
}

/// The first line of a directive, such as `@Image(source: "map.png", alt: "A map")` or `@Row {`.
///
/// Source: Swift-DocC, its reference of directives.
struct DocCDirective {
  /// The treatment of a directive.
  enum Role: Equatable {
    /// A directive that has no content for the reader. It is omitted.
    case dropped
    case image
    /// A directive whose text is shown between these lines.
    case box(opening: String, closing: String)
  }

  /// The name after `@`.
  let name: String
  /// Whether the directive contains text on the following lines, up to a line with the closing brace.
  let opens: Bool
  /// The arguments in parentheses, by label. The label is empty for an argument without a label.
  private var arguments: [String: String] = [:]

  /// Parses a line.
  ///
  /// - Returns: `nil` if the line does not begin a known directive.
  init?(_ bare: Substring) {
    guard bare.first == "@" else { return nil }
    name = String(bare.dropFirst().prefix { $0.isLetter })
    guard Self.visibleRoles.contains(name) || Self.dropped.contains(name) else { return nil }
    let rest = bare.dropFirst(1 + name.utf8.count).trimmingBlanks
    // If the directive opens and closes on the same line, it contains no text.
    opens = rest.hasSuffix("{")
    if rest.first == "(" { readArguments(rest.dropFirst()) }
  }

  private mutating func readArguments(_ text: Substring) {
    var (label, value) = ("", "")
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case _ where isQuoted: value.append(character)
      case ":": (label, value) = (String(value[...].trimmingBlanks), "")
      case ",", ")":
        arguments[label] = String(value[...].trimmingBlanks)
        (label, value) = ("", "")
        if character == ")" { return }
      default: value.append(character)
      }
    }
  }

  /// The value of an argument without quotation marks.
  subscript(label: String) -> String? { arguments[label] }

  var role: Role {
    switch name {
    case "Image", "Video": .image
    case "TabNavigator": .box(opening: "::::{tab-set}", closing: "::::")
    case "Tab": .box(opening: ":::{tab-item} \(arguments[""] ?? "")", closing: ":::")
    default: Self.visibleRoles.contains(name) ? .box(opening: "", closing: "") : .dropped
    }
  }

  private static let visibleRoles: Set<String> = [
    "Image", "Video", "TabNavigator", "Tab", "Row", "Column", "Small", "Links", "DeprecationSummary",
  ]

  private static let dropped: Set<String> = [
    "Metadata", "Options", "Comment", "Redirected", "TechnologyRoot", "DisplayName", "DocumentationExtension",
    "TitleHeading", "PageImage", "PageColor", "PageKind", "CallToAction", "SupportedLanguage", "Available",
    "CustomMetadata", "AlternateRepresentation", "AutomaticSeeAlso", "AutomaticTitleHeading",
    "AutomaticArticleSubheading", "TopicsVisualStyle", "Snippet",
  ]
}

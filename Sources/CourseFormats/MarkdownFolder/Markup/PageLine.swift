/// A line of a page, split into a prefix of blanks, block quote markers and list markers, and the text after it.
struct PageLine {
  let fullLine: Substring
  /// The blanks and markers before the text.
  let prefix: Substring
  /// The text, without white space at its end.
  let content: Substring
  /// The number of block quotes that contain the line.
  let quoteDepth: Int
  /// Whether the prefix contains a list marker.
  let hasListMarker: Bool

  init(_ line: Substring) {
    fullLine = line
    var rest = line
    var quotes = 0
    var hasListMark = false
    while let first = rest.first {
      if first == " " || first == "\t" {
        rest = rest.dropFirst()
      } else if first == ">" {
        quotes += 1
        rest = rest.dropFirst()
      } else if let mark = Self.listMarkerLength(rest) {
        hasListMark = true
        rest = rest.dropFirst(mark)
      } else {
        break
      }
    }
    prefix = line[..<rest.startIndex]
    self.content = rest.trimmingEnd
    quoteDepth = quotes
    self.hasListMarker = hasListMark
  }

  /// Returns the length of a list marker at the beginning of a text, including one blank after it.
  private static func listMarkerLength(_ text: Substring) -> Int? {
    let digits = text.prefix { ("0"..."9").contains($0) }
    let marks: [Character] = digits.isEmpty ? ["-", "*", "+"] : [".", ")"]
    let behind = text[digits.endIndex...]
    guard digits.count < 10, let mark = behind.first, marks.contains(mark), let blank = behind.dropFirst().first,
      blank == " " || blank == "\t"
    else { return nil }
    return digits.count + 2
  }

  /// Whether the line contains only blanks and block quote markers.
  var isBlank: Bool { content.isEmpty && !hasListMarker }

  /// The indentation in columns.
  var indent: Int { Self.columns(of: prefix + "x") }

  /// The prefix for further lines of a block that begins on this line. List markers are replaced by blanks.
  var continuationPrefix: String {
    String(prefix.map { $0 == ">" || $0 == "\t" ? $0 : " " })
  }

  /// An empty line that does not end the enclosing block quotes.
  var blankLine: String { quoteDepth > 0 ? continuationPrefix : "" }

  /// The same as ``continuationPrefix``.
  var quotes: String { continuationPrefix }

  /// Returns the line without the prefix of an enclosing line.
  func removingPrefix(_ outer: PageLine) -> Substring {
    guard !outer.prefix.isEmpty else { return fullLine }
    let columns = outer.prefix.reduce(0) { $0 + ($1 == "\t" ? 4 - $0 % 4 : 1) }
    var line = fullLine
    var dropped = 0
    while dropped < columns, let first = line.first,
      first == " " || first == "\t" || first == ">" && outer.quoteDepth > 0
    {
      line = line.dropFirst()
      dropped += first == "\t" ? 4 - dropped % 4 : 1
    }
    return line
  }

  /// Returns the indentation of a line in columns. A tab advances to the next multiple of four.
  static func columns(of line: Substring) -> Int {
    var columns = 0
    for character in line {
      if character == " " { columns += 1 } else if character == "\t" { columns += 4 - columns % 4 } else { break }
    }
    return columns
  }

  /// Returns a line with its indentation reduced by a number of columns.
  static func dropping(_ columns: Int, of line: Substring) -> Substring {
    var rest = line
    var dropped = 0
    while dropped < columns, let first = rest.first, first == " " || first == "\t" {
      dropped += first == "\t" ? 4 - dropped % 4 : 1
      rest = rest.dropFirst()
    }
    return rest
  }

  // MARK: Starts of blocks

  /// The opening line of a fenced code block.
  struct Fence {
    let character: Character
    let count: Int
    let information: Substring

    /// The name and the argument of a directive in the information: `{note} A title`.
    var directive: (name: String, argument: String)? {
      guard information.first == "{", let close = information.firstIndex(of: "}") else { return nil }
      let inside = information[information.index(after: information.startIndex)..<close]
      guard let first = inside.first, first.isLetter else { return nil }
      let name = inside.prefix { $0.isLetter || $0.isNumber || "-_:+.".contains($0) }
      return (String(name), String(information[information.index(after: close)...].trimmingBlanks))
    }

    /// The language in the info string: `python`, `{.python .x}`, `python {linenos=true}`, `text{5-7}`.
    var language: String? {
      var words = information
      if words.first == "{" { words = words.dropFirst().drop { $0 == "." || $0 == " " } }
      let name = words.prefix { !$0.isWhitespace && !"{},".contains($0) }
      return name.isEmpty || name.contains("=") ? nil : String(name)
    }
  }

  var fence: Fence? {
    guard let mark = content.first, mark == "`" || mark == "~" else { return nil }
    let count = content.prefix { $0 == mark }.count
    let information = content.dropFirst(count).trimmingBlanks
    guard count >= 3, mark == "~" || !information.contains("`") else { return nil }
    return Fence(character: mark, count: count, information: information)
  }

  /// Returns whether the line closes a fenced code block.
  func closes(_ fence: Fence) -> Bool {
    content.count >= fence.count && content.allSatisfy { $0 == fence.character }
  }

  /// A line of three or more colons, which opens or closes a directive or a fenced division.
  struct Colons {
    let count: Int
    /// The name, or `nil` for a closing line.
    var name: String?
    var argument = ""
    var attributes: [String: String] = [:]
    var isInBraces = false
  }

  var colons: Colons? {
    let count = content.prefix { $0 == ":" }.count
    guard count >= 3 else { return nil }
    var colons = Colons(count: count)
    var words = content.dropFirst(count).trimmingBlanks
    while words.last == ":" { words = words.dropLast() }
    words = words.trimmingBlanks
    guard let first = words.first else { return colons }
    if first == "{", let close = words.firstIndex(of: "}") {
      let inside = words[words.index(after: words.startIndex)..<close].trimmingBlanks
      let parsed = Attributes(inside)
      colons.name = parsed.classes.first { DirectiveRole.of($0) != nil } ?? parsed.classes.first ?? parsed.name ?? "div"
      colons.isInBraces = parsed.classes.isEmpty
      colons.attributes = parsed.values
      colons.argument = String(words[words.index(after: close)...].trimmingBlanks)
      if colons.argument.isEmpty { colons.argument = parsed.values["title"] ?? "" }
      return colons
    }
    let name = words.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    guard !name.isEmpty else { return nil }
    colons.name = String(name)
    var behind = words[name.endIndex...].trimmingBlanks
    if behind.first == "[", let close = behind.lastIndex(of: "]") {
      colons.argument = String(behind[behind.index(after: behind.startIndex)..<close])
    } else {
      if let brace = behind.firstIndex(of: "{") {
        colons.attributes = Attributes(behind[brace...].dropFirst().prefix { $0 != "}" }).values
        behind = behind[..<brace].trimmingBlanks
      }
      colons.argument = behind.isEmpty ? colons.attributes["title"] ?? "" : String(behind)
    }
    return colons
  }

  /// The first line of an admonition, a collapsible block or a tab of Python-Markdown. The text below this line is
  /// indented by four columns.
  struct IndentedAdmonition {
    let name: String
    let title: String?
    let isClosed: Bool

    func directive(_ body: [Substring]) -> Directive {
      var directive = Directive(name: name, argument: title ?? "", body: body)
      if isClosed { directive.options["class"] = "dropdown" }
      // An empty title means that the default title is not shown.
      if title == "" { directive.options["untitled"] = "" }
      return directive
    }
  }

  var indentedAdmonition: IndentedAdmonition? {
    for mark in ["!!!", "???+", "???", "==="] where content.hasPrefix(mark + " ") {
      let words = content.dropFirst(mark.count).trimmingBlanks
      var title: String?
      if let quote = words.firstIndex(of: "\""), let end = words.lastIndex(of: "\""), end > quote {
        title = String(words[words.index(after: quote)..<end])
      }
      let name = words.prefix { $0 != "\"" }.split(separator: " ").first
      if mark == "===" {
        guard let title, words.first == "\"" || words.first == "!" || words.first == "+" else { return nil }
        return IndentedAdmonition(name: "tab", title: title, isClosed: false)
      }
      guard let name, name.first?.isLetter == true else { return nil }
      return IndentedAdmonition(name: String(name), title: title, isClosed: mark == "???")
    }
    return nil
  }

  /// The text of a definition of the form `:   text`, and the indentation of its further lines. `nil` if the line is
  /// not a definition.
  var definition: (text: Substring, indent: Int)? {
    guard content.first == ":", let blank = content.dropFirst().first, blank == " " || blank == "\t" else { return nil }
    let text = content.dropFirst().drop { $0 == " " || $0 == "\t" }
    guard !text.isEmpty else { return nil }
    return (text, min(4, content.count - text.count))
  }

  /// The attributes of the next block in MyST: `{.class #id name=value}` alone on a line. `nil` for other lines.
  ///
  /// Source: MyST-Parser, "Attributes".
  var blockAttributes: Attributes? {
    guard content.hasPrefix("{"), content.hasSuffix("}"), !hasListMarker, content.count < 400 else { return nil }
    let inside = content.dropFirst().dropLast()
    guard let first = inside.first, first == "." || first == "#" || first.isLetter && inside.contains("="),
      !inside.contains(where: { "{}`".contains($0) })
    else { return nil }
    let attributes = Attributes(inside)
    return attributes.name == nil ? attributes : nil
  }

  /// The name of a MyST target: `(name)=`.
  var target: String? {
    guard content.hasPrefix("("), content.hasSuffix(")="), content.count > 3 else { return nil }
    let name = content.dropFirst().dropLast(2)
    return name.contains(where: { "()".contains($0) || $0.isWhitespace }) ? nil : String(name)
  }
}

/// Attributes in braces: `.class #id name=value`, or a name.
struct Attributes {
  private(set) var name: String?
  private(set) var classes: [String] = []
  private(set) var identifier: String?
  private(set) var values: [String: String] = [:]

  init(_ text: Substring) {
    for word in text.shellWords {
      if word.hasPrefix("#") {
        identifier = String(word.dropFirst())
      } else if word.hasPrefix(".") {
        classes.append(String(word.dropFirst()))
      } else if let equals = word.firstIndex(of: "=") {
        values[String(word[..<equals])] = String(word[word.index(after: equals)...])
      } else if name == nil {
        name = word
      }
    }
  }
}

extension Substring {
  /// The text without white space at its end.
  var trimmingEnd: Substring {
    lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? prefix(0)
  }

  /// The words, separated by blanks or commas. Text between quotation marks belongs to one word, even if it contains
  /// blanks. Quotation marks are removed.
  var shellWords: [String] {
    var words: [String] = []
    var word = ""
    var isOpen = false
    var quote: Character?
    for character in self {
      if let mark = quote {
        if character == mark { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" && (word.isEmpty || word.hasSuffix("=")) || character == "`" {
        quote = character
        isOpen = true
      } else if character.isWhitespace || character == "," {
        if isOpen { words.append(word) }
        word = ""
        isOpen = false
      } else {
        word.append(character)
        isOpen = true
      }
    }
    return isOpen ? words + [word] : words
  }
}

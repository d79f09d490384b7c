import Foundation
import LearningModel
import TextCanvas

/// The numbers and notes of a page for pandoc, which continue in included files.
struct PandocCounts {
  /// The numbers of figures, tables, theorems and other numbered elements so far, by their words, such as "Figure".
  var floats: [String: Int] = [:]
  /// The number of notes that are written inside the text.
  var notes = 0
  /// The numbers of examples by their labels.
  var examples: [String: Int] = [:]
  var exampleCount = 0
  /// The keys of the cited entries. Each entry has a footnote.
  var cited: Set<String> = []
  /// The entries of the bibliographies, after they were read for the page.
  var bibliography: Bibliography?
}

/// Converts the Markdown of pandoc, Quarto and bookdown to the Markdown of other pages: cells, captions,
/// cross-references, citations, notes, divisions and tables.
///
/// Sources: Pandoc, "User's Guide", "Pandoc's Markdown"; Quarto, "Markdown Basics", "Cross References", "Conditional
/// Content", "Tabsets"; Yihui Xie, "bookdown", chapter 2.
struct PandocMarkup {
  let context: PageMarkup.Context
  let bibliography: Bibliography
  /// The markup that could not be shown, with counts.
  var findings = Findings()
  var counts: PandocCounts
  /// The labels to which any page may refer, and the titles of those that are not headings.
  var labels: Set<String> = []
  var labelTitles: [String: String] = [:]
  /// Whether the code of cells is shown, unless the cell has this option.
  var showsCode: Bool
  /// The captions that are written elsewhere in the page: `(ref:name) Caption`.
  private(set) var references: [String: String] = [:]
  /// The definitions of footnotes that are appended to the text.
  var definitions: [String] = []
  var output = ConvertedLines()
  var divisions: [Division] = []
  private var isInList = false
  /// The index of the last heading, and whether a heading precedes the current line.
  private var lastHeading = 0
  private var hasHeading = false
  private var depth = 0
  /// The number of inline notes that are not closed. After 100 of them, further inline notes are not read.
  var unclosedNotes = 0
  private var unclosedFormulas = 0

  /// Returns whether a file is written for pandoc.
  static func isWritten(in file: String, of project: QuartoProject?) -> Bool {
    project != nil || SourcePath.hasExtension("qmd", file) || SourcePath.hasExtension("rmd", file)
  }

  init(_ context: PageMarkup.Context, _ settings: QuartoSettings, _ counts: PandocCounts) {
    self.context = context
    self.counts = counts
    showsCode = settings.showsCode ?? true
    if let bibliography = counts.bibliography {
      self.bibliography = bibliography
      return
    }
    var bibliography = context.quarto?.bibliography ?? Bibliography()
    for name in settings.bibliographies.prefix(16) where SourcePath.hasExtension("bib", name) {
      if let file = context.text(name) { bibliography.add(file.text) }
    }
    self.bibliography = bibliography
    self.counts.bibliography = bibliography
  }

  /// Returns the converted text of a page, or of a file that is included in it.
  mutating func expanded(_ text: some StringProtocol) -> String {
    var text = String(text)
    // Authors write this empty value of R before the fence of a cell that is displayed and not run.
    if SourcePath.hasExtension("rmd", context.file) { text = text.replacing("`r ''`", with: "") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    gatherLabels(of: lines)
    read(lines)
    while let division = divisions.popLast() { close(division) }
    let output = output
    let converted = output.text { inline($0) }
    return definitions.isEmpty ? converted : converted + "\n\n" + definitions.joined(separator: "\n\n") + "\n"
  }

  // MARK: Lines

  private mutating func gatherLabels(of lines: [Substring]) {
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("(ref:"), let close = line.firstIndex(of: ")") {
        let caption = line[line.index(after: close)...].trimmingBlanks
        if !caption.isEmpty { references[String(line[..<close].dropFirst(5))] = String(caption) }
      } else if line.hasPrefix("(@"), let label = Self.example(line)?.label {
        counts.exampleCount += 1
        if !label.isEmpty, counts.examples[label] == nil { counts.examples[label] = counts.exampleCount }
      } else if line.hasPrefix("#") {
        lastHeading = index
      }
    }
    counts.exampleCount = 0
  }

  /// Reads lines, block by block.
  mutating func read(_ lines: [Substring]) {
    var index = 0
    while index < lines.count { readBlock(lines, at: &index) }
  }

  /// Reads the body of a cell that contains text.
  mutating func read(nested lines: [Substring]) {
    guard depth < 8 else { return lines.forEach { output.add($0) } }
    depth += 1
    read(lines)
    depth -= 1
  }

  private mutating func readBlock(_ lines: [Substring], at index: inout Int) {
    let line = PageLine(lines[index])
    let isAfterBlank = index == 0 || lines[index - 1].allSatisfy(\.isWhitespace) || lines[index - 1].hasPrefix(":::")
    if line.isBlank {
      output.add(line.fullLine)
      index += 1
      return
    }
    let wasInList = isInList
    isInList = line.hasListMarker || wasInList && line.indent > 0
    if line.indent >= 4, !isInList, line.quoteDepth == 0, isAfterBlank, line.fence == nil {
      // The line belongs to an indented code block.
      output.emit([String(line.fullLine)])
      index += 1
    } else if let fence = line.fence {
      readFence(fence, line, lines, at: &index)
    } else if line.content.hasPrefix(":::"), let opening = line.colons {
      readDivision(opening, line, lines, at: &index)
    } else if line.content.first == "#", line.prefix.isEmpty, readHeading(line, at: index) {
      index += 1
    } else if line.content.hasPrefix("$$") || line.content.hasPrefix("\\begin{") {
      readFormula(line, lines, at: &index)
    } else if let figure = PandocFigure(line.content), isAfterBlank || line.hasListMarker {
      readFigure(figure, line)
      index += 1
    } else if let table = PandocTable(lines, at: index, isAfterBlank: isAfterBlank) {
      readTable(table, line, lines, at: &index)
    } else if isAfterBlank, let caption = PandocTable.caption(lines, at: index),
      let start = lines[caption.end...].firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }),
      let table = PandocTable(lines, at: start, isAfterBlank: true)
    {
      index = start
      readTable(table, PageLine(lines[start]), lines, at: &index, caption: caption.text)
    } else if line.content.hasPrefix("| ") || line.content == "|", isAfterBlank {
      readLineBlock(line, lines, at: &index)
    } else if line.prefix.isEmpty, readMark(line, isAfterBlank: isAfterBlank) {
      index += 1
    } else {
      output.add(line.fullLine)
      index += 1
    }
  }

  /// Reads the heading of a part, the heading of a tab, or a heading with attributes, of which only the identifier is
  /// kept. Returns `false` for other lines.
  private mutating func readHeading(_ line: PageLine, at index: Int) -> Bool {
    if context.quarto?.isBookdown == true, let part = BookdownPart(line.content) {
      // The heading is the title of a goal, unless the part begins in the middle of the page.
      output.add(hasHeading && lastHeading > index ? "# " + part.title : "")
      return true
    }
    let level = line.content.prefix { $0 == "#" }.count
    guard (1...6).contains(level), line.content.dropFirst(level).first?.isWhitespace == true else { return false }
    hasHeading = true
    if case .tabset(let tabLevel, let isOpen)? = divisions.last, tabLevel == nil || tabLevel == level {
      if isOpen { output.emit(["", "</tabitem>", ""]) }
      divisions[divisions.count - 1] = .tabset(level: level, isTabOpen: true)
      let (words, _) = Self.withoutAttributes(line.content.dropFirst(level).trimmingBlanks)
      output.emit(["", "<tabitem>", "", "<span class=\"\(Alerts.titleClass)\">\(words)</span>", ""])
      return true
    }
    guard line.content.hasSuffix("}") else { return false }
    let (words, attributes) = Self.withoutAttributes(line.content.dropFirst(level).trimmingBlanks)
    guard let attributes else { return false }
    let marks = String(repeating: "#", count: level)
    output.add("\(marks) \(words)" + (attributes.identifier.map { " {#\($0)}" } ?? ""))
    return true
  }

  /// Returns a text without the attributes in braces at its end.
  static func withoutAttributes(_ text: Substring) -> (words: Substring, attributes: Attributes?) {
    guard text.last == "}", let open = text.lastIndex(of: "{") else { return (text, nil) }
    let inside = text[open...].dropFirst().dropLast()
    guard let first = inside.trimmingBlanks.first, "#.-".contains(first) || inside.contains("=") else {
      return (text, nil)
    }
    return (text[..<open].trimmingBlanks, Attributes(inside))
  }

  /// Reads a line with markup that other Markdown does not have. Returns `false` for other lines.
  private mutating func readMark(_ line: PageLine, isAfterBlank: Bool) -> Bool {
    let content = line.content
    if content.hasPrefix("\\let\\") || content.wholeCommand.map({ Self.layoutCommands.contains($0) }) == true {
      findings.countLoss("LaTeX command for the layout", "left out")
      output.add("")
    } else if content.hasPrefix("(ref:"), isAfterBlank, let close = content.firstIndex(of: ")"),
      references[String(content[..<close].dropFirst(5))] != nil
    {
      output.add("")
    } else if content.hasPrefix("(@"), let example = Self.example(content) {
      counts.exampleCount += 1
      output.add("\(counts.exampleCount). \(example.text)")
    } else if content.hasPrefix("#. ") {
      output.add("1. " + content.dropFirst(3))
    } else {
      return false
    }
    return true
  }

  private static let layoutCommands: Set<String> = [
    "newpage", "pagebreak", "clearpage", "cleardoublepage", "frontmatter", "mainmatter", "backmatter", "appendix",
    "printindex", "tableofcontents", "listoffigures", "listoftables", "bigskip", "medskip", "smallskip", "vfill",
    "noindent", "centering",
  ]

  /// Parses an example with a number: `(@label) text`.
  static func example(_ line: Substring) -> (label: String, text: Substring)? {
    guard let close = line.firstIndex(of: ")"), line[close...].dropFirst().first == " " else { return nil }
    let label = line[..<close].dropFirst(2)
    guard label.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }) else { return nil }
    return (String(label), line[close...].dropFirst(2))
  }

  /// Reads lines that begin with a vertical bar. They keep their line breaks.
  private mutating func readLineBlock(_ line: PageLine, _ lines: [Substring], at index: inout Int) {
    var rows: [String] = []
    while index < lines.count {
      let content = PageLine(lines[index]).content
      guard content.hasPrefix("| ") || content == "|" else { break }
      let text = content.dropFirst(2)
      let blanks = text.prefix { $0 == " " }.count
      rows.append(String(repeating: "\u{A0}", count: blanks) + text.dropFirst(blanks))
      index += 1
    }
    for (offset, row) in rows.enumerated() {
      output.add(
        (offset == 0 ? String(line.prefix) : line.continuationPrefix) + row + (offset == rows.count - 1 ? "" : "\\"))
    }
  }

  // MARK: Labels

  /// The words for the prefixes of labels.
  private static let words: [String: String] = [
    "fig": "Figure", "tbl": "Table", "tab": "Table", "lst": "Listing", "eq": "Equation", "thm": "Theorem",
    "lem": "Lemma", "cor": "Corollary", "prp": "Proposition", "cnj": "Conjecture", "def": "Definition",
    "exm": "Example", "exr": "Exercise", "sol": "Solution", "rem": "Remark", "alg": "Algorithm", "hyp": "Hypothesis",
    "tip": "Tip", "nte": "Note", "wrn": "Warning", "imp": "Important", "cau": "Caution", "suppfig": "Figure",
  ]

  /// Returns the word for the prefix of a label, such as "Figure" for `fig-map`, or `nil` if the label has no known
  /// prefix.
  static func word(of label: some StringProtocol) -> String? {
    guard let mark = label.firstIndex(where: { $0 == "-" || $0 == ":" }) else { return nil }
    return words[String(label[..<mark])]
  }

  /// Records a label, and returns the title of the element: its word and number. Returns `nil` for other labels.
  mutating func register(_ label: String) -> String? {
    labels.insert(label)
    guard let word = Self.word(of: label) else { return nil }
    if let number = labelTitles["-" + label] { return "\(word) \(number)" }
    counts.floats[word, default: 0] += 1
    let number = counts.floats[word]!
    // In bookdown a reference is only the number, in Quarto also the word. A hyphen before a label omits the word.
    labelTitles[label] = label.contains(":") ? "\(number)" : "\(word) \(number)"
    labelTitles["-" + label] = "\(number)"
    labels.insert("-" + label)
    return "\(word) \(number)"
  }

  mutating func emitAnchor(_ label: String, before line: PageLine) {
    output.emit([line.blankLine, line.continuationPrefix + "<a id=\"\(label.escapedForXML())\"></a>", line.blankLine])
  }

  mutating func addCaption(_ caption: String, title: String?, before line: PageLine) {
    var text = caption.trimmingCharacters
    if text.hasPrefix("(ref:"), text.hasSuffix(")"), let written = references[String(text.dropFirst(5).dropLast())] {
      text = written
    }
    let before = line.continuationPrefix
    output.emit([line.blankLine, before + "<figcaption>", line.blankLine])
    output.add(before + [title, text.isEmpty ? nil : text].compactMap(\.self).joined(separator: ": "))
    output.emit([line.blankLine, before + "</figcaption>", line.blankLine])
  }

  // MARK: Figures, formulas and tables

  private mutating func readFigure(_ figure: PandocFigure, _ line: PageLine) {
    let label = figure.attributes.identifier
    if let label { emitAnchor(label, before: line) }
    let title = label.flatMap { register($0) }
    let words = figure.attributes.values["fig-alt"] ?? figure.attributes.values["alt"] ?? figure.caption
    output.emit([String(line.prefix) + "![\(words.withoutBrackets)](\(figure.destination))"])
    if title != nil { addCaption(figure.caption, title: title, before: line) }
  }

  /// Reads a displayed formula with its label.
  private mutating func readFormula(_ line: PageLine, _ lines: [Substring], at index: inout Int) {
    let isDollars = line.content.hasPrefix("$$")
    var end = index
    if isDollars {
      if !line.content.dropFirst(2).contains("$$") {
        end = lines[(index + 1)...].prefix(200).firstIndex { $0.contains("$$") } ?? index
      }
    } else {
      let name = line.content.dropFirst(7).prefix { $0 != "}" }
      if unclosedFormulas < 100 {
        end = lines[index...].prefix(200).firstIndex { $0.contains("\\end{\(name)}") } ?? index
        if end == index, !line.content.contains("\\end{") { unclosedFormulas += 1 }
      }
    }
    var text = lines[index...end].map(String.init)
    if isDollars, let open = text[text.count - 1].range(of: "{#eq-", options: .backwards),
      text[text.count - 1].hasSuffix("}")
    {
      let label = String(text[text.count - 1][open.lowerBound...].dropFirst(2).prefix { $0 != "}" && $0 != " " })
      text[text.count - 1] = String(text[text.count - 1][..<open.lowerBound][...].trimmingEnd)
      emitAnchor(label, before: line)
      _ = register(label)
    }
    for offset in text.indices {
      guard let open = text[offset].range(of: "(\\#"), let close = text[offset][open.upperBound...].firstIndex(of: ")")
      else { continue }
      let label = String(text[offset][open.upperBound..<close])
      text[offset].removeSubrange(open.lowerBound...close)
      // An empty line would end the formula.
      if text[offset].allSatisfy(\.isWhitespace) { text[offset] = "{}" }
      emitAnchor(label, before: line)
      _ = register(label)
    }
    output.emit(text)
    index = end + 1
  }

  private mutating func readTable(
    _ table: PandocTable, _ line: PageLine, _ lines: [Substring], at index: inout Int, caption written: String? = nil
  ) {
    index = table.end
    var caption = written
    if caption == nil {
      let next = lines[index...].prefix(2).firstIndex { !$0.allSatisfy(\.isWhitespace) }
      if let next, let below = PandocTable.caption(lines, at: next) {
        caption = below.text
        index = below.end
      }
    }
    if let caption {
      var (text, attributes) = Self.withoutAttributes(caption[...].trimmingBlanks)
      var label = attributes?.identifier
      if text.hasPrefix("(\\#"), let close = text.firstIndex(of: ")") {
        label = String(text[..<close].dropFirst(3))
        text = text[close...].dropFirst().trimmingBlanks
      }
      if let label { emitAnchor(label, before: line) }
      addCaption(String(text), title: label.flatMap { register($0) }, before: line)
    }
    for row in table.output {
      if row.isDone {
        output.emit([line.continuationPrefix + row.text])
      } else {
        output.add(line.continuationPrefix + row.text)
      }
    }
    output.add(line.blankLine)
  }
}

extension Substring {
  /// The name of a LaTeX command that the line consists of: `newpage` for `\newpage`.
  fileprivate var wholeCommand: String? {
    guard first == "\\" else { return nil }
    let name = dropFirst().prefix { $0.isLetter }
    let rest = self[name.endIndex...]
    return name.isEmpty || !(rest.isEmpty || rest == "{}") ? nil : String(name)
  }
}

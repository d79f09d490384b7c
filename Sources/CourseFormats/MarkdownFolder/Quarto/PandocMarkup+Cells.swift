import Foundation
import LearningModel
import TextCanvas

/// The options of a cell, by their names with hyphens: `fig-cap` also for `fig.cap`.
///
/// Sources: Quarto, "Cell options"; Yihui Xie, "Chunk options and package options" of knitr.
struct CellOptions {
  private var values: [String: [String]] = [:]
  /// The lines of code without the options.
  private(set) var code: [String] = []

  /// Parses the options in the braces and in the comments at the beginning of a cell.
  ///
  /// - Parameters:
  ///   - header: The text in the braces after the name of the language.
  ///   - body: The lines of the cell.
  init(header: Substring, body: [Substring], file: String, limits: SourceLimits) {
    for (index, option) in Self.separated(header).enumerated() {
      guard let equals = option.firstIndex(of: "="), !option.hasPrefix("\"") else {
        if index == 0, !option.isEmpty, !"#.".contains(option.first!) { values["label"] = [option] }
        if option.hasPrefix("#") { values["label"] = [String(option.dropFirst())] }
        continue
      }
      let value = option[option.index(after: equals)...].trimmingBlanks
      values[Self.name(option[..<equals])] = Self.texts(value)
    }
    let marks = ["#|", "//|", "--|", "%%|", "*|"]
    var count = 0
    var yaml: [String] = []
    while count < body.count {
      let line = body[count].trimmingBlanks
      guard let mark = marks.first(where: { line.hasPrefix($0) }) else { break }
      let text = line.dropFirst(mark.count)
      yaml.append(String(text.first == " " ? text.dropFirst() : text))
      count += 1
    }
    code = body[count...].map(String.init)
    guard !yaml.isEmpty else { return }
    if let tree = try? YAMLTree(yaml.joined(separator: "\n"), file: file, limits: limits) {
      for field in tree.fields {
        let texts = field.value.items.isEmpty ? [field.value.text ?? ""] : field.value.items.map { $0.text ?? "" }
        values[Self.name(field.name[...])] = texts.map(\.onOneLine)
      }
    } else {
      for line in yaml {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let value = line[line.index(after: colon)...].trimmingBlanks
        values[Self.name(line[..<colon])] = [String(value).quoteless]
      }
    }
  }

  /// The first text of an option, or `nil` if the option is missing.
  subscript(name: String) -> String? { values[name]?.first }

  /// All texts of an option that may be a list.
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns whether an option has a value that means false, such as `no`.
  func isOff(_ name: String) -> Bool { self[name].map(QuartoSettings.isFalse) ?? false }

  private static func name(_ text: Substring) -> String {
    text.trimmingBlanks.lowercased().replacing(".", with: "-")
  }

  /// Returns the texts in quotation marks: separately for `c(…)` in R, otherwise joined. If there are no quotation
  /// marks, returns the value itself.
  private static func texts(_ value: Substring) -> [String] {
    let quoted = ProgramStrings.all(in: String(value))
    return quoted.isEmpty ? [String(value)] : value.hasPrefix("c(") ? quoted : [quoted.joined()]
  }

  /// Splits options at commas outside quotation marks, parentheses and brackets.
  private static func separated(_ header: Substring) -> [String] {
    var options = [""]
    var (quote, depth): (Character?, Int) = (nil, 0)
    var previous: Character = " "
    for character in header {
      if let mark = quote {
        if character == mark, previous != "\\" { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if "([".contains(character) {
        depth += 1
      } else if ")]".contains(character) {
        depth -= 1
      } else if character == ",", depth <= 0 {
        options.append("")
        previous = character
        continue
      }
      options[options.count - 1].append(character)
      previous = character
    }
    return options.map(\.trimmingCharacters).enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }.map(
      \.element)
  }
}

/// The texts between quotation marks in a program.
enum ProgramStrings {
  static func all(in code: String) -> [String] {
    var texts: [String] = []
    var (text, quote): (String, Character?) = ("", nil)
    var isEscaped = false
    for character in code {
      guard let mark = quote else {
        if character == "\"" || character == "'" { (text, quote) = ("", character) }
        continue
      }
      if isEscaped {
        text.append(character == "n" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == mark {
        texts.append(text)
        quote = nil
      } else {
        text.append(character)
      }
    }
    return texts
  }
}

extension PandocMarkup {
  /// Reads a fenced code block, a cell, or raw output.
  mutating func readFence(_ fence: PageLine.Fence, _ line: PageLine, _ lines: [Substring], at index: inout Int) {
    index += 1
    var body: [Substring] = []
    while index < lines.count {
      let inner = PageLine(lines[index])
      index += 1
      if inner.closes(fence) { break }
      if line.quoteDepth > inner.quoteDepth {
        index -= 1
        break
      }
      body.append(inner.removingPrefix(line))
    }
    let information = fence.information
    guard information.first == "{", let close = information.lastIndex(of: "}") else {
      return output.emit(PageMarkup.code(body.map(String.init), language: fence.language, before: line))
    }
    let inside = information[..<close].dropFirst()
    if inside.first == "=" {
      guard inside == "=html" || inside == "=html5" else {
        return findings.countLoss("raw output for another format", "left out")
      }
      return output.emit([line.blankLine] + body.map { line.continuationPrefix + $0 } + [line.blankLine])
    }
    if inside.first == "{" {
      // Two braces mean that the cell is displayed and not run.
      let language = inside.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber }
      return output.emit(PageMarkup.code(body.map(String.init), language: String(language), before: line))
    }
    let engine = inside.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    if engine.isEmpty { return readCode(Attributes(inside), body, line) }
    let rest = inside.dropFirst(engine.count)
    guard rest.isEmpty || " ,".contains(rest.first!), isCell(String(engine)) else {
      // The fence is a directive of another program.
      let marks = String(repeating: fence.character, count: fence.count)
      return output.emit(
        [String(line.fullLine)] + body.map { line.continuationPrefix + $0 } + [line.continuationPrefix + marks])
    }
    let header = rest.drop { " ,".contains($0) }
    readCell(
      engine.lowercased(), CellOptions(header: header, body: body, file: context.file, limits: context.limits), line)
  }

  private func isCell(_ engine: String) -> Bool {
    switch DirectiveRole.of(engine) {
    case nil, .source, .code: true
    default:
      Self.theorems.contains(engine.lowercased())
        || ["block", "block2", "comment", "embed"].contains(engine.lowercased())
    }
  }

  /// Reads code with attributes: `{.python filename="run.py"}`.
  private mutating func readCode(_ attributes: Attributes, _ body: [Substring], _ line: PageLine) {
    let label = attributes.identifier
    if let label { emitAnchor(label, before: line) }
    let title = label.flatMap { register($0) }
    if let caption = attributes.values["lst-cap"] ?? (title == nil ? nil : "") {
      addCaption(caption, title: title, before: line)
    }
    addFileName(attributes.values["filename"], line)
    let language = attributes.classes.first { !$0.hasPrefix("cell-") }
    output.emit(PageMarkup.code(body.map(String.init), language: language, before: line))
  }

  private mutating func addFileName(_ name: String?, _ line: PageLine) {
    guard let name, !name.isEmpty else { return }
    output.emit([line.blankLine, line.continuationPrefix + PageMarkup.codeSpan(name), line.blankLine])
  }

  // MARK: Cells

  private mutating func readCell(_ engine: String, _ options: CellOptions, _ line: PageLine) {
    let code = options.code
    if let file = options["child"], !file.isEmpty {
      return options.texts("child").forEach { output.emit(["", "{{< include \($0) >}}", ""]) }
    }
    if Self.theorems.contains(engine) || engine.hasPrefix("block") { return readTextCell(engine, options, line) }
    if engine == "asis" { return read(nested: code.map { $0[...] }) }
    if engine == "comment" { return findings.countLoss("hidden comment", "left out") }
    let images = code.filter { $0.contains("include_graphics(") }.flatMap(Self.includedImages)
    noteDefaults(code)
    if options.isOff("include") { return findings.countLoss("hidden cell", "left out") }
    let captions = options.texts("fig-cap").filter { !$0.isEmpty }
    let tableCaption = options["tbl-cap"] ?? options["tab-cap"]
    let label = self.label(options, hasFigure: !captions.isEmpty || !images.isEmpty)
    if let label, Self.word(of: label) != nil { emitAnchor(label, before: line) }
    let title =
      captions.isEmpty && tableCaption == nil && options["lst-cap"] == nil && images.isEmpty
      ? nil : label.flatMap { register($0) }
    if title == nil, let label { labels.insert(label) }
    if let caption = tableCaption ?? options["lst-cap"] { addCaption(caption, title: title, before: line) }

    let isHidden = options["echo"].map(QuartoSettings.isFalse) ?? !showsCode
    if isHidden || !images.isEmpty && code.allSatisfy({ $0.contains("include_graphics(") || $0.isEmpty }) {
      let isDescribed = images.isEmpty && captions.isEmpty && addDescription(options, line)
      if isHidden, images.isEmpty, !isDescribed { findings.countLoss("hidden cell", "left out") }
    } else {
      addFileName(options["filename"], line)
      output.emit(shown(code, engine, options, line))
    }
    for image in images {
      let words = options["fig-alt"] ?? captions.first ?? ""
      output.emit([line.blankLine, line.continuationPrefix + "![\(words.withoutBrackets)](<\(image)>)", line.blankLine])
    }
    if images.isEmpty, !captions.isEmpty { findings.countLoss("computed figure", "its caption is shown") }
    for (index, caption) in captions.enumerated() {
      addCaption(caption, title: index == 0 ? title : nil, before: line)
    }
  }

  /// Adds the description of a figure that a hidden cell computes. Returns `false` if the cell has no description.
  private mutating func addDescription(_ options: CellOptions, _ line: PageLine) -> Bool {
    guard !options.isOff("eval"), let words = options["fig-alt"], !words.isEmpty else { return false }
    findings.countLoss("computed figure", "its description is shown")
    output.emit([line.blankLine, line.continuationPrefix + "*Figure: \(Self.escaped(words))*", line.blankLine])
    return true
  }

  /// Returns the label to which references lead. bookdown adds the kind of the element to the label of a cell.
  private func label(_ options: CellOptions, hasFigure: Bool) -> String? {
    guard let label = options["label"], !label.isEmpty else { return nil }
    if Self.word(of: label) != nil || !SourcePath.hasExtension("rmd", context.file) { return label }
    return (hasFigure ? "fig:" : "tab:") + label
  }

  private func shown(_ code: [String], _ engine: String, _ options: CellOptions, _ line: PageLine) -> [String] {
    let block = PageMarkup.code(code, language: engine, before: line)
    guard let fold = options["code-fold"], !QuartoSettings.isFalse(fold), !line.hasListMarker else { return block }
    let before = line.continuationPrefix
    let summary = (options["code-summary"] ?? "Code").escapedForXML()
    return [line.blankLine, before + "<details>", before + "<summary>\(summary)</summary>", line.blankLine] + block
      + [line.blankLine, before + "</details>", line.blankLine]
  }

  /// Returns the files that a line of R shows as images.
  private static func includedImages(in code: String) -> [String] {
    guard let call = code.range(of: "include_graphics(") else { return [] }
    let texts = ProgramStrings.all(in: String(code[call.upperBound...]))
    let names = texts.filter { $0.contains(".") }
    return code[call.upperBound...].hasPrefix("here::here(") || code[call.upperBound...].hasPrefix("here(")
      || code[call.upperBound...].hasPrefix("file.path(") ? [texts.joined(separator: "/")] : Array(names.prefix(12))
  }

  /// Reads the default for showing code: `knitr::opts_chunk$set(echo = FALSE)`.
  private mutating func noteDefaults(_ code: [String]) {
    guard code.contains(where: { $0.contains("opts_chunk$set(") }) else { return }
    let text = code.joined().filter { $0 != " " }
    if text.contains("echo=FALSE") || text.contains("echo=F,") || text.contains("echo=F)") { showsCode = false }
    if text.contains("echo=TRUE") { showsCode = true }
  }

  /// Reads a cell of bookdown whose body is text: a theorem, or a block of a type.
  private mutating func readTextCell(_ engine: String, _ options: CellOptions, _ line: PageLine) {
    var name = engine
    var attributes = ""
    if engine.hasPrefix("block") {
      let type = options["type"] ?? "div"
      // The types of the example book are "rmdnote", "rmdtip" and so on.
      let bare = type.hasPrefix("rmd") ? String(type.dropFirst(3)) : type
      name = DirectiveRole.of(bare) == nil ? "div" : bare
    } else if let label = options["label"] {
      let prefix = Self.prefixes[engine] ?? "thm"
      attributes = " #\(prefix):\(label)"
    }
    if let title = options["name"] { attributes += " name=\"\(title.replacing("\"", with: "”"))\"" }
    let open = line.continuationPrefix + "::: {.\(name)\(attributes)}"
    read(nested: [open[...]] + options.code.map { (line.continuationPrefix + $0)[...] } + [":::"])
  }

  private static let prefixes: [String: String] = [
    "theorem": "thm", "lemma": "lem", "corollary": "cor", "proposition": "prp", "conjecture": "cnj",
    "definition": "def", "example": "exm", "exercise": "exr", "hypothesis": "hyp", "solution": "sol", "remark": "rem",
  ]
}

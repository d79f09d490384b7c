import LearningModel
import TextCanvas

/// The numbers of equations, figures, tables, theorems and exercises of a page, and the texts of links to them.
///
/// Each kind is numbered in the order of the page, as Sphinx numbers equations.
///
/// Sources: Sphinx, "Cross-referencing", `eq` and `numref`; sphinx-proof, "Syntax"; sphinx-exercise, "Syntax"; MyST
/// Markdown, "Cross-references".
struct LabelledContent {
  /// The text of a link to each label, such as "(1)" or "Figure 2".
  private(set) var titles: [String: String] = [:]
  private var counts: [String: Int] = [:]

  /// Returns the next number of a kind.
  mutating func next(_ kind: String) -> Int {
    counts[kind, default: 0] += 1
    return counts[kind]!
  }

  mutating func set(_ title: String, for label: String) {
    if titles[label] == nil { titles[label] = title }
  }

  /// Returns the label of a term of a glossary.
  static func label(ofTerm term: String) -> String { "term-" + Anchor.make(from: term) }

  /// Returns the text of a link with the placeholders for the number and the title replaced.
  ///
  /// - Parameters:
  ///   - text: The text as written, such as `Figure %s`.
  ///   - title: The title of the target, such as `Figure 2`.
  static func filled(_ text: String, with title: String) -> String {
    guard text.contains("%s") || text.contains("{number}") || text.contains("{name}") else { return text }
    let number = title.split(separator: " ").last.map { $0.filter { $0.isNumber || $0 == "." } } ?? ""
    let shown = number.isEmpty ? title : String(number)
    return text.replacing("%s", with: shown).replacing("{number}", with: shown).replacing("{name}", with: title)
  }

  /// Returns the kind in the number of a directive, such as "Figure", or `nil` if the directive is not numbered. The
  /// numbers of theorems and exercises are part of their titles; other numbers precede the captions.
  static func kind(of directive: Directive) -> String? {
    let name = directive.name.lowercased()
    if name == "figure" || name == "code-cell" && directive.options["caption"] != nil { return "Figure" }
    if ["table", "list-table", "csv-table"].contains(name) { return "Table" }
    guard directive.options["nonumber"] == nil else { return nil }
    if name == "exercise" || name == "exercise-start" { return "Exercise" }
    guard name.hasPrefix("prf:"), name != "prf:proof" else { return nil }
    return name.dropFirst(4).prefix(1).uppercased() + name.dropFirst(5)
  }
}

extension PageMarkup {
  /// Adds the number to a labelled directive, and records the text of links to it.
  mutating func addNumber(to directive: inout Directive) {
    let label = directive.options["label"] ?? directive.options["name"] ?? directive.options["identifier"]
    if case .source("math") = DirectiveRole.of(directive.name) {
      guard let label else { return }
      let number = references.next("equation")
      references.set("(\(number))", for: label)
      directive.body.append("\\tag{\(number)}")
      return
    }
    if ["solution", "solution-start"].contains(directive.name.lowercased()),
      let exercise = references.titles[directive.argument]
    {
      // The argument of a solution is the label of its exercise.
      directive.argument = "Solution to \(exercise)"
      return
    }
    // Without a label, only theorems are numbered.
    guard let kind = LabelledContent.kind(of: directive), label != nil || directive.name.lowercased().hasPrefix("prf:")
    else { return }
    let number = "\(kind) \(references.next(kind))"
    if let label { references.set(number, for: label) }
    if kind == "Exercise" || directive.name.lowercased().hasPrefix("prf:") {
      directive.argument = directive.argument.isEmpty ? number : "\(number) (\(directive.argument))"
    } else {
      directive.options["number"] = number
    }
  }

  // MARK: Equations

  /// Reads a displayed formula with a label. Returns `false` for other lines.
  mutating func readFormula(
    _ line: PageLine, _ lines: [Substring], at index: inout Int, _ scan: inout Scan
  ) -> Bool {
    guard let emitted = labelledFormula(line, lines, at: &index) else { return false }
    // The first line of a formula without a label contains the list marker itself.
    let lead = emitted.first == String(line.fullLine) ? [] : startingInList(line)
    scan.output.emit(lead + emitted)
    return true
  }

  /// Returns a text with its labelled formulas converted.
  mutating func withLabelledFormulas(_ text: String) -> String {
    guard text.contains("$$ (") || text.contains("\\label{") else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var result: [String] = []
    var fence = CodeFence()
    var index = 0
    while index < lines.count {
      fence.process(lines[index])
      if !fence.isOpen, let emitted = labelledFormula(PageLine(lines[index]), lines, at: &index) {
        result += emitted
      } else {
        result.append(String(lines[index]))
        index += 1
      }
    }
    return result.joined(separator: "\n")
  }

  /// Returns the lines that replace a displayed formula: with its number if it has a label, `$$ … $$ (label)` or
  /// `\label{…}`, otherwise without the empty lines and comments that MyST allows. Returns `nil` if no such formula
  /// begins on the line.
  ///
  /// Sources: MyST-Parser, "Math", `$$` with labels and `amsmath`.
  private mutating func labelledFormula(_ line: PageLine, _ lines: [Substring], at index: inout Int) -> [String]? {
    let isEnvironment = line.content.hasPrefix("\\begin{")
    guard isEnvironment || line.content.hasPrefix("$$") else { return nil }
    // After a search without a result, no other one begins before the line that it reached.
    if isEnvironment, lines.count == environmentLimit.lines, index < environmentLimit.index { return nil }
    let name = line.content.dropFirst(7).prefix { $0 != "}" }
    let ending = isEnvironment ? "\\end{\(name)}" : "$$"
    var formula = ""
    var next = index
    var rest = line.content.dropFirst(isEnvironment ? 0 : 2)
    while true {
      if rest.utf8.contains(ending.utf8.first!), let end = rest.firstRange(of: ending) {
        formula += rest[..<(isEnvironment ? end.upperBound : end.lowerBound)]
        rest = rest[end.upperBound...].trimmingBlanks
        break
      }
      formula += rest + "\n"
      next += 1
      guard next < lines.count, !isEnvironment || next - index < 60 else {
        environmentLimit = (lines.count, next)
        return nil
      }
      let isEmpty = lines[next].allSatisfy(\.isWhitespace)
      guard !isEmpty || context.isNotebook && !isEnvironment && next - index < 60 else { return nil }
      rest = PageLine(lines[next]).removingPrefix(line)
      // A comment of LaTeX would hide the rest of the formula, because the formula becomes a single line.
      if rest.trimmingBlanks.first == "%" { rest = "" }
    }
    let label = rest.first == "(" && rest.last == ")" ? rest.dropFirst().dropLast() : ""
    guard rest.isEmpty || !label.isEmpty && !label.contains(where: { "() ".contains($0) }) else { return nil }
    var names = takeLabels(from: &formula)
    if !label.isEmpty {
      // A label without letters is the number that the author gave to the equation.
      let number = label.contains(where: \.isLetter) ? String(references.next("equation")) : String(label)
      names.append((String(label), number))
      formula += "\\tag{\(number)}"
    }
    if names.isEmpty {
      guard !isEnvironment else { return nil }
      defer { index = next + 1 }
      return lines[index...next].map(String.init).filter { written in
        let bare = written[...].trimmingBlanks
        return !bare.isEmpty && bare.first != "%"
      }
    }
    var emitted: [String] = []
    for (name, number) in names where !name.isEmpty {
      labels.insert(name)
      references.set("(\(number))", for: name)
      emitted += [line.blankLine, line.continuationPrefix + "<a id=\"\(name.escapedForXML())\"></a>", line.blankLine]
    }
    let source = formula.split(separator: "\n").map { String($0.trimmingBlanks) }.joined(separator: " ")
    index = next + 1
    return emitted + Self.code([source], language: "math", before: PageLine(Substring(line.continuationPrefix + "x")))
  }

  /// Replaces each `\label{…}` by a tag with its number, and returns the labels.
  private mutating func takeLabels(from formula: inout String) -> [(String, String)] {
    guard formula.contains("\\label{") else { return [] }
    var names: [(String, String)] = []
    var result = ""
    var rest = formula[...]
    while let start = rest.firstRange(of: "\\label{"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      let next = String(references.next("equation"))
      names.append((String(rest[start.upperBound..<end]), next))
      result += rest[..<start.lowerBound] + "\\tag{\(next)}"
      rest = rest[rest.index(after: end)...]
    }
    formula = result + rest
    return names
  }

  // MARK: Glossaries

  /// Returns a glossary as definitions. Each term is the target of its references.
  ///
  /// Source: Sphinx, "Directives", `glossary`.
  mutating func glossary(_ lines: [Substring]) -> String {
    var result: [String] = []
    var terms: [String] = []
    for line in lines {
      if line.allSatisfy(\.isWhitespace) {
        result.append("")
      } else if line.first?.isWhitespace != true {
        terms.append(String(line.trimmingBlanks))
      } else if terms.isEmpty {
        result.append("  " + line.trimmingBlanks)
      } else {
        for term in terms {
          // A term may be a link.
          let name = PageMarkup.plainText(term, context.limits)
          let label = LabelledContent.label(ofTerm: name)
          labels.insert(label)
          references.set(name, for: label)
          result += ["", "<a id=\"\(label.escapedForXML())\"></a>"]
        }
        result += ["", terms.joined(separator: ", "), ": " + line.trimmingBlanks]
        terms = []
      }
    }
    return (result + terms).joined(separator: "\n")
  }
}

import Foundation
import LearningModel
import TextCanvas

extension PandocMarkup {
  /// A fenced division that is open.
  enum Division {
    /// A division that requires no conversion at its end.
    case plain
    /// A set of tabs. Headings of the same level as the first heading begin tabs.
    case tabset(level: Int?, isTabOpen: Bool)
    /// A figure or a table, with its title and its caption.
    case float(title: String?, caption: String?)
  }

  mutating func readDivision(
    _ opening: PageLine.Colons, _ line: PageLine, _ lines: [Substring], at index: inout Int
  ) {
    index += 1
    guard opening.name != nil else {
      if let division = divisions.popLast() { close(division, line) } else { output.emit([String(line.fullLine)]) }
      return
    }
    let written = line.content.drop { $0 == ":" }.trimmingBlanks
    let attributes: Attributes
    if written.first == "{" {
      attributes = Attributes(written.dropFirst().prefix(upTo: written.lastIndex(of: "}") ?? written.endIndex))
    } else {
      attributes = Attributes("." + written.prefix { !$0.isWhitespace && $0 != "{" && $0 != ":" })
    }
    if let reason = hiding(attributes) {
      findings.countLoss(reason, "left out")
      return skipDivision(lines, at: &index)
    }
    let classes = attributes.classes
    if classes.contains("panel-tabset") || classes.contains("tabset") {
      output.emit(["", "<tabs>", ""])
      return divisions.append(.tabset(level: nil, isTabOpen: false))
    }
    if attributes.identifier == "refs" { findings.countLoss("bibliography", "left out") }
    var title: String?
    if let label = attributes.identifier {
      emitAnchor(label, before: line)
      title = register(label)
    }
    let theorem =
      classes.first { Self.theorems.contains($0) }
      ?? attributes.identifier.flatMap { Self.word(of: $0)?.lowercased() }.flatMap {
        Self.theorems.contains($0) && classes.isEmpty ? $0 : nil
      }
    if let theorem {
      var words = attributes.values["name"] ?? ""
      if words.isEmpty, let heading = PageMarkup().removeHeading(lines, at: &index) {
        words = String(Self.withoutAttributes(heading[...]).words)
      }
      let shown = [title, words.isEmpty ? nil : words].compactMap(\.self).joined(separator: ": ")
      let quoted = shown.replacing("\"", with: "”")
      output.emit([line.prefix + "::: {.\(theorem)" + (quoted.isEmpty ? "}" : " title=\"\(quoted)\"}")])
      return divisions.append(.plain)
    }
    let isKnown = classes.contains { DirectiveRole.of($0) != nil } || classes.isEmpty && written.first != "{"
    output.emit([isKnown ? String(line.fullLine) : line.prefix + "::: {.div}"])
    let caption = attributes.values["fig-cap"] ?? attributes.values["tbl-cap"] ?? attributes.values["lst-cap"]
    divisions.append(title == nil && caption == nil ? .plain : .float(title: title, caption: caption))
  }

  static let theorems: Set<String> = [
    "theorem", "lemma", "corollary", "proposition", "conjecture", "definition", "example", "exercise", "remark",
    "solution", "hypothesis", "proof", "algorithm",
  ]

  mutating func close(_ division: Division, _ line: PageLine = PageLine(":::")) {
    switch division {
    case .plain: output.emit([line.fullLine.isEmpty ? ":::" : String(line.fullLine)])
    case .tabset(_, let isTabOpen): output.emit((isTabOpen ? ["", "</tabitem>"] : []) + ["", "</tabs>", ""])
    case .float(let title, let caption):
      if let caption {
        addCaption(caption, title: title, before: line)
      } else if let title {
        label(lastParagraphWith: title)
      }
      output.emit([String(line.fullLine)])
    }
  }

  /// Returns the reason why a division is not shown on a web page, or `nil` if it is shown.
  private func hiding(_ attributes: Attributes) -> String? {
    if attributes.classes.contains("hidden") { return "hidden text" }
    let isVisible = attributes.classes.contains("content-visible")
    guard isVisible || attributes.classes.contains("content-hidden") else { return nil }
    var applies = true
    if let format = attributes.values["when-format"] { applies = format.hasPrefix("html") }
    if let format = attributes.values["unless-format"] { applies = !format.hasPrefix("html") }
    if attributes.values["when-profile"] != nil || attributes.values["when-meta"] != nil { applies = false }
    return isVisible == applies ? nil : "text for another output format"
  }

  private func skipDivision(_ lines: [Substring], at index: inout Int) {
    var (depth, fence) = (1, CodeFence())
    while index < lines.count, depth > 0 {
      let line = PageLine(lines[index])
      index += 1
      fence.process(line.content)
      if !fence.isOpen, let colons = line.colons { depth += colons.name == nil ? -1 : 1 }
    }
  }

  /// Writes the title of a figure before its caption, which is the last paragraph of the division.
  private mutating func label(lastParagraphWith title: String) {
    output.replaceStartOfLastParagraph { line in
      guard let first = line.first(where: { !$0.isWhitespace }), !"!|<:#-*>+`".contains(first) else { return nil }
      return "\(title): " + line.trimmingCharacters
    }
  }
}

import LearningModel
import TextCanvas

/// Framed blocks: a heading and a frame with a top, left and bottom edge. There is no right edge, because tables and
/// code may use the full width.
extension ReadingLayout {
  func append(_ box: Admonition, to text: inout ReadingText, margin: Margin) {
    let role = Self.role(of: box.kind)
    append(
      box.blocks, inFrameOf: styled(box.heading, role == .faint ? theme.bold(.strong) : theme.bold(role)), role,
      to: &text, margin: margin)
  }

  /// Appends the open footnotes of a block below it.
  func appendFootnotes(of block: Block, to text: inout ReadingText, margin: Margin) {
    guard !expandedNotes.isEmpty else { return }
    for note in block.footnoteReferences {
      guard let blocks = expandedNotes[note] else { continue }
      var noteMargin = margin
      noteMargin.first = nil
      append(
        blocks, inFrameOf: StyledText("[\(note)]", style: theme.bold(.quiet)), .faint, to: &text, margin: noteMargin)
    }
  }

  private func append(
    _ blocks: [Block], inFrameOf heading: StyledText, _ role: Role, to text: inout ReadingText, margin: Margin
  ) {
    let style = theme.line(role)
    let start = text.lines.count
    let across = String(symbols.horizontal)
    let frameWidth = max(8, width - margin.width)
    let lines = heading.runs.isEmpty ? [] : wrapped(heading, to: frameWidth - 4)
    for (number, line) in lines.enumerated() {
      let prefixRuns = number == 0 ? margin.first ?? margin.runs : margin.runs
      let isTop = number == 0 && !isPlain
      let corner = StyledRun(isTop ? "\(symbols.corners[0])\(across) " : "\(symbols.vertical) ", style: style)
      let ruleColumns = frameWidth - 4 - line.displayWidth
      let rule =
        isTop && ruleColumns > 0 ? [StyledRun(" " + String(repeating: across, count: ruleColumns), style: style)] : []
      text.lines.append(StyledLine(prefixRuns + [corner] + line.runs + rule))
    }
    if heading.runs.isEmpty, !isPlain {
      let rule = "\(symbols.corners[0])" + String(repeating: across, count: frameWidth - 1)
      text.lines.append(StyledLine((margin.first ?? margin.runs) + [StyledRun(rule, style: style)]))
    }
    var inner = margin
    inner.runs += [StyledRun("\(symbols.vertical) ", style: style)]
    inner.first = isPlain && heading.runs.isEmpty ? margin.first.map { $0 + [inner.runs.last!] } : nil
    inner.quoteDepth = 0
    append(blocks, to: &text, margin: inner)
    if !isPlain {
      let rule = "\(symbols.corners[2])" + String(repeating: across, count: frameWidth - 1)
      text.lines.append(StyledLine(margin.runs + [StyledRun(rule, style: style)]))
    }
    text.addUnbreakable(start..<min(text.lines.count, start + 2))
    text.addUnbreakable(max(start, text.lines.count - 2)..<text.lines.count)
  }

  /// Returns the role of a kind of framed block. The heading also names the kind, so that it does not depend on colour.
  private static func role(of kind: Admonition.Kind) -> Role {
    switch kind {
    case .note: .goal
    case .tip: .activity
    case .important: .course
    case .warning: .warn
    case .caution: .bad
    case .box: .faint
    }
  }

  /// Appends terms, each followed by its indented definition.
  func append(_ definitions: [Definition], to text: inout ReadingText, margin: Margin) {
    var margin = margin
    for (index, definition) in definitions.enumerated() {
      // If a term has no definition of its own, it belongs to the definition of the next term, and no blank line
      // separates the two.
      if index > 0, !definitions[index - 1].blocks.isEmpty { text.lines.append(spacingLine(margin)) }
      let start = text.lines.count
      text.addTargets(definition.term.targetNames, at: start)
      append(styled(definition.term, theme.bold(.strong)), to: &text, margin: margin)
      margin.first = nil
      var inner = margin
      inner.runs += [StyledRun(spaces(width - margin.width >= 24 ? 4 : 2))]
      append(definition.blocks, to: &text, margin: inner)
      text.addUnbreakable(start..<min(text.lines.count, start + 2))
    }
  }

  /// Appends tabs, each as a label followed by its content in a margin like that of a quotation.
  func append(_ tabs: [ContentTab], to text: inout ReadingText, margin: Margin) {
    var margin = margin
    for (index, tab) in tabs.enumerated() {
      if index > 0 { text.lines.append(spacingLine(margin)) }
      let start = text.lines.count
      // In an interactive text, the labels are links. Only the content of the selected tab is shown then, and its label
      // is bold.
      let isChoice = !tab.label.linkDestinations.isEmpty
      text.addTargets(tab.label.targetNames, at: start)
      append(styled(tab.label, isChoice ? theme[.quiet] : theme.bold(.quiet)), to: &text, margin: margin)
      margin.first = nil
      append([.quote(tab.blocks)], to: &text, margin: margin)
      text.addUnbreakable(start..<min(text.lines.count, start + 2))
    }
  }
}

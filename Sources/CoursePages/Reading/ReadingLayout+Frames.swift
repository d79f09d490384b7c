import LearningModel
import TextCanvas

/// What stands in a frame, below what it is: a line above, beside and below it. It is open at the right, where tables and
/// code may take all the room that there is.
extension ReadingLayout {
  func append(_ box: Admonition, to text: inout ReadingText, margin: Margin) {
    let role = Self.role(of: box.kind)
    append(
      box.blocks, inFrameOf: styled(box.heading, role == .faint ? theme.bold(.strong) : theme.bold(role)), role,
      to: &text, margin: margin)
  }

  /// Sets the notes that are read where they are named, below the block that names them.
  func appendNotes(of block: Block, to text: inout ReadingText, margin: Margin) {
    guard !openNotes.isEmpty else { return }
    for note in block.notesNamed {
      guard let blocks = openNotes[note] else { continue }
      var below = margin
      below.first = nil
      append(blocks, inFrameOf: StyledText("[\(note)]", style: theme.bold(.quiet)), .faint, to: &text, margin: below)
    }
  }

  private func append(
    _ blocks: [Block], inFrameOf heading: StyledText, _ role: Role, to text: inout ReadingText, margin: Margin
  ) {
    let style = theme.line(role)
    let start = text.lines.count
    let across = String(symbols.horizontal)
    let room = max(8, width - margin.width)
    let lines = heading.runs.isEmpty ? [] : wrapped(heading, to: room - 4)
    for (number, line) in lines.enumerated() {
      let before = number == 0 ? margin.first ?? margin.runs : margin.runs
      let isTop = number == 0 && !isPlain
      let corner = StyledRun(isTop ? "\(symbols.corners[0])\(across) " : "\(symbols.vertical) ", style: style)
      let rest = room - 4 - line.displayWidth
      let rule = isTop && rest > 0 ? [StyledRun(" " + String(repeating: across, count: rest), style: style)] : []
      text.lines.append(StyledLine(before + [corner] + line.runs + rule))
    }
    if heading.runs.isEmpty, !isPlain {
      let rule = "\(symbols.corners[0])" + String(repeating: across, count: room - 1)
      text.lines.append(StyledLine((margin.first ?? margin.runs) + [StyledRun(rule, style: style)]))
    }
    var inner = margin
    inner.runs += [StyledRun("\(symbols.vertical) ", style: style)]
    inner.first = isPlain && heading.runs.isEmpty ? margin.first.map { $0 + [inner.runs.last!] } : nil
    inner.depth = 0
    append(blocks, to: &text, margin: inner)
    if !isPlain {
      let rule = "\(symbols.corners[2])" + String(repeating: across, count: room - 1)
      text.lines.append(StyledLine(margin.runs + [StyledRun(rule, style: style)]))
    }
    text.keep(start..<min(text.lines.count, start + 2))
    text.keep(max(start, text.lines.count - 2)..<text.lines.count)
  }

  /// The hue of a kind. A page never says it by its hue alone.
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

  /// Words, and below each, further to the right, what it means.
  func append(_ definitions: [Definition], to text: inout ReadingText, margin: Margin) {
    var margin = margin
    for (index, one) in definitions.enumerated() {
      // A word without a meaning has that of the next.
      if index > 0, !definitions[index - 1].blocks.isEmpty { text.lines.append(air(margin)) }
      let start = text.lines.count
      append(styled(one.term, theme.bold(.strong)), to: &text, margin: margin)
      margin.first = nil
      var inner = margin
      inner.runs += [StyledRun(spaces(width - margin.width >= 24 ? 4 : 2))]
      append(one.blocks, to: &text, margin: inner)
      text.keep(start..<min(text.lines.count, start + 2))
    }
  }

  /// Each tab below its label, set apart as a quotation is.
  func append(_ tabs: [Tab], to text: inout ReadingText, margin: Margin) {
    var margin = margin
    for (index, tab) in tabs.enumerated() {
      if index > 0 { text.lines.append(air(margin)) }
      let start = text.lines.count
      // Of labels to choose from the chosen one is strong.
      let isChoice = !tab.label.linkDestinations.isEmpty
      append(styled(tab.label, isChoice ? theme[.quiet] : theme.bold(.quiet)), to: &text, margin: margin)
      margin.first = nil
      append([.quote(tab.blocks)], to: &text, margin: margin)
      text.keep(start..<min(text.lines.count, start + 2))
    }
  }
}

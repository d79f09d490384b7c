internal import LearningModel
internal import ScreenKit
internal import TextCanvas

/// All that is known of a place, opened from its card, or from the header of its page: the title stays where it is.
@MainActor final class InfoScreen: SheetScreen {
  private let facts: PlaceFacts
  private let source: () -> CellRect
  private static let wordWidth = 12
  /// Columns from which on all facts begin in one.
  private static let columned = 36

  init(_ facts: PlaceFacts, browser: Browser, source: @escaping () -> CellRect) {
    self.facts = facts
    self.source = source
    super.init(title: facts.title, browser: browser, source: source)
  }

  override var ownCommand: Command { .info }
  override var role: Role { Role(facts.kind) }
  override var topRight: String { facts.kind.rawValue }
  override var keepsTitle: Bool { true }
  override var preferredTop: Int? { source().row }

  override func text(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    let isColumned = width >= Self.columned
    let summary = StyledText(facts.summary, style: theme[.ink]).wrapped(to: width)
    return (facts.summary.isEmpty ? [] : summary + [StyledLine()])
      + facts.facts.flatMap { fact in
        var line = StyledText(fact.word, style: theme[.quiet])
        line.append(String(repeating: " ", count: isColumned ? max(1, Self.wordWidth - fact.word.displayWidth) : 1))
        line.append(fact.text, style: theme[.ink])
        return line.wrapped(to: width, hangingIndent: isColumned ? Self.wordWidth : 2)
      }
  }
}

extension PageScreen {
  /// Where a place is seen on the page: its card's frame, or the header's.
  func frame(of place: Place) -> CellRect {
    if let node = place.node, let card = picture.frames[node] { return card }
    return CellRect(
      column: metrics.frameLeft, row: max(0, titleRow - 1), columns: metrics.frameWidth, rows: ruleRow - titleRow + 2)
  }
}

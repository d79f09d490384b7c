import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The state of a card of a review. From here, the learner forgets it, sets the day on which it is due, or suspends it.
@MainActor final class CardInfoScreen: SheetScreen {
  private let facts: CardFacts
  /// Performs a command on the card after the overlay was closed.
  private let onCommand: (Command) -> Void
  private static let labelWidth = 12

  init(
    _ facts: CardFacts, context: ScreenContext, source: @escaping () -> CellRect,
    onCommand: @escaping (Command) -> Void
  ) {
    (self.facts, self.onCommand) = (facts, onCommand)
    super.init(
      title: facts.card.faces.question.plainText.onSingleRow, context: context, source: source)
  }

  override var ownCommand: Command { .info }
  override var role: Role { .activity }
  override var topRight: String { "card" }
  override var keyContexts: [KeyContext] { [.sheet, .review, .page, .everywhere] }

  override func offer(_ command: Command) -> Offer? {
    let label: String? =
      switch command {
      case .forgetCard: facts.card.state.phase == .new ? nil : "make new"
      case .setDue: "set due"
      case .suspendCard: facts.card.isSuspended ? nil : "suspend"
      default: nil
      }
    guard let label else { return super.offer(command) }
    return Offer(label, order: -1) { [self] in
      close()
      onCommand(command)
    }
  }

  override func text(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    return facts.rows.flatMap { fact in
      var line = StyledText(fact.name, style: theme[.quiet])
      line.append(String(repeating: " ", count: max(1, Self.labelWidth - fact.name.displayWidth)))
      line.append(fact.value, style: theme[.foreground])
      return line.wrapped(to: width, hangingIndent: Self.labelWidth)
    }
  }
}

/// Asks for the number of days until a card is due.
@MainActor final class DueDaysScreen: PromptScreen {
  private let onSubmit: (_ days: Int) throws -> Void

  init(context: ScreenContext, source: @escaping () -> CellRect, onSubmit: @escaping (_ days: Int) throws -> Void) {
    self.onSubmit = onSubmit
    super.init(title: "Set due", context: context, source: source)
  }

  override var prefix: String { "Due in" }
  override var role: Role { .activity }
  override var invitation: String { "days" }
  override var emptyMessage: String {
    "0 is today, 1 is tomorrow. The interval, the time between two reviews, stays the same."
  }
  override var completes: Bool { false }
  override var listHeight: Int { 3 }
  override var fieldKeys: [KeyHint]? {
    [KeyHint(context.appearance.symbols.enter, "set"), KeyHint("Esc", "cancel")]
  }

  override func submit() {
    guard let days = Int(field.text) else { return showMessage("Type a number of days, such as 3.") }
    do {
      try onSubmit(days)
      close()
    } catch {
      showMessage("\(error)")
    }
  }
}

/// Lists the cards that are forgotten often. Enter shows the state of one.
@MainActor final class LeechesScreen: PromptScreen {
  private let cards: [CardRow]
  private var matches: [CardRow] = []
  private let onOpen: (CardID) -> Void

  init(
    _ cards: [CardRow], context: ScreenContext, source: @escaping () -> CellRect, onOpen: @escaping (CardID) -> Void
  ) {
    (self.cards, self.onOpen) = (cards, onOpen)
    super.init(title: "Leeches", context: context, source: source)
    reloadEntries()
  }

  override var prefix: String { "Leeches" }
  override var invitation: String { cards.isEmpty ? "none" : "words of a card" }
  override var topRight: String { cards.isEmpty ? "" : String(cards.count) }
  override var completes: Bool { false }
  override var emptyMessage: String {
    cards.isEmpty
      ? "No card is a leech: forgotten often, each time after a day or more."
      : "No card has these words. Ctrl-U clears them."
  }
  override var fieldKeys: [KeyHint]? {
    [KeyHint(context.appearance.symbols.enter, "show information"), KeyHint("Esc", "close")]
  }

  override func makeEntries() throws -> [Entry] {
    let words = field.text.folded
    matches = cards.filter { words.isEmpty || $0.question.folded.contains(words) }
    return matches.map { card in
      Entry(
        completion: card.question, name: card.question, detail: card.place.title,
        topRight: "forgotten \(ReviewText.count(card.state.lapses, "time"))" + (card.isSuspended ? ", suspended" : ""))
    }
  }

  override func submit() {
    guard matches.indices.contains(chosen) else { return }
    let id = matches[chosen].id
    close()
    onOpen(id)
  }
}

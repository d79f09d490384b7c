import CoursePages
import NavigationKit
import ScreenKit

/// A change that the log does not record: of a bookmark or a course. It can be undone until the program ends.
@MainActor final class UnloggedChange {
  /// The position of the last event in the log when the change was made.
  let position: Int64
  let undo: () -> Void

  init(after position: Int64, undo: @escaping () -> Void) { (self.position, self.undo) = (position, undo) }
}

/// Undoes the newest change, of those in the log and those that the log does not record.
@MainActor final class UndoCommands: BrowserComponent {
  private let recorder: ActivityRecorder
  private let reader: PageReader
  private let writes: PendingWrites

  init(_ openPages: OpenPages, recorder: ActivityRecorder, reader: PageReader, writes: PendingWrites) {
    (self.recorder, self.reader, self.writes) = (recorder, reader, writes)
    super.init(openPages)
  }

  private func undo() {
    guard context.isInteractive else { return }
    writes.write("undo the last change") { [self] timeout in
      let unlogged = context.unloggedChanges.last
      if let change = try navigation.changes.undo(after: unlogged?.position ?? 0, waitingAtMost: timeout) {
        try show(change)
      } else if let unlogged {
        context.unloggedChanges.removeLast()
        unlogged.undo()
      } else {
        notify(UndoText.nothing)
      }
    }
  }

  /// Shows an undone change on the open pages, and a notice that names it.
  private func show(_ change: UndoneChange) throws {
    var isShown = false
    for case let deck as FlashcardsScreen in openPages.pages where deck.place == change.place.place {
      guard let item = change.item else { continue }
      deck.show(undone: item, grades: try navigation.progress.gradedCards(at: deck.place))
      isShown = openPages.focus === deck
    }
    for case let review as ReviewScreen in tabs.screens { isShown = review.show(change) || isShown }
    recorder.updateNotesOfPage()
    reader.reloadCurrentPage()
    notify(
      UndoText.text(
        change, isHere: tabs.selectedIndex == 0 && page?.place == change.place.place, isShown: isShown,
        hasFourAnswers: try navigation.reviews.settings().hasFourAnswers, quotes: appearance.symbols.quotes))
  }
}

extension UndoCommands: CommandResponder {
  func offer(_ command: Command) -> Offer? {
    command == .undo ? Offer(openPages.hasAnswers ? "undo" : "", rank: 1) { [self] in undo() } : nil
  }
}

extension BrowserComponent {
  /// The number of seconds for which the notice about a change is shown, and until a course is removed.
  static let undoTimeout = 12

  /// Shows a notice about a change and the key that undoes it.
  func notify(_ message: String, undoing effect: String) {
    screen.notify(
      message + (label(of: .undo).map { " \($0) \(effect)." } ?? ""), minimumSeconds: Double(Self.undoTimeout))
  }
}

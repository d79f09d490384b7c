import CoursePages
import TextCanvas

/// What a command would do now.
struct Offer {
  /// The rank from which an offer is listed in help, but not in the last row.
  static let helpRank = 4

  /// The text in the last row. If empty, only help and the palette list the command, by its sentence. If `nil`, the
  /// command is not listed.
  let label: String?
  /// If there is too little space, offers with a higher rank are omitted first.
  let rank: Int
  /// Offers with a lower order come first. Those of the same order are in the order of `KeyRow.all`.
  let order: Int
  let run: @MainActor () -> Void

  init(_ label: String? = "", rank: Int = 0, order: Int = 0, run: @escaping @MainActor () -> Void) {
    (self.label, self.rank, self.order, self.run) = (label, rank, order, run)
  }

  /// Uses the key without an effect, so that no other screen is asked for it.
  static var unused: Offer { Offer(nil) {} }
}

/// A screen, overlay, playback or component that performs commands.
@MainActor protocol CommandResponder: AnyObject {
  /// The contexts in which commands are looked up, the innermost first.
  var keyContexts: [KeyContext] { get }

  /// Returns what a command would do, or `nil` if it does nothing here and now. Must be cheap and have no effect.
  func offer(_ command: Command) -> Offer?

  /// The keys that a text field handles itself. If not `nil`, no other responder is asked.
  var fieldKeys: [KeyHint]? { get }

  /// Returns whether a text field handles a key, which is then not a command.
  func takes(_ key: KeyEvent) -> Bool
}

extension CommandResponder {
  var keyContexts: [KeyContext] { [.everywhere] }
  var fieldKeys: [KeyHint]? { nil }
  func takes(_ key: KeyEvent) -> Bool { false }

  /// Performs a command, and returns `false` if it does nothing.
  @discardableResult func perform(_ command: Command) -> Bool {
    guard let offer = offer(command) else { return false }
    offer.run()
    return true
  }
}

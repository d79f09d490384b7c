/// What is told of synchronising in the background.
package enum SyncNews: Hashable, Sendable {
  /// Something has come from the other side.
  case received
  /// It does not work, for this reason.
  case failed(String)
}

/// When a database synchronises in the background: it looks once a minute whether something was done.
///
/// What was done here goes with the next look. What was done elsewhere is asked for with every fifth, so that a server hears
/// seldom of those who do nothing.
package struct SyncRounds: Sendable {
  /// Seconds between two looks.
  package static let interval = 60.0
  /// With which look the other side is asked, whatever was done here.
  private static let asking = 5

  /// The state that both sides had in common last; `nil` before the first time.
  private var known: Int?
  private var looks = 0

  /// Begins with the next look.
  package init() {}

  /// Whether to synchronise with this look.
  ///
  /// - Parameter state: The number of the state of the database: ``NavigationService/changeNumber()``.
  package mutating func isDue(_ state: Int) -> Bool {
    looks += 1
    return state != known || looks >= Self.asking
  }

  /// Takes note that both sides have the same. Where that failed, the next look is due again.
  ///
  /// - Parameter state: The number of the state of the database now.
  package mutating func ended(_ state: Int) {
    known = state
    looks = 0
  }
}

/// Decides when saved files are checked again.
///
/// The state of the files is read at intervals, because notifications of the kernel do not cover network file systems. An editor can
/// write a file in several steps, so a check starts when the files have not changed for a while. Files that change while a check runs
/// make its result outdated, so that another starts.
package struct SaveWatch: Sendable {
  /// The interval at which the state is read.
  package static let interval = Duration.milliseconds(300)
  /// The time without a change after which a check starts.
  package static let quiet = Duration.milliseconds(200)

  private var checked: String
  private var latest: String
  private var lastChange: ContinuousClock.Instant?

  /// - Parameter state: The digest of the files that were checked last.
  package init(checked state: String) { (checked, latest) = (state, state) }

  /// Takes the digest of the files at a time. Returns whether a check starts now.
  package mutating func shouldCheck(_ state: String, at now: ContinuousClock.Instant) -> Bool {
    if state != latest { (latest, lastChange) = (state, now) }
    guard latest != checked, lastChange.map({ $0.duration(to: now) >= Self.quiet }) ?? true else {
      return false
    }
    checked = latest
    return true
  }
}

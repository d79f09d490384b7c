import CoursePages
import NavigationService
import TextCanvas

/// Something that the browser does by itself while the learner watches.
///
/// Its steps are computed and shown, and never performed: whoever watches has been nowhere. So nothing of it is in the
/// log, which marks steps by the system too as steps of the learner; and there is nothing to take back.
@MainActor protocol Performance: AnyObject {
  /// What the last two rows say meanwhile.
  var hint: Footer.Hint { get }
  var keys: [KeyHint] { get }
  /// The path taken in it, for the history to show; `nil` for the learner's own.
  var path: [HistoryRow]? { get }

  /// Takes an event.
  ///
  /// - Returns: Whether it was for the performance; what was not has ended it, and is for the page that is seen.
  func handle(_ event: InputEvent) -> Bool

  /// It is over: nothing that it has scheduled may happen any more.
  func stop()
}

extension InputEvent {
  /// Whether somebody did something: a key let go, a focus or another size is nobody's wish.
  var isIntended: Bool {
    switch self {
    case .key(let key): key.phase != .release
    case .mouse(let mouse):
      switch mouse.action {
      case .press, .scroll: true
      default: false
      }
    case .paste: true
    case .focus, .resize: false
    }
  }
}

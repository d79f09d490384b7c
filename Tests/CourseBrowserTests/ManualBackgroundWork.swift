@testable import CourseBrowser

/// Background work that waits until a test calls ``finish()``.
@MainActor final class ManualBackgroundWork {
  private(set) var pending: [BackgroundWork.Work] = []

  var runner: BackgroundWork { BackgroundWork { [self] in pending.append($0) } }

  /// Performs the pending work, but not the work that it adds to ``pending``.
  func finish() {
    let works = pending
    pending = []
    for work in works { work()() }
  }
}

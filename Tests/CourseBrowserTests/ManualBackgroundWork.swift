@testable import CourseBrowser

/// Background work that a test finishes explicitly, as if it took that long.
@MainActor final class ManualBackgroundWork {
  private(set) var pending: [BackgroundWork.Work] = []

  var runner: BackgroundWork { BackgroundWork { [self] in pending.append($0) } }

  /// Finishes the waiting work, but not the work that this starts.
  func finish() {
    let works = pending
    pending = []
    for work in works { work()() }
  }
}

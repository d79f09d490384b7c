@testable import CourseBrowser

/// Background work that a test finishes explicitly, as if it took that long.
@MainActor final class HeldWork {
  private(set) var waiting: [BackgroundWork.Work] = []

  var way: BackgroundWork { BackgroundWork { [self] in waiting.append($0) } }

  /// Finishes the waiting work, but not the work that this starts.
  func finish() {
    let works = waiting
    waiting = []
    for work in works { work()() }
  }
}

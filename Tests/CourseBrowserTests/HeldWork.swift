@testable import CourseBrowser

/// Work that waits until the test lets it be done, as if it took that long.
@MainActor final class HeldWork {
  private(set) var waiting: [BackgroundWork.Work] = []

  /// The way of working to give to a browser.
  var way: BackgroundWork { BackgroundWork { [self] in waiting.append($0) } }

  /// Does what waits, and what follows from it, but nothing that is begun by that.
  func finish() {
    let works = waiting
    waiting = []
    for work in works { work()() }
  }
}

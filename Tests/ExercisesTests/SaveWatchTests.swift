import Testing

@testable import Exercises

struct SaveWatchTests {
  /// Returns the milliseconds at which a check starts, for states of the files at times in milliseconds.
  private func starts(_ states: [(at: Int, state: String, isRunning: Bool)]) -> [Int] {
    let start = ContinuousClock.now
    var watch = SaveWatch(checked: "a")
    return states.filter {
      watch.shouldCheck($0.state, at: start.advanced(by: .milliseconds($0.at)), isRunning: $0.isRunning)
    }.map(\.at)
  }

  @Test("files that have not changed are not checked")
  func unchanged() { #expect(starts([(0, "a", false), (300, "a", false)]).isEmpty) }

  @Test("a saved file is checked once, when it has not changed for 200 ms")
  func saved() {
    #expect(
      starts([(0, "b", false), (100, "c", false), (299, "c", false), (300, "c", false), (600, "c", false)]) == [300])
  }

  @Test("a file that changes back before the check starts is not checked")
  func changedBack() { #expect(starts([(0, "b", false), (100, "a", false), (600, "a", false)]).isEmpty) }

  @Test("changes during a check cause one more check")
  func duringCheck() {
    #expect(
      starts([
        (0, "b", false), (300, "b", false), (600, "c", true), (900, "d", true), (1200, "d", false), (1500, "d", false),
      ]) == [300, 1200])
  }
}

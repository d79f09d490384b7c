import Testing

@testable import Exercises

struct SaveWatchTests {
  /// Returns the milliseconds at which a check starts, for states of the files at times in milliseconds.
  private func starts(_ states: [(at: Int, state: String)]) -> [Int] {
    let start = ContinuousClock.now
    var watch = SaveWatch(checked: "a")
    return states.filter {
      watch.shouldCheck($0.state, at: start.advanced(by: .milliseconds($0.at)))
    }.map(\.at)
  }

  @Test("files that have not changed are not checked")
  func unchanged() { #expect(starts([(0, "a"), (300, "a")]).isEmpty) }

  @Test("a saved file is checked once, when it has not changed for 200 ms")
  func saved() {
    #expect(
      starts([(0, "b"), (100, "c"), (299, "c"), (300, "c"), (600, "c")]) == [300])
  }

  @Test("a file that changes back before the check starts is not checked")
  func changedBack() { #expect(starts([(0, "b"), (100, "a"), (600, "a")]).isEmpty) }

  @Test("each state that stays for 200 ms is checked once")
  func severalStates() {
    #expect(starts([(0, "b"), (300, "b"), (600, "c"), (900, "d"), (1200, "d"), (1500, "d")]) == [300, 1200])
  }
}

import Testing

@testable import NavigationKit

struct SyncPollingTests {
  @Test func `a poll synchronises if there are local changes, otherwise only every fifth poll does`() {
    var rounds = SyncPollInterval()
    // The change number of the database at each poll.
    let states = [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]

    let due = states.map { state in
      let isDue = rounds.isDue(state)
      if isDue { rounds.ended(state) }
      return isDue ? "x" : "."
    }

    #expect(due.joined() == "x..x....x....x")
    #expect(SyncPollInterval.interval == 60)
  }

  @Test func `a failed run is repeated at the next poll`() {
    var rounds = SyncPollInterval()

    let failing = (0..<3).map { _ in rounds.isDue(1) }
    rounds.ended(1)
    let then = rounds.isDue(1)

    #expect(failing == [true, true, true] && !then)
  }

  @Test func `changes received during a run do not count as local changes`() {
    var rounds = SyncPollInterval()
    _ = rounds.isDue(1)
    rounds.ended(7)

    let due = [rounds.isDue(7), rounds.isDue(8)]

    #expect(due == [false, true])
  }

  @Test func `the change number of a database increases with every write`() throws {
    let fixture = try NavigationFixture.withCourses()
    let (ada, ben) = (try fixture.service(), try fixture.service("ben"))
    let state = try ada.changeNumber()
    let first = try state()

    try ada.perform(.open("english"))
    let second = try state()
    try ben.perform(.open("rust"))

    #expect(try state() != second && second != first)
    #expect(try state() == state())
  }
}

import Foundation
import TerminalHarness
import TestSupport
import Testing

extension KillCampaign {
  /// Kills `nav run` while it performs an operation.
  func killNavigation() throws {
    let session = "sitting-\(random.below(3))"
    let before = try steps(of: "ada", session: session)
    let nav = try NavRun(home, learner: "ada", session: session)
    let answerCount = random.below(8)
    for _ in 0..<answerCount {
      let start = ContinuousClock.now
      try nav.ask(.random(among: walked.activityPaths, &random))
      answerSeconds += (start.duration(to: .now) / .seconds(1) - answerSeconds) / 4
    }
    let currentPath = nav.answers.last?.to?.path
    let place = walked.activityPaths.filter { $0 != currentPath }[random.below(walked.activityPaths.count - 1)]
    try nav.tell(NavLine(operation: "open", place: place))

    // If this is the first operation, the duration of the program's start is added.
    let span = 1.2 * answerSeconds + (answerCount == 0 ? 0.1 : 0)
    let killed = kill(nav.program.processIdentifier, within: span) { usleep(useconds_t($0 * 1e6)) }
    try nav.readRest()

    try #require(killed.wasRunning, "`nav run` waits for its next line of input")
    try #require(nav.program.waitForExit() == .signalled(9))
    try expectOrder("nav, \(answerCount) answered, inside a write: \(killed.isInside)")
    let after = try steps(of: "ada", session: session)
    let answered = nav.answers.compactMap(\.event)
    for event in answered { try #require(after[event.sequence] == event.id, "an acknowledged step is in the log") }
    try #require(before.allSatisfy { after[$0.key] == $0.value }, "earlier events are unchanged")
    // The first operation of a session is preceded by a resume without an input line.
    let unanswered = after.count - before.count - answered.count
    let mayBegin = before.isEmpty ? 1 : 0
    try #require((0...1 + mayBegin).contains(unanswered))
    try #require(after.keys.sorted() == Array(1..<after.count + 1), "the sequence numbers have no gap")
    note("nav", isInside: killed.isInside, isWritten: nav.answers.count > answerCount || unanswered > mayBegin)
  }
}

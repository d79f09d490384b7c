import Foundation
import LearningModel
import NavigationKit
import Testing

struct ClassTests {
  @Test func `thirty imported learners form a class whose progress can be queried`() throws {
    let school = try NavigationFixture.withCourses()
    let teacher = try school.service("teacher")
    var files: [String] = []
    let agenda = "english/meetings/opening/agenda"
    let turns = "english/meetings/middle/turns"
    for number in 1...30 {
      let home = try NavigationFixture.withCourses()
      let name = "learner \(number < 10 ? "0" : "")\(number)"
      let member = try home.service(name)
      // All learners read the activity `agenda`. Every third learner begins the activity `turns` three times and leaves
      // it unfinished.
      try member.perform(.open(.text(agenda)))
      home.advance(seconds: 60)
      try member.progress.record(.seenToEnd, in: .text(agenda))
      for _ in 0..<(number % 3 == 0 ? 3 : 1) {
        let place = try member.perform(.open(.text(turns))).to.place
        try member.progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: home.now), in: place)
        home.advance(seconds: number % 3 == 0 ? 5 : 120)
        if number % 3 != 0 { try member.progress.record(.markedDone, in: .text(turns)) }
        try member.perform(.pop)
      }
      try member.endSession()
      files.append(try member.file(of: name))
    }

    let first = try files.map { try teacher.learners.import(from: Data($0.utf8), named: "f").steps }
    let second = try files.map { try teacher.learners.import(from: Data($0.utf8), named: "f").steps }
    let everyone = HistoryFilter(learner: .everyone, under: "english/meetings/middle")
    let progress = try teacher.progress.rows(of: "english/meetings/middle", by: .everyone)
    let stuck = progress.filter { $0.place.path.description == turns && $0.progress.done == 0 }.map(\.learner)
    let statistics = try teacher.history.statistics(by: .learner, everyone)
    let leaving = try teacher.history.leaving(everyone)

    #expect(first.allSatisfy { $0 > 0 } && second.allSatisfy { $0 == 0 })
    #expect(
      stuck == [
        "learner 03", "learner 06", "learner 09", "learner 12", "learner 15", "learner 18", "learner 21", "learner 24",
        "learner 27", "learner 30",
      ])
    #expect(progress.filter { $0.place.path.description == "english/meetings/middle" }.count == 30)
    #expect(statistics.count == 30)
    #expect(statistics.filter { $0.visits == 6 && $0.activeTime == .seconds(15) }.count == 10)
    #expect(statistics.filter { $0.visits == 2 && $0.activeTime == .seconds(120) }.count == 20)
    #expect(leaving.map(\.left) == [50] && leaving.map(\.done) == [20] && leaving.map(\.popped) == [30])
    #expect(try teacher.check() == [])
    #expect(try teacher.learners.all().count == 30)
  }
}

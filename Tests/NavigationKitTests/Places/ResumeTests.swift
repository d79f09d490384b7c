import LearningModel
import NavigationKit
import Testing

struct ResumeTests {
  @Test(
    arguments: [
      (0, "today"), (86_400, "yesterday"), (3 * 86_400, "on Friday"), (20 * 86_400, "on 20 November"),
    ] as [(Double, String)])
  func `resume reports when and where the learner left, and what to do next`(seconds: Double, day: String) throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings/opening/agenda"))
    fixture.advance(seconds: seconds)

    let resume = try service.resume()

    #expect(resume.last?.title == "Agenda" && resume.firstUnfinished?.title == "Agenda")
    #expect(resume.next?.title == "Hello")
    #expect(resume.reason == "You opened “Agenda” \(day); it is not done yet.")
  }

  @Test func `resume reports the first unfinished activity after the last one`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("rust/start/hello/world"))
    _ = try service.progress.record(.markedDone, in: "rust/start/hello/world")
    #expect(try service.resume().reason == "You opened “World” today; everything in “Rust” is done.")

    _ = try service.perform(.open("english/meetings/middle/votes"))
    _ = try service.progress.record(.markedDone, in: "english/meetings/middle/votes")

    #expect(try service.resume().reason == "You opened “Votes” today; the first unfinished activity is “Thanks”.")
  }

  @Test func `resume reports the begun activity that the lesson's page shows`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service()
    try service.begin("english/negotiating/offers/range")
    _ = try service.perform(.pop)

    let resume = try service.resume()

    #expect(resume.firstUnfinished?.title == "Range")
    #expect(resume.reason == "You opened “Offers” today; you have begun “Range”, which is not done yet.")
    #expect(try service.places.page().nextStep?.summary.place == resume.firstUnfinished)
  }

  @Test func `resume reports unfinished activities of other courses`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service()
    _ = try service.perform(.open("rust"))
    _ = try service.progress.record(.markedDone, in: "rust/start/hello/world")
    #expect(
      try service.resume().reason
        == "You opened “Rust” today; everything in “Rust” is done; the first unfinished activity is “Agenda”.")

    _ = try service.perform(.popToRoot)

    #expect(try service.resume().reason == "You opened “Courses” today; the first unfinished activity is “Agenda”.")
  }

  @Test func `a done activity is skipped while others are unfinished`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service()
    _ = try service.perform(.open("english/meetings/opening/agenda"))
    for title in ["agenda", "hello"] {
      _ = try service.progress.record(.markedDone, in: .text("english/meetings/opening/\(title)"))
    }

    #expect(try service.places.page().nextStep?.summary.place.title == "Hello")
    #expect(try service.continuation()?.summary.place.title == "Turns")
    #expect(try service.resume().firstUnfinished?.title == "Turns")
    #expect(try service.continuation(from: "rust/start/hello/world")?.summary.place.title == "World")
  }

  @Test func `resume suggests the first activity to a new learner`() throws {
    #expect(
      try NavigationFixture.withCourses().service().resume().reason
        == "There is no history yet; the first activity is “Agenda”.")
    #expect(
      try NavigationFixture().service().resume().reason == "There is no history and no course yet.")
  }

  @Test func `the last visited child is remembered for a few steps and across restarts`() throws {
    let fixture = try NavigationFixture.withCourses()
    var service = try fixture.service(session: .browser)
    let (course, goal) = (Place.node(try fixture.node("english")), Place.node(try fixture.node("english/meetings")))
    #expect(try service.history.lastVisitedChild(under: .root) == nil)
    #expect(try service.history.lastStep() == nil)
    _ = try service.perform(.open("english/meetings"))
    _ = try service.perform(.popToRoot)

    for _ in 0..<20 {
      try service.endSession()
      service = try fixture.service(session: .browser)
      _ = try service.perform(.resume)
    }

    #expect(try service.history.lastVisitedChild(under: .root) == course)
    #expect(try service.history.lastVisitedChild(under: course) == goal)
    #expect(try service.history.lastVisitedChild(under: goal) == nil)
    #expect(try service.history.lastStep() == service.history.page(limit: 1).rows.first)
    for _ in 0..<4 {
      _ = try service.perform(.push("english"))
      _ = try service.perform(.pop)
    }
    #expect(try service.history.lastVisitedChild(under: course) == nil, "only the last eight steps are considered")
  }
}

import LearningModel
import NavigationService
import Testing

struct ResumeTests {
  @Test(
    arguments: [
      (0, "today"), (86_400, "yesterday"), (3 * 86_400, "on Friday"), (20 * 86_400, "on 2026-11-20"),
    ] as [(Double, String)])
  func `resume says when and where, and what to do`(seconds: Double, day: String) throws {
    let desk = try Desk.withCourses()
    let service = try desk.service()
    _ = try service.perform(.open("english/meetings/opening/agenda"))
    desk.pass(seconds: seconds)

    let resume = try service.resume()

    #expect(resume.last?.title == "Agenda" && resume.firstUnfinished?.title == "Agenda")
    #expect(resume.next?.title == "Hello")
    #expect(resume.reason == "You left “Agenda” \(day); it is not done yet.")
  }

  @Test func `resume names the first thing unfinished after what is done, and the end of the course`() throws {
    let desk = try Desk.withCourses()
    let service = try desk.service()
    _ = try service.perform(.open("rust/start/hello/world"))
    _ = try service.record(.markedDone, in: "rust/start/hello/world")
    #expect(try service.resume().reason == "You left “World” today; everything in “Rust” is done.")

    _ = try service.perform(.open("english/meetings/middle/votes"))
    _ = try service.record(.markedDone, in: "english/meetings/middle/votes")

    #expect(try service.resume().reason == "You left “Votes” today; the first thing unfinished is “Thanks”.")
  }

  @Test func `somebody new is told where to begin`() throws {
    #expect(
      try Desk.withCourses().service().resume().reason
        == "You have not been anywhere yet; the first thing to do is “Agenda”.")
    #expect(
      try Desk().service().resume().reason == "You have not been anywhere yet, and there is no course.")
  }
}

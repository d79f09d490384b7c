import LearningModel
import NavigationService
import Testing

struct StepTests {
  @Test func `the first step of a learner begins a session at the list of courses`() throws {
    let desk = try Desk.withCourses()
    let service = try desk.service()

    let step = try service.perform(.open("english/meetings/opening"))

    #expect(step.stack.map(\.path.description) == ["/", "english", "english/meetings", "english/meetings/opening"])
    #expect(step.event?.sequence == 2)
    #expect(step.transition?.choice.kind == .courseCard)
    #expect(step.transition?.node?.path.description == "english")
  }
}

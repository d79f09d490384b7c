import LearningModel
@testable import NavigationKit
import Testing

struct StepTests {
  /// Performs the requests in order and returns the path after each.
  private func paths(_ service: NavigationService, _ requests: NavigationRequest...) throws -> [String] {
    try requests.map { try service.perform($0).to.path.description }
  }

  @Test func `the first step of a learner starts a session at the root`() throws {
    let (fixture, service) = try NavigationFixture.withService()

    let step = try service.perform(.open("english/meetings/opening"))

    #expect(step.stack.map(\.path.description) == ["/", "english", "english/meetings", "english/meetings/opening"])
    #expect(step.event == EventStamp(id: 2, sequence: 2, at: fixture.now))
    #expect(step.from == .root)
    let first = try #require(try service.history.page().rows.last)
    #expect(first.operation == .resume && first.from == nil && first.transition == nil && first.cause == .system)
  }

  @Test func `push goes to a child and pop to the parent`() throws {
    let service = try NavigationFixture.withCourses().service()

    #expect(
      try paths(service, .push("english"), .push("meetings"), .push("english/meetings/opening"), .pop, .pop)
        == ["english", "english/meetings", "english/meetings/opening", "english/meetings", "english"])
  }

  @Test func `pushing a place that is not a child is refused`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.push("english"))

    #expect(
      throws: NavigationError.notAChild(place: PlacePath("english/meetings/opening"), of: PlacePath("english"))
    ) { try service.perform(.push("english/meetings/opening")) }
    #expect(throws: NavigationError.notAChild(place: .root, of: PlacePath("english"))) {
      try service.perform(.push("/"))
    }
    #expect(try service.currentPlace().path.description == "english")
  }

  @Test func `popping at the root does nothing and records no event`() throws {
    let service = try NavigationFixture.withCourses().service()

    let pop = try service.perform(.pop)
    let popToRoot = try service.perform(.popToRoot)

    #expect(pop.outcome == .nothingToDo(.atRoot) && popToRoot.outcome == .nothingToDo(.atRoot))
    #expect(pop.message == "This is the list of courses: there is nothing above it.")
    #expect(try service.history.page().rows == [])
    #expect(try service.currentSession() == nil)
  }

  @Test func `popTo goes to a place on the stack and refuses every other`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("english/meetings/opening/agenda"))

    #expect(
      throws: NavigationError.notOnStack(
        place: PlacePath("rust"), current: PlacePath("english/meetings/opening/agenda"))
    ) { try service.perform(.popTo("rust")) }
    #expect(try service.perform(.popTo("agenda")).outcome == .nothingToDo(.alreadyThere))
    #expect(
      try paths(service, .popTo("english/meetings"), .popTo("english"), .popToRoot) == [
        "english/meetings", "english", "/",
      ])
  }

  @Test func `select goes to a sibling and refuses every other place`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("english/meetings/opening"))

    #expect(
      try paths(service, .select("closing"), .select("english/meetings/middle")) == [
        "english/meetings/closing", "english/meetings/middle",
      ])
    #expect(try service.perform(.select("middle")).outcome == .nothingToDo(.alreadyThere))
    #expect(
      throws: NavigationError.notASibling(
        place: PlacePath("english/negotiating"), of: PlacePath("english/meetings/middle"))
    ) { try service.perform(.select("english/negotiating")) }
  }

  @Test func `next visits all activities of a course in reading order`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("english/meetings/opening/agenda"))

    var read: [String] = []
    while case let step = try service.perform(.next), step.isPerformed { read.append(step.to.title) }
    var back: [String] = []
    while case let step = try service.perform(.previous), step.isPerformed { back.append(step.to.title) }

    #expect(read == ["Hello", "Turns", "Circle", "Votes", "Thanks", "Anchor", "Range"])
    #expect(back == ["Anchor", "Thanks", "Votes", "Circle", "Turns", "Hello", "Agenda"])
    #expect(try service.perform(.previous).outcome == .nothingToDo(.firstOfCourse))
  }

  @Test func `next leads to the adjacent sibling or the nearest place of its kind`() throws {
    let service = try NavigationFixture.withCourses().service()

    _ = try service.perform(.open("english/meetings/opening"))
    #expect(
      try paths(service, .next, .next, .next) == [
        "english/meetings/middle", "english/meetings/closing", "english/negotiating/offers",
      ])
    #expect(try service.perform(.next).outcome == .nothingToDo(.lastOfCourse))
    _ = try service.perform(.pop)
    #expect(try paths(service, .previous) == ["english/meetings"])
    _ = try service.perform(.pop)
    #expect(try paths(service, .next) == ["rust"])
    #expect(try service.perform(.next).outcome == .nothingToDo(.lastOfCourse))
  }

  @Test(
    arguments: [
      ("english/meetings/opening/agenda", .previous, "This is the first activity of the course."),
      ("english/negotiating/offers/range", .next, "This is the last activity of the course."),
      ("english/negotiating/offers", .next, "This is the last lesson of the course."),
      ("english/negotiating", .next, "This is the last goal of the course."),
      ("rust", .next, "This is the last course."),
      ("english", .previous, "This is the first course."),
      ("/", .next, "This is the list of courses: there is no next or previous place."),
    ] as [(String, NavigationRequest, String)])
  func `next and previous at the end of a course report the kind of place`(
    path: String, request: NavigationRequest, message: String
  ) throws {
    let service = try NavigationFixture.withCourses().service()
    try service.perform(.open(.text(path)))

    #expect(try service.perform(request).message == message)
  }

  @Test func `quickly repeated relative steps are all performed`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open("english/meetings/opening/agenda"))

    for _ in 0..<3 { _ = try service.perform(.next, cause: .key, waitingAtMost: .milliseconds(20)) }

    #expect(try service.currentPlace().title == "Circle")
    #expect(try service.history.page(HistoryFilter(operation: .next)).rows.count == 3)
  }

  @Test func `open finds any path and an unknown path reports similar ones`() throws {
    let service = try NavigationFixture.withCourses().service()

    #expect(try service.perform(.open("/english//meetings/")).to.title == "Meetings")
    #expect(try service.perform(.open("english/meetings")).outcome == .nothingToDo(.alreadyThere))
    #expect(
      throws: NavigationError.unknownPlace(
        name: "english/meeting/opening", nearest: [PlacePath("english/meetings/opening")])
    ) { try service.perform(.open("english/meeting/opening")) }
    #expect(
      throws: NavigationError.unknownPlace(name: "openin", nearest: [PlacePath("english/meetings/opening")])
    ) { try service.perform(.push("openin")) }
  }

  @Test func `back and forward follow the visits, and a new step removes the visits ahead`() throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try paths(service, .push("english"), .push("meetings"), .open("rust/start"))

    #expect(try paths(service, .back, .back, .forward) == ["english/meetings", "english", "english/meetings"])
    #expect(
      try paths(service, .push("closing"), .back, .back) == [
        "english/meetings/closing", "english/meetings", "english",
      ])
    #expect(try paths(service, .forward, .forward) == ["english/meetings", "english/meetings/closing"])
    #expect(try service.perform(.forward).outcome == .nothingToDo(.noVisitAfter))
    for _ in 0..<3 { _ = try service.perform(.back) }
    #expect(try service.perform(.back).outcome == .nothingToDo(.noVisitBefore))
    #expect(try service.history.page(HistoryFilter(operation: .back)).rows.allSatisfy { $0.operation.isTraversal })
  }

  @Test func `predicting a step changes nothing and returns its result`() throws {
    let service = try NavigationFixture.withCourses().service()

    let predicted = try service.predict(.open("english/meetings"))

    #expect(predicted.outcome == .predicted && predicted.event == nil && predicted.message == nil)
    #expect(try service.learners.all() == [] && service.history.page().rows == [])
    let step = try service.perform(.open("english/meetings"))
    #expect(predicted.stack == step.stack && predicted.from == step.from && predicted.transition == step.transition)
  }

  @Test func `resume continues at the latest place of any session`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    let first = try service.perform(.resume)
    _ = try service.perform(.open("english/meetings"))
    let phone = try fixture.service(session: .named("phone"))

    #expect(first.message == "There is no history yet: this is the list of courses.")
    #expect(first.from == nil && first.to == .root && first.event?.sequence == 1)
    #expect(try phone.currentPlace().title == "Meetings")
    _ = try phone.perform(.push("closing"))
    #expect(try phone.perform(.resume).outcome == .nothingToDo(.alreadyThere))
    #expect(try service.perform(.resume).to.title == "Closing")
    #expect(try service.history.page(limit: 1).rows.first?.operation == .resume)
  }
}

import LearningModel
@testable import NavigationKit
import Testing

struct TransitionTableTests {
  @Test func `every kind of place has the same transitions in both directions`() {
    #expect(TransitionTable.rows.map(\.kind) == PlaceKind.allCases)
    for row in TransitionTable.rows { #expect(row.asSource == row.asTarget) }
    #expect(TransitionTable.sourceTypes(of: .root) == [.courseCard])
    #expect(TransitionTable.targetTypes(of: .course) == [.courseCard, .goalCard, .siblingSlide])
    #expect(TransitionTable.sourceTypes(of: .goal) == [.courseCard, .goalCard, .lessonCard, .siblingSlide])
    #expect(
      TransitionTable.sourceTypes(of: .lesson)
        == [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide])
    #expect(
      TransitionTable.targetTypes(of: .activity)
        == [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide])
  }

  /// The arguments are the start, the request, and the kind, direction and moving node of the expected transition.
  @Test(
    arguments: [
      ("/", .push("english"), .courseCard, .down, "english"),
      ("english", .push("meetings"), .goalCard, .down, "english/meetings"),
      ("english/meetings", .push("opening"), .lessonCard, .down, "english/meetings/opening"),
      ("english/meetings/opening", .push("agenda"), .activityCard, .down, "english/meetings/opening/agenda"),
      ("english/meetings/middle", .push("rounds"), .lessonCard, .down, "english/meetings/middle/rounds"),
      ("english/meetings/opening/agenda", .pop, .activityCard, .up, "english/meetings/opening/agenda"),
      ("english/meetings/opening/agenda", .popTo("english/meetings"), .lessonCard, .up, "english/meetings/opening"),
      ("english/meetings/opening/agenda", .popTo("english"), .goalCard, .up, "english/meetings"),
      ("english/meetings/opening/agenda", .popToRoot, .courseCard, .up, "english"),
      ("english", .open("english/meetings/opening/agenda"), .goalCard, .down, "english/meetings"),
      ("english/meetings/opening", .select("closing"), .siblingSlide, .right, "english/meetings/closing"),
      ("english/meetings/closing", .select("opening"), .siblingSlide, .left, "english/meetings/opening"),
      (
        "english/meetings/opening/hello", .open("english/meetings/opening/agenda"), .siblingSlide, .left,
        "english/meetings/opening/agenda"
      ),
      ("english", .select("rust"), .siblingSlide, .right, "rust"),
      ("english/meetings/opening/hello", .next, .siblingSlide, .right, "english/meetings/middle/turns"),
      ("english/meetings/middle/turns", .previous, .siblingSlide, .left, "english/meetings/opening/hello"),
      ("english/meetings/middle/rounds", .select("turns"), .siblingSlide, .left, "english/meetings/middle/turns"),
    ] as [(String, NavigationRequest, TransitionKind, TransitionDirection, String)])
  func `a step between related places is a matched transition of one node`(
    from: String, request: NavigationRequest, kind: TransitionKind, direction: TransitionDirection, node: String
  ) throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.resume)
    _ = try service.perform(.open(.text(from)))

    let transition = try #require(try service.predict(request).transition)

    #expect(
      transition.choice
        == TransitionChoice(kind: kind, direction: direction, reason: .matched, node: try fixture.node(node)))
    #expect(transition.node?.path.description == node)
  }

  @Test(arguments: [
    ("english/meetings/opening", "rust/start/hello"), ("english/meetings", "rust"),
    ("english/meetings/opening/agenda", "english/meetings/closing/thanks"),
  ])
  func `a step between unrelated places is a cross-fade`(from: String, to: String) throws {
    let service = try NavigationFixture.withCourses().service()
    _ = try service.perform(.open(.text(from)))

    let transition = try #require(try service.perform(.open(.text(to))).transition)

    #expect(transition == StepTransition(choice: .crossFade, node: nil))
    #expect(try service.history.page(limit: 1).rows.first?.transition?.choice == .crossFade)
  }
}

import GRDB
import LearningModel
import NavigationKit
import Testing

/// Tests every case in which an operation is not performed, each with a new database.
struct RefusalTests {
  /// The result of an operation that is not performed.
  enum Expected: Hashable {
    case refused(NavigationError)
    case nothing(NavigationStep.NothingToDo)
  }

  /// A cell of the table of operations: the current place, a request, and the expected result.
  struct Case: CustomTestStringConvertible {
    let at: String
    let request: NavigationRequest
    let instead: Expected

    init(_ at: String, _ request: NavigationRequest, _ error: NavigationError) {
      (self.at, self.request, instead) = (at, request, .refused(error))
    }

    init(_ at: String, _ request: NavigationRequest, _ reason: NavigationStep.NothingToDo) {
      (self.at, self.request, instead) = (at, request, .nothing(reason))
    }

    var testDescription: String { "\(request) at \(at)" }
  }

  private static let middle = "english/meetings/middle"
  private static let agenda = "english/meetings/opening/agenda"
  private static let thanks = "english/meetings/closing/thanks"

  private static func no(_ path: String, child of: String) -> NavigationError {
    .notAChild(place: PlacePath(path), of: PlacePath(of))
  }
  private static func no(_ path: String, above current: String) -> NavigationError {
    .notOnStack(place: PlacePath(path), current: PlacePath(current))
  }
  private static func no(_ path: String, beside other: String) -> NavigationError {
    .notASibling(place: PlacePath(path), of: PlacePath(other))
  }
  private static func unknown(_ name: String, _ nearest: String...) -> NavigationError {
    .unknownPlace(name: name, nearest: nearest.map { PlacePath($0) })
  }
  /// The error for `english/negotiating/offers`, which is removed from the course before each test.
  private static let gone = NavigationError.removedPlace(
    title: "Offers",
    nearest: NamedPlace(place: .root, path: PlacePath("english/negotiating"), kind: .goal, title: "Negotiating"))

  static let pushes = [
    Case(middle, .push("english/meetings/closing"), no("english/meetings/closing", child: middle)),
    Case(middle, .push("english/meetings"), no("english/meetings", child: middle)),
    Case(middle, .push("english/meetings/middle/rounds/circle"), no("\(middle)/rounds/circle", child: middle)),
    Case(middle, .push("rust"), no("rust", child: middle)), Case(middle, .push("/"), no("/", child: middle)),
    Case("/", .push("english/meetings"), no("english/meetings", child: "/")),
    Case(agenda, .push("rust/start/hello/world"), no("rust/start/hello/world", child: agenda)),
    Case(middle, .push("round"), unknown("round", "\(middle)/rounds")),
    Case(middle, .push("english/meeting"), unknown("english/meeting", "english/meetings")),
    Case("english/negotiating", .push("offers"), gone), Case(middle, .push(.text(middle)), .alreadyThere),
    Case("/", .push("/"), .alreadyThere),
  ]
  static let pops = [Case("/", .pop, .atRoot), Case("/", .popToRoot, .atRoot)]
  static let popTos = [
    Case(middle, .popTo("english/meetings/closing"), no("english/meetings/closing", above: middle)),
    Case(middle, .popTo("english/meetings/middle/turns"), no("\(middle)/turns", above: middle)),
    Case(middle, .popTo("rust"), no("rust", above: middle)), Case("/", .popTo("english"), no("english", above: "/")),
    Case(middle, .popTo("meting"), unknown("meting")),
    Case(middle, .popTo("english/negotiating/offers"), gone), Case(middle, .popTo("middle"), .alreadyThere),
    Case("/", .popTo("/"), .alreadyThere),
  ]
  static let selects = [
    Case(middle, .select("turns"), unknown("turns", "\(middle)/turns")),
    Case(middle, .select("english/meetings/middle/turns"), no("\(middle)/turns", beside: middle)),
    Case(middle, .select("english/meetings"), no("english/meetings", beside: middle)),
    Case(middle, .select("english/negotiating"), no("english/negotiating", beside: middle)),
    Case(middle, .select("rust"), no("rust", beside: middle)), Case(middle, .select("/"), no("/", beside: middle)),
    Case("/", .select("english"), no("english", beside: "/")),
    Case(middle, .select("closings"), unknown("closings", "english/meetings/closing")),
    Case("english/meetings", .select("english/negotiating/offers"), gone),
    Case(middle, .select("middle"), .alreadyThere), Case("/", .select("/"), .alreadyThere),
  ]
  static let besides = [
    Case(thanks, .next, .lastOfCourse), Case(agenda, .previous, .firstOfCourse),
    Case("english/meetings/closing", .next, .lastOfCourse), Case("english/meetings/opening", .previous, .firstOfCourse),
    Case("english/negotiating", .next, .lastOfCourse), Case("english/meetings", .previous, .firstOfCourse),
    Case("rust", .next, .lastOfCourse), Case("english", .previous, .firstOfCourse),
    Case("/", .next, .lastOfCourse), Case("/", .previous, .firstOfCourse),
  ]
  static let others = [
    Case(middle, .open("englsh/meetings"), unknown("englsh/meetings", "english/meetings")),
    Case(middle, .open("closing"), unknown("closing", "english/meetings/closing")),
    Case(middle, .open("english/negotiating/offers"), gone),
    Case(middle, .open("english/negotiating/offers/anchor"), .removedPlace(title: "Anchor", nearest: nearestOfGone)),
    Case(middle, .open(.text(middle)), .alreadyThere), Case("/", .open("/"), .alreadyThere),
    Case("/", .back, .noVisitBefore), Case(middle, .forward, .noVisitAfter), Case("/", .forward, .noVisitAfter),
    Case(middle, .resume, .alreadyThere), Case("/", .resume, .alreadyThere),
  ]
  private static let nearestOfGone = NamedPlace(
    place: .root, path: PlacePath("english/negotiating"), kind: .goal, title: "Negotiating")

  static let cases = pushes + pops + popTos + selects + besides + others

  @Test(arguments: cases)
  func `a refused operation reports why, also when predicted, and changes nothing`(cell: Case) throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.perform(.resume)
    if cell.at != "/" { try service.perform(.open(.text(cell.at))) }
    try fixture.write {
      try $0.execute(
        sql: """
          UPDATE contentNode SET removedInRevision = 1 WHERE slug IN ('anchor', 'range', 'offers')
          """)
    }
    let before = try service.currentLocation()
    let rows = try service.history.page().rows

    #expect(expected(of: Result { try service.predict(cell.request) }) == cell.instead)
    #expect(expected(of: Result { try service.perform(cell.request) }) == cell.instead)

    #expect(try service.currentLocation() == before)
    #expect(try service.history.page().rows == rows)
  }

  @Test func `the table of refusals covers every operation and every reason`() {
    let operations = Set(Self.cases.map(\.request.operation))
    let reasons = Set(
      Self.cases.compactMap { cell in
        if case .nothing(let reason) = cell.instead { "\(reason)" } else { nil }
      })

    #expect(operations == Set(NavigationOperation.allCases).subtracting([.repair]))
    #expect(reasons.count == 6)
  }

  @Test(arguments: cases.filter { $0.at == "/" })
  func `a refused request of a new learner does not create the learner`(cell: Case) throws {
    guard cell.request != .resume else { return }
    let service = try NavigationFixture.withCourses().service()

    _ = expected(of: Result { try service.perform(cell.request) })

    #expect(try service.learners.all() == [] && service.history.sessions(of: .everyone) == [])
  }

  @Test(
    arguments: [
      .push("turns"), .pop, .popTo("english"), .popToRoot, .select("closing"), .next, .previous, .open("rust"), .back,
    ] as [NavigationRequest])
  func `every operation fails on a busy database and can be repeated`(
    request: NavigationRequest
  ) throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.perform(.open("english"))
    try service.perform(.open(.text(Self.middle)))
    let rows = try service.history.page().rows
    let other = try DatabaseQueue(path: fixture.database)

    try other.inDatabase { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      #expect(throws: NavigationError.busy) { try service.perform(request, waitingAtMost: .milliseconds(20)) }
      try database.execute(sql: "ROLLBACK")
    }

    #expect(try service.history.page().rows == rows)
    #expect(try service.perform(request, waitingAtMost: .seconds(2)).isPerformed)
  }

  /// Returns the result without a step, or `nil` for a step. Places are compared by path, because each database numbers
  /// its nodes differently.
  private func expected(of answer: Result<NavigationStep, any Error>) -> Expected? {
    switch answer {
    case .success(let step):
      if case .nothingToDo(let reason) = step.outcome { .nothing(reason) } else { nil }
    case .failure(NavigationError.removedPlace(let title, let nearest)):
      .refused(.removedPlace(title: title, nearest: Self.unnumbered(nearest)))
    case .failure(let error):
      (error as? NavigationError).map(Expected.refused)
    }
  }

  private static func unnumbered(_ place: NamedPlace) -> NamedPlace {
    NamedPlace(place: .root, path: place.path, kind: place.kind, title: place.title)
  }
}

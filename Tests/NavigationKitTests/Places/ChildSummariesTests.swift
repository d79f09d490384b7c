import LearningModel
import NavigationKit
import Testing

struct ChildSummariesTests {
  private static let titles = ["L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9"]

  /// Makes a database whose course has a goal with ten lessons of one activity each, and an empty goal.
  private static func fixture() throws -> NavigationFixture {
    let fixture = try NavigationFixture()
    try fixture.insertCourse(
      "wide\n  many\n" + titles.map { "    \($0.lowercased())\n      a\($0.dropFirst())*\n" }.joined() + "  none\n")
    return fixture
  }

  private func shown(_ cards: ChildSummaries) -> String {
    "\(cards.summaries.map(\.place.title).joined(separator: " ")) from \(cards.before) of \(cards.count), "
      + "focus \(cards.focus.map(String.init) ?? "none")"
  }

  @Test func `a slice of many children is centred on the requested child`() throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    let many = Place.node(try fixture.node("wide/many"))
    func part(_ focus: ChildSummaries.Focus, _ count: Int = 4) throws -> String {
      shown(try service.places.childSummaries(of: many, .some(count, around: focus)))
    }

    #expect(try part(.index(5)) == "L3 L4 L5 L6 from 3 of 10, focus 5")
    #expect(try part(.index(0)) == "L0 L1 L2 L3 from 0 of 10, focus 0")
    #expect(try part(.index(400)) == "L6 L7 L8 L9 from 6 of 10, focus 9")
    #expect(try part(.index(-3)) == "L0 L1 L2 L3 from 0 of 10, focus 0")
    #expect(try part(.node(fixture.node("wide/many/l8"))) == "L6 L7 L8 L9 from 6 of 10, focus 8")
    #expect(try part(.node(fixture.node("wide/none"))) == "L0 L1 L2 L3 from 0 of 10, focus none")
    #expect(try part(.index(2), 40) == "\(Self.titles.joined(separator: " ")) from 0 of 10, focus 2")
    #expect(try part(.index(2), 0) == " from 2 of 10, focus 2")
  }

  @Test func `the focus is the begun child, otherwise the first unfinished one`() throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    let many = Place.node(try fixture.node("wide/many"))
    func focus() throws -> Int? { try service.places.childSummaries(of: many, .some(1, around: .nextToDo)).focus }
    #expect(try focus() == 0)

    _ = try service.progress.record(.markedDone, in: "wide/many/l0/a0")
    _ = try service.progress.record(.markedDone, in: "wide/many/l1/a1")
    #expect(try focus() == 2)

    try service.begin("wide/many/l7/a7")
    #expect(try focus() == 7)

    for number in 2...9 { _ = try service.progress.record(.markedDone, in: .text("wide/many/l\(number)/a\(number)")) }
    #expect(try focus() == nil)
  }

  @Test func `consecutive slices contain all children`() throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    _ = try service.progress.record(.markedDone, in: "wide/many/l4/a4")
    _ = try service.notes.setBookmark(true, at: "wide/many/l6")
    let many = Place.node(try fixture.node("wide/many"))
    let all = try service.places.childSummaries(of: many, .all)

    let slices = try (0..<10).flatMap {
      try service.places.childSummaries(of: many, .some(1, around: .index($0))).summaries
    }

    #expect(slices == all.summaries)
    #expect((all.before, all.count, all.focus) == (0, 10, nil))
  }

  @Test func `slices of an empty place and of the list of courses are always complete`() throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    let none = Place.node(try fixture.node("wide/none"))

    #expect(
      shown(try service.places.childSummaries(of: none, .some(4, around: .index(2)))) == " from 0 of 0, focus none")
    #expect(
      shown(try service.places.childSummaries(of: .root, .some(0, around: .index(0)))) == "Wide from 0 of 1, focus 0")
    #expect(try service.places.page(of: "/", with: .some(0, around: .index(0))).summary.progress.total == 10)
  }

  @Test func `a page with a slice of its children otherwise equals the whole page`() throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    try service.begin("wide/many/l7/a7")
    let all = try service.places.page(of: "wide/many")

    let slice = try service.places.page(of: "wide/many", with: .some(3, around: .nextToDo))

    #expect(slice.children == Array(all.children[6...8]))
    #expect(slice.childSummaries.count == 10)
    #expect((slice.summary, slice.ancestors, slice.position) == (all.summary, all.ancestors, all.position))
    #expect((slice.next, slice.previous, slice.nextStep) == (all.next, all.previous, all.nextStep))
  }
}

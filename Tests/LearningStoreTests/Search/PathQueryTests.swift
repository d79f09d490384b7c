import LearningModel
import Testing

@testable import LearningStore

struct PathQueryTests {
  private static let activities = ["Read the brief", "Who speaks first?", "Anchors and ranges", "Make the first offer"]

  private func fixture() throws -> SearchFixture {
    let fixture = try SearchFixture()
    try fixture.write(
      "English for Business", goal: "Negotiating", lesson: "Opening offers", Self.activities.map { ($0, "Silence.") })
    try fixture.write("Français", position: 1, goal: "Négocier", lesson: "L’ouverture", [("Écouter", "")])
    return fixture
  }

  @Test(arguments: [
    ("neg op", ["Opening offers"] + activities.prefix(0)),
    ("op neg", ["Opening offers"]),
    ("eng neg ope", ["Opening offers"]),
    ("NEG who", ["Who speaks first?"]),
    ("neg op 2", ["Who speaks first?"]),
    ("neg op 4", ["Make the first offer"]),
    ("neg op 5", []),
    ("neg op 0", []),
    ("op 3", ["Anchors and ranges"]),
    ("english-for-business/negotiating/opening-offers", ["Opening offers"]),
    ("fr nego", ["Négocier"]),
    ("nég écou", ["Écouter"]),
    ("neg zzz", []),
    ("\"neg\" op", []),
  ])
  func `prefixes of words in ancestor titles find a place`(query: String, titles: [String]) throws {
    #expect(try fixture().titles(query).filter { $0 != "English for Business" } == titles)
  }

  @Test func `places whose own titles match more words come first, then higher places`() throws {
    let fixture = try SearchFixture()
    try fixture.write(
      "Cooking", goal: "Bread", lesson: "Flour", [("Bread and flour", ""), ("Bread", ""), ("Kneading bread", "")])

    #expect(try fixture.titles("bre fl") == ["Bread and flour", "Flour", "Bread", "Kneading bread"])
  }

  @Test func `a search by ancestor titles can be limited to a kind`() throws {
    #expect(try fixture().titles("neg op 2", kind: .activity) == ["Who speaks first?"])
    #expect(try fixture().titles("neg op 2", kind: .lesson) == [])
    #expect(try fixture().titles("eng neg", kind: .goal) == ["Negotiating"])
  }

  @Test func `a search by ancestor titles is not corrected and shows a passage`() throws {
    let fixture = try fixture()

    #expect(try fixture.store.read { try $0.search("neg op 2") }.didYouMean == nil)
    #expect(try fixture.passage("neg who") == "Silence.")
  }

  @Test func `a removed place is not found by ancestor titles`() throws {
    let fixture = try fixture()
    let course = try #require(try fixture.store.read { try $0.search("business").hits.first?.node.id })
    _ = try fixture.store.removeCourse(course, at: Timestamp(milliseconds: 1))

    #expect(try fixture.titles("neg op") == [])
    #expect(try fixture.titles("neg op 2") == [])
  }
}

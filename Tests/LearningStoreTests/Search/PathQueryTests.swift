import LearningModel
import Testing

@testable import LearningStore

struct PathQueryTests {
  private static let activities = ["Read the brief", "Who speaks first?", "Anchors and ranges", "Make the first offer"]

  private func shelf() throws -> SearchFixture {
    let shelf = try SearchFixture()
    try shelf.write(
      "English for Business", goal: "Negotiating", lesson: "Opening offers", Self.activities.map { ($0, "Silence.") })
    try shelf.write("Français", position: 1, goal: "Négocier", lesson: "L’ouverture", [("Écouter", "")])
    return shelf
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
    #expect(try shelf().titles(query).filter { $0 != "English for Business" } == titles)
  }

  @Test func `places whose own titles match more words come first, then higher places`() throws {
    let shelf = try SearchFixture()
    try shelf.write(
      "Cooking", goal: "Bread", lesson: "Flour", [("Bread and flour", ""), ("Bread", ""), ("Kneading bread", "")])

    #expect(try shelf.titles("bre fl") == ["Bread and flour", "Flour", "Bread", "Kneading bread"])
  }

  @Test func `a search by ancestor titles can be limited to a kind`() throws {
    #expect(try shelf().titles("neg op 2", kind: .activity) == ["Who speaks first?"])
    #expect(try shelf().titles("neg op 2", kind: .lesson) == [])
    #expect(try shelf().titles("eng neg", kind: .goal) == ["Negotiating"])
  }

  @Test func `a search by ancestor titles is not corrected and shows a passage`() throws {
    let shelf = try shelf()

    #expect(try shelf.store.read { try $0.search("neg op 2") }.didYouMean == nil)
    #expect(try shelf.passage("neg who") == "Silence.")
  }

  @Test func `a removed place is not found by ancestor titles`() throws {
    let shelf = try shelf()
    let course = try #require(try shelf.store.read { try $0.search("business").hits.first?.node.id })
    _ = try shelf.store.removeCourse(course, at: Timestamp(milliseconds: 1))

    #expect(try shelf.titles("neg op") == [])
    #expect(try shelf.titles("neg op 2") == [])
  }
}

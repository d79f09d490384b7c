import LearningModel
import Testing

@testable import LearningStore

/// Tests that a search ranks results of the preferred course first.
struct PreferredCourseTests {
  private func fixture() throws -> (SearchFixture, one: NodeID, two: NodeID) {
    let fixture = try SearchFixture()
    let one = try fixture.write("One", [("First offer", "Silence."), ("Closing", "Say the offer back.")])
    let two = try fixture.write("Two", position: 1, [("Offer", "Silence."), ("Anchors", "An offer is one.")])
    return (fixture, one, two)
  }

  private func titles(
    _ fixture: SearchFixture, _ text: String, preferring course: NodeID?, in scope: NodeID? = nil, limit: Int = 20
  ) throws -> [String] {
    try fixture.store.read { try $0.search(text, course: scope, preferring: course, limit: limit) }.hits.map(
      \.node.title)
  }

  @Test func `results of the preferred course come first among titles and among texts`() throws {
    let (fixture, one, two) = try fixture()

    #expect(try titles(fixture, "offer", preferring: nil) == ["Offer", "First offer", "Closing", "Anchors"])
    #expect(try titles(fixture, "offer", preferring: one) == ["First offer", "Offer", "Closing", "Anchors"])
    #expect(try titles(fixture, "offer", preferring: two) == ["Offer", "First offer", "Anchors", "Closing"])
    #expect(try titles(fixture, "offer", preferring: one, limit: 3) == ["First offer", "Offer", "Closing"])
    #expect(try titles(fixture, "offer", preferring: one, in: two) == ["Offer", "Anchors"])
  }

  @Test func `for abbreviated ancestor titles, places of the preferred course come first`() throws {
    let (fixture, one, two) = try fixture()

    let results = try [one, two].map { course in
      try fixture.store.read { try $0.search("firs ba", preferring: course, kind: .lesson) }.hits.map(\.node.course)
    }
    #expect(results == [[one, two], [two, one]])
  }

  @Test func `a very common word finds places of the preferred course first`() throws {
    let fixture = try SearchFixture()
    let many = (0..<StoreSnapshot.candidates + 50).map { ("Common \($0)", "") }
    try fixture.write("Large", many)
    let small = try fixture.write("Small", position: 1, [("A common word", ""), ("Common sense", "")])

    let results = try titles(fixture, "common", preferring: small, limit: 5)

    #expect(Set(results.prefix(2)) == ["A common word", "Common sense"])
    #expect(results.count == 5 && Set(results).count == 5)
  }
}

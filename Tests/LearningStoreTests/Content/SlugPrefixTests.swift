import LearningModel
import Testing

@testable import LearningStore

struct SlugPrefixTests {
  private func fixture(_ titles: [String]) throws -> (fixture: SearchFixture, parent: Place) {
    let fixture = try SearchFixture()
    try fixture.write("Course", titles.map { ($0, "") })
    let lesson = try #require(try fixture.store.read { try $0.search("basics").hits.first?.node.id })
    return (fixture, .node(lesson))
  }

  private func slugs(_ beginning: String, limit: Int, of parent: Place, in fixture: SearchFixture) throws -> [String] {
    try fixture.store.read { try $0.children(of: parent, beginningWith: beginning, limit: limit) }.nodes.map(\.slug)
  }

  @Test func `children are found by a prefix of their slugs, in course order`() throws {
    let (fixture, parent) = try fixture(["Zebra", "Anchor", "Apple", "Ant"])

    #expect(try slugs("a", limit: 9, of: parent, in: fixture) == ["anchor-1", "apple-2", "ant-3"])
    #expect(try slugs("an", limit: 1, of: parent, in: fixture) == ["anchor-1"])
    #expect(try slugs("", limit: 9, of: parent, in: fixture) == ["zebra-0", "anchor-1", "apple-2", "ant-3"])
    #expect(try slugs("b", limit: 9, of: parent, in: fixture) == [])
    #expect(try slugs("anchor-1", limit: 9, of: parent, in: fixture) == ["anchor-1"])
    #expect(try fixture.store.read { try $0.children(of: parent, beginningWith: "an", limit: 0) }.common == "an")
    #expect(try slugs("c", limit: 9, of: .root, in: fixture) == ["course-0"])
  }

  @Test func `a prefix finds the first of thousands of children and their common prefix`() throws {
    let (fixture, parent) = try fixture((0..<3_000).map { $0 < 2_500 ? "Lesson \($0)" : "Late \($0)" })
    let few = try fixture.store.read { try $0.children(of: parent, beginningWith: "less", limit: 3) }
    let late = try fixture.store.read { try $0.children(of: parent, beginningWith: "lat", limit: 3) }

    #expect(few.nodes.map(\.slug) == ["lesson-0-0", "lesson-1-1", "lesson-2-2"])
    #expect(few.common == "lesson-")
    #expect(late.nodes.map(\.slug) == ["late-2500-2500", "late-2501-2501", "late-2502-2502"])
    #expect(late.common == "late-2")
  }
}

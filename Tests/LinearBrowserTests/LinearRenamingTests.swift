import NavigationKit
import Testing

struct LinearRenamingTests {
  @Test func `the command “rename” changes a title, or restores the author's title if no name is given`() throws {
    let fixture = try LinearFixture(opening: "english-for-business/meetings")

    let named = fixture.type("rename Sitting together")
    let listed = fixture.type("list")
    let again = fixture.type("rename Sitting together")
    let back = fixture.type("rename")
    fixture.type("courses")
    let refused = fixture.type("rename All of them")

    #expect(named == ["It is called now: Sitting together.", "rename alone gives its author's name back."])
    #expect(listed.contains { $0.contains("Sitting together") })
    #expect(again == ["It is called that already: Sitting together."])
    #expect(back == ["It is called now: Meetings.", "That is its author's name."])
    #expect(refused.joined(separator: " ").hasPrefix("Could not rename"))
  }
}

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

    #expect(named == ["Renamed to: Sitting together.", "Type rename without a name to restore the author's name."])
    #expect(listed.contains { $0.contains("Sitting together") })
    #expect(again == ["This place already has this name: Sitting together."])
    #expect(back == ["Renamed to: Meetings.", "This is the author's name."])
    #expect(refused.joined(separator: " ").hasPrefix("Could not rename"))
  }
}

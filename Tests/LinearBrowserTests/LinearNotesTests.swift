import NavigationKit
import Testing

struct LinearNotesTests {
  private static let text = PlaceName.text("english-for-business/negotiating/opening-offers/who-speaks-first")

  @Test func `a note is about the last portion, follows it in the output, and is listed`() throws {
    let fixture = try LinearFixture(opening: Self.text)
    fixture.type("find silence")

    let noted = fixture.type("note Count to ten")
    let marked = fixture.type("highlight")
    let listed = fixture.type("notes")
    fixture.type("up")
    let notes = fixture.type("notes")
    let opened = fixture.type("1")

    #expect(noted.first?.hasPrefix("Note added to: Let the silence work for you.") == true)
    #expect(noted.last == "Type notes to list your notes.")
    #expect(marked.first?.hasPrefix("Highlighted: Let the silence work for you.") == true)
    #expect(listed.first == "Notes: 2 notes. Type unnote and a number to remove one.")
    #expect(listed.contains { $0.hasPrefix("1. Highlight: Let the silence work for you.") })
    #expect(listed.contains { $0.hasPrefix("2. Count to ten. At: Let the silence work for you.") })
    #expect(notes.first == listed.first)
    #expect(opened.contains("Your note: Count to ten."))
    #expect(opened.contains { $0.hasPrefix("You highlighted: Let the silence work for you.") })
  }

  @Test func `the command “unnote” removes the note with the given number`() throws {
    let fixture = try LinearFixture(opening: Self.text)
    fixture.type("note Mine")

    let which = fixture.type("unnote")
    let removed = fixture.type("unnote 1")
    let none = fixture.type("notes")

    #expect(which == ["Which note? Type notes, then unnote and its number: 1 to 1."])
    #expect(removed == ["Removed: Mine."])
    #expect(none == ["Notes: none yet. In a text, type note and your words to add one."])
  }

  @Test func `the command “note” requires an open text and some words`() throws {
    let fixture = try LinearFixture(opening: "english-for-business")

    let outside = fixture.type("note Mine")
    fixture.type("open english-for-business/negotiating/opening-offers/who-speaks-first")

    #expect(outside == ["Notes belong to texts. Open a text first."])
    #expect(fixture.type("note") == ["Note what? Type note, and what you want to remember."])
  }
}

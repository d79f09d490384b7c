import Testing

@testable import LinearBrowser

struct LinearInputTests {
  @Test(arguments: [
    ("", LinearInput.command(.more, argument: "")),
    ("   ", .command(.more, argument: "")),
    ("2", .numbers([2])),
    ("1 3", .numbers([1, 3])),
    ("1, 3 and 4", .numbers([1, 3, 4])),
    ("go on", .command(.continueCourse, argument: "")),
    (".", .command(.continueCourse, argument: "")),
    ("UP", .command(.up, argument: "")),
    ("not done", .command(.notDone, argument: "")),
    ("find first offer", .command(.find, argument: "first offer")),
    ("/first offer", .command(.find, argument: "first offer")),
    ("today", .command(.history, argument: "today")),
    ("open 2", .command(.open, argument: "2")),
    ("import ~/a course", .command(.addCourse, argument: "~/a course")),
    // A command without arguments, followed by other words, is the beginning of a title.
    ("next steps in Rust", .name("next steps in Rust")),
    ("opening offers", .name("opening offers")),
    ("99999999999999999999", .name("99999999999999999999")),
  ])
  func `a line is a command, numbers or a name`(_ line: String, _ input: LinearInput) {
    #expect(LinearInput(line) == input)
  }

  @Test func `every command has one row, and every name belongs to one command`() {
    #expect(LinearCommand.rows.map(\.word).count == LinearCommand.allCases.count)
    #expect(Set(LinearCommand.rows.map(\.word)) == Set(LinearCommand.allCases))
    let names = LinearCommand.rows.flatMap(\.names)
    #expect(Set(names).count == names.count)
  }
}

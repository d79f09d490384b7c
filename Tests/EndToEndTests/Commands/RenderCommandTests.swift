import Testing

/// Frames without a terminal.
@Suite struct `Drawing without a terminal` {
  @Test func `shows a place, and what lies on top of it, and leaves nothing in the history`() throws {
    let home = try Home.withBundledCourse()

    let page = try home.waymark("render", "english-for-business/negotiating")
    let info = try home.waymark("render", "english-for-business/negotiating", "--showing", "info")
    let find = try home.waymark("render", "/", "--showing", "find", "--size", "40x12", "--symbols", "ascii")

    #expect(page.code == 0, "\(page)")
    #expect(page.output.hasPrefix(Pictures.goal.split(separator: "\n")[0]), "\(page)")
    #expect(info.output.contains("│ kind        lesson 1 of 4 in Negotiating"), "\(info)")
    #expect(find.output.contains("|type what you look for"), "\(find)")
    #expect(try home.waymark("history", "--format", "json").output.json as? [[String: String]] == [])
  }

  @Test func `says what it cannot draw at once`() throws {
    let answer = try Home.withBundledCourse().waymark("render", "/", "--to", "/", "--showing", "help")

    #expect(answer.code == 64)
    #expect(answer.errors.hasPrefix("Error: --to and --showing are two pictures."), "\(answer)")
  }
}

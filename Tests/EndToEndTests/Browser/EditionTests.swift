import Foundation
import TerminalHarness
import Testing

/// A course that changes while it is displayed.
@Suite struct EditionTests {
  private func write(_ home: HomeFixture, first: String = "", tenth: String = "") throws {
    let paragraphs = (1...30).map { "Paragraph \($0) is about flour and water.\($0 == 10 ? tenth : "")" }
    try home.write("# Dough\n\n\(first)\(paragraphs.joined(separator: "\n\n"))\n", to: "bread/dough.md")
  }

  @Test func `a reimported text keeps the reader's position without a key press`() throws {
    let home = try HomeFixture.withDatabase()
    try write(home)
    #expect(try home.waymark("import", "bread").code == 0)
    let session = try BrowserSession(in: home, ["bread/dough/dough/dough"])
    try session.waitForPage("Dough")
    session.type(" ")
    try session.settle()
    let top = session.rows[4]
    #expect(top.contains("Paragraph "))

    try write(home, first: "A new beginning.\n\nAnd one more.\n\n", tenth: " And salt!")
    #expect(try home.waymark("import", "bread").code == 0)

    try session.wait(for: "Paragraph 10 is about flour and water. And salt!")
    #expect(session.rows[4] == top)
    try session.quit()
  }

  @Test func `the address of a link is updated without a key press`() throws {
    let home = try HomeFixture.withDatabase()
    func importLink(to address: String) throws {
      try home.write("title: Bread\n", to: "bread/course.yml")
      try home.write("---\ntitle: Mill\ntype: link\nurl: \(address)\n---\n", to: "bread/flour/grain/mill.md")
      #expect(try home.waymark("import", "bread").code == 0)
    }
    try importLink(to: "https://example.org/watermill")
    let session = try BrowserSession(in: home, ["bread/flour/grain/mill"])
    try session.wait(for: "https://example.org/watermill")

    try importLink(to: "https://example.org/windmill")

    try session.wait(for: "https://example.org/windmill")
    try session.quit()
  }

  @Test func `a watched text is updated after each save`() throws {
    let home = try HomeFixture.withDatabase()
    try write(home)
    let author = try home.start(["import", "bread", "--watch"])
    author.closeInput()
    for _ in 0..<4 { _ = try author.readLine() }
    let session = try BrowserSession(in: home, ["bread/dough/dough/dough"])
    try session.waitForPage("Dough")

    for number in 1...3 {
      try write(home, first: "Edition \(number).\n\n")
      try session.wait(for: "Edition \(number).")
    }

    try session.quit()
    author.signal(SIGINT)
    #expect(try author.waitForExit() == .signalled(Int(SIGINT)))
  }

  @Test func `changes by another program appear on the next key press`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    let answer = try home.waymark(
      "progress", "mark", "english-for-business/negotiating/opening-offers/read-the-brief", "done")
    #expect(answer.code == 0, "\(answer)")
    session.press(.down)

    session.expect("   Negotiating                                                   1 of 14 done", from: 3)
    try session.quit()
  }
}

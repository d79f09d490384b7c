import Foundation
import TerminalHarness
import Testing

/// A text that changes while it is displayed.
@Suite struct EditionTests {
  private func write(_ home: HomeFixture, first: String = "", tenth: String = "") throws {
    let paragraphs = (1...30).map { "Paragraph \($0) is about flour and water.\($0 == 10 ? tenth : "")" }
    try home.write("# Dough\n\n\(first)\(paragraphs.joined(separator: "\n\n"))\n", to: "bread/dough.md")
  }

  @Test func `a reimported text keeps the reader's position without a key press`() throws {
    let home = try HomeFixture.withDatabase()
    try write(home)
    #expect(try home.waymark("import", "bread").code == 0)
    let sitting = try BrowserSession(in: home, ["bread/dough/dough/dough"])
    try sitting.waitForPage("Dough")
    sitting.type(" ")
    try sitting.settle()
    let top = sitting.rows[4]
    #expect(top.contains("Paragraph "))

    try write(home, first: "A new beginning.\n\nAnd one more.\n\n", tenth: " And salt!")
    #expect(try home.waymark("import", "bread").code == 0)

    try sitting.wait(for: "Paragraph 10 is about flour and water. And salt!")
    #expect(sitting.rows[4] == top)
    try sitting.quit()
  }

  @Test func `a watched text is updated after each save`() throws {
    let home = try HomeFixture.withDatabase()
    try write(home)
    let author = try home.start(["import", "bread", "--watch"])
    author.closeInput()
    for _ in 0..<4 { _ = try author.readLine() }
    let sitting = try BrowserSession(in: home, ["bread/dough/dough/dough"])
    try sitting.waitForPage("Dough")

    for number in 1...3 {
      try write(home, first: "Edition \(number).\n\n")
      try sitting.wait(for: "Edition \(number).")
    }

    try sitting.quit()
    author.signal(SIGINT)
    #expect(try author.waitForExit() == .signalled(Int(SIGINT)))
  }
}

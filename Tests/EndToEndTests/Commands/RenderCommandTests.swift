import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Screens that are drawn without a terminal.
@Suite struct RenderCommandTests {
  @Test func `drawing an intermediate state of a transition requires a destination`() throws {
    let home = try HomeFixture.withBundledCourse()

    let alone = try home.waymark("render", "/", "--at", "0.5")
    let outside = try home.waymark("render", "/", "--to", "english-for-business", "--at", "2")
    let atTheEnd = try home.waymark("render", "/", "--to", "english-for-business")

    #expect(alone.code == 64)
    #expect(
      alone.errors.hasPrefix(
        "Error: --at requires --to or --showing.\n"))
    #expect(outside.code == 64 && outside.errors.hasPrefix("Error: --at must be from 0 to 1, not 2.0.\n"))
    #expect(try atTheEnd == home.waymark("render", "/", "--to", "english-for-business", "--at", "1"))
  }

  @Test func `a place and its overlays are drawn without being recorded`() throws {
    let home = try HomeFixture.withBundledCourse()

    let page = try home.waymark("render", "english-for-business/negotiating")
    let info = try home.waymark("render", "english-for-business/negotiating", "--showing", "info")
    let find = try home.waymark("render", "/", "--showing", "find", "--size", "40x12", "--symbols", "ascii")
    let history = try home.waymark("render", "/", "--showing", "history")

    #expect(page.code == 0, "\(page)")
    #expect(page.output.hasPrefix(ExpectedScreens.goal.split(separator: "\n")[0]), "\(page)")
    #expect(info.output.contains("│ place       1 of 4 in Negotiating"), "\(info)")
    #expect(find.output.contains("|type a word"), "\(find)")
    #expect(
      history.output.contains("\n   No history yet. Places that you open in Learn (1) appear here.\n"), "\(history)")
    #expect(try home.waymark("history", "--format", "json").output.json as? [[String: String]] == [])
  }

  @Test func `keys are pressed in a copy, and a point in time after them is drawn`() throws {
    let home = try HomeFixture.withBundledCourse()
    let place = "english-for-business/negotiating"

    let opened = try home.waymark("render", place, "--keys", "Down Enter")
    let intermediate = try home.waymark("render", place, "--keys", "Down Enter", "--after", "0.05")
    let faded = try home.waymark("render", place, "--keys", "Down Enter", "--after", "0.1", "--motion", "reduced")
    let marked = try home.waymark("render", place, "--keys", "m", "--after", "0.5", "--color", "16", "--as", "ansi")

    #expect(opened.output.hasPrefix("   Courses › English for Business › Negotiating                 lesson 2 of 4"))
    #expect(intermediate.output.contains("│ Opening offers"), "\(intermediate)")
    #expect(!faded.output.contains("│ Opening offers"), "\(faded)")
    #expect(marked.output.contains("Bookmarked “Preparing”"), "\(marked)")
    #expect(!marked.output.contains("38;2"), "\(marked)")
    #expect(try home.waymark("history", "--format", "json").output.json as? [[String: String]] == [])
    #expect(try home.waymark("bookmarks", "--format", "json").output.json as? [[String: String]] == [])
  }

  @Test func `a session, a transition and an overlay are drawn as animations without a script`() throws {
    let home = try HomeFixture.withBundledCourse()
    let options = ["--as", "animated-svg", "--size", "60x16"]

    let session = try home.waymark(["render", "/", "--keys", "Enter Enter@0.5 Left@0.1 @"] + options)
    let transition = try home.waymark(["render", "/", "--to", "english-for-business"] + options)
    let help = try home.waymark(["render", "/", "--showing", "help"] + options)
    let still = try home.waymark([
      "render", "/", "--to", "english-for-business", "--as", "animated-svg", "--motion", "none",
    ])

    // The keys are pressed after 1, 1.5, 1.6 and 2.6 seconds, and the film ends a second later.
    #expect(session.output.contains("{visibility:hidden;animation:3.6s step-end infinite}"), "\(session)")
    #expect(transition.output.contains(";animation:2s step-end infinite}"), "\(transition)")
    for animation in [session, transition, help] {
      let document = try XMLDocument(xmlString: animation.output)
      #expect(document.rootElement()?.name == "svg" && !animation.output.contains("<script"))
      #expect(animation.output.matches(of: /@keyframes/).count >= 8)
    }
    // Without motion there are two frames.
    #expect(Set(still.output.matches(of: /([0-9.]+)%/).map(\.1)) == ["0", "50"])
    #expect(try home.waymark("history", "--format", "json").output.json as? [[String: String]] == [])
  }

  @Test(arguments: [
    (["--keys", "Down Up Retrun"], "Unknown key 'Retrun'. Use one character, or one of Enter,"),
    (["--keys", "?", "--showing", "help"], "--keys cannot be combined with --to or --showing."),
    (["--keys", "Up@soon"], "Unknown key 'Up@soon'."),
    (["--keys", "Up Down@61"], "The time before the key 'Down' must be from 0 to 60 seconds, not 61."),
    (["--as", "animated-svg"], "--as animated-svg requires --keys, --to or --showing, without --at."),
    (["--after", "1"], "--after requires --keys."),
    (["--keys", "?", "--after", "5000"], "--after must be from 0 to 3600 seconds, not 5000.0."),
  ])
  func `invalid keys and times are reported`(arguments: [String], message: String) throws {
    let answer = try HomeFixture.withBundledCourse().waymark(["render", "/"] + arguments)

    #expect(answer.code == 64)
    #expect(answer.errors.contains(message), "\(answer)")
  }

  @Test func `contradictory options are reported`() throws {
    let answer = try HomeFixture.withBundledCourse().waymark("render", "/", "--to", "/", "--showing", "help")

    #expect(answer.code == 64)
    #expect(answer.errors.hasPrefix("Error: --to and --showing cannot be combined."), "\(answer)")
  }
}

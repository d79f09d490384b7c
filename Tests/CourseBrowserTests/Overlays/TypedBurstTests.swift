import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Keys that arrive between two frames, such as a paste in a terminal without bracketed paste.
@MainActor @Suite struct TypedBurstTests {
  private final class CountingPrompt: PromptScreen {
    private(set) var lookups = 0
    private(set) var layouts = 0

    override func makeEntries() throws -> [Entry] {
      lookups += 1
      return [Entry(completion: field.text, name: "\(field.count) letters", detail: "", topRight: "")]
    }

    override func layOutPanel() {
      layouts += 1
      super.layOutPanel()
    }
  }

  @Test func `a burst of thousands of keys causes no more lookups and layouts than two keys`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    let prompt = CountingPrompt(title: "Count", context: fixture.browser.context) { .zero }
    fixture.browser.overlays.present(prompt)
    _ = fixture.screen(at: 2)
    func cost(of keys: Int, at time: Double) -> (lookups: Int, layouts: Int) {
      let before = (prompt.lookups, prompt.layouts)
      for _ in 0..<keys { fixture.press("x", at: time) }
      _ = fixture.screen(at: time + 0.5)
      return (prompt.lookups - before.0, prompt.layouts - before.1)
    }

    let one = cost(of: 1, at: 3)
    let two = cost(of: 2, at: 4)
    let untilFull = cost(of: 4100, at: 5)
    let whenFull = cost(of: 4100, at: 6)

    #expect(one.lookups == 1)
    // The first key is looked up at once, the others with the next frame.
    #expect(two.lookups == 2 && untilFull.lookups == 2)
    #expect(untilFull.layouts <= two.layouts)
    #expect(whenFull.lookups == 0 && whenFull.layouts <= 1)
    #expect(prompt.field.count == 4096 && prompt.field.isTruncated)
    #expect(fixture.text(at: 7).contains("4096 letters"))
  }

  @Test func `Enter after a burst of letters opens the match of the whole text`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(":", at: 1)
    _ = fixture.screen(at: 2)
    for letter in "help" { fixture.press(letter, at: 3) }
    fixture.press(.enter, at: 3)

    #expect(fixture.browser.overlay is HelpScreen)
  }

  @Test(arguments: [
    ("", ":", "negotiating"), ("", "2", "offer"), ("", "3/", "kind:quiz"), ("", "3/", "before:nonsense"),
    ("", "3f", "quiz"), ("/negotiating/opening-offers/read-the-brief", "/", "xyzzy"),
  ])
  func `a burst of letters has the same result as single letters`(place: String, opening: String, keys: String) throws {
    let path = PlaceName.text("english-for-business" + place)
    let (slow, quick) = (try BrowserFixture(opening: path), try BrowserFixture(opening: path))
    for fixture in [slow, quick] {
      for (number, key) in opening.enumerated() {
        fixture.press(key, at: 1 + Double(number))
        _ = fixture.screen(at: 1.5 + Double(number))
      }
    }
    for (number, key) in keys.enumerated() {
      slow.press(key, at: 10 + Double(number))
      _ = slow.screen(at: 10.5 + Double(number))
      quick.press(key, at: 40)
    }
    // The panel reaches its height after the first frame.
    for fixture in [slow, quick] { _ = fixture.screen(at: 60) }

    #expect(quick.text(at: 61) == slow.text(at: 61))
  }

  @Test func `keys after a burst select among the matches of the whole text`() throws {
    let text = PlaceName.text("english-for-business/negotiating/opening-offers/read-the-brief")
    let (slow, quick) = (try BrowserFixture(opening: text), try BrowserFixture(opening: text))
    for fixture in [slow, quick] {
      fixture.press("/", at: 1)
      _ = fixture.screen(at: 1.5)
    }
    for (number, letter) in "the".enumerated() {
      slow.press(letter, at: 2 + Double(number))
      _ = slow.screen(at: 2.5 + Double(number))
      quick.press(letter, at: 5)
    }
    for fixture in [slow, quick] {
      fixture.press(.down, at: 5)
      fixture.press(.down, at: 5)
      fixture.press(.enter, at: 5)
    }

    #expect(quick.text(at: 60) == slow.text(at: 60))
  }
}

import Foundation
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The commands that each screen offers, in the last row, in help and in the palette.
@MainActor @Suite struct KeyOfferTests {
  /// A screen, and the keys that open it: names of keys, or texts to type.
  struct Route: Sendable, CustomTestStringConvertible {
    let name: String
    var place = "/"
    var keys = ""
    var columns = 80
    var rows = 24

    var testDescription: String { name }
  }

  private nonisolated static let lesson = "english-for-business/negotiating/opening-offers"
  private nonisolated static let answers = "Space" + String(repeating: " 1 Enter Enter", count: 5)

  nonisolated static let pages: [Route] = [
    Route(name: "courses"),
    Route(name: "a course", place: "english-for-business", keys: "Down"),
    Route(name: "a lesson", place: lesson, keys: "Down"),
    Route(name: "a text", place: lesson + "/who-speaks-first", keys: "Down"),
    Route(name: "a text's end", place: lesson + "/who-speaks-first", keys: "G"),
    Route(name: "a link", place: lesson + "/read-the-brief", keys: "Tab"),
    Route(name: "a block", place: lesson + "/who-speaks-first", keys: "}"),
    Route(name: "a search", place: lesson + "/who-speaks-first", keys: "/ the Enter"),
    Route(name: "cards", place: lesson + "/anchors-and-ranges"),
    Route(name: "a card", place: lesson + "/anchors-and-ranges", keys: "Space"),
    Route(name: "a card's back", place: lesson + "/anchors-and-ranges", keys: "Space Space"),
    Route(name: "a quiz", place: lesson + "/make-the-first-offer"),
    Route(name: "a question", place: lesson + "/make-the-first-offer", keys: "Space Down"),
    Route(name: "a ticked choice", place: lesson + "/make-the-first-offer", keys: "Space 2 1"),
    Route(name: "a verdict", place: lesson + "/make-the-first-offer", keys: "Space 1 Enter"),
    Route(name: "results", place: lesson + "/make-the-first-offer", keys: answers + " Down"),
    Route(name: "a result", place: lesson + "/make-the-first-offer", keys: answers + " Enter"),
    Route(name: "history", place: lesson, keys: "Down Enter Left 3"),
    Route(name: "a filtered history", place: lesson, keys: "3 / business Enter"),
    Route(name: "review", keys: "4"),
    Route(name: "a card to review", keys: "4 Space"),
    Route(name: "the answer of a card", keys: "4 Space Space"),
    Route(name: "find", place: "english-for-business", keys: "2 offer"),
  ]

  nonisolated static let overlays: [Route] = [
    Route(name: "help", keys: "?"), Route(name: "info", place: lesson, keys: "i"),
    Route(name: "the palette", keys: ":"), Route(name: "a replay", place: lesson, keys: "Down Enter Left 3 r"),
    Route(name: "a tour", keys: ": tour Enter"),
    Route(
      name: "an image", place: "english-for-business/presenting/slides-and-numbers/numbers-in-the-mouth",
      keys: "Tab Enter"),
    Route(
      name: "a wide table", place: "english-for-business/presenting/slides-and-numbers/numbers-in-the-mouth",
      keys: "f f w Right", columns: 40, rows: 20),
    Route(name: "a preview", place: "english-for-business", columns: 160),
    Route(name: "a focused preview", place: "english-for-business", keys: "Ctrl-W", columns: 160),
    Route(name: "suspended cards", keys: "4 Space s Esc"),
    Route(name: "the state of a card", keys: "4 Space i"),
    Route(name: "an own card", place: lesson + "/who-speaks-first", keys: "c Enter 4 Down Down Down Space"),
  ]

  /// Commands that move a selection or a text. At an end, one of them has no effect.
  private static let movement: Set<Command> = [
    .choosePrevious, .chooseNext, .chooseFirst, .chooseLast, .pageDown, .pageBack, .nextPage, .halfPageDown,
    .halfPageUp, .scrollLeft, .scrollRight, .previousWeek, .nextWeek,
  ]

  private func open(_ route: Route) throws -> BrowserFixture {
    let fixture = try BrowserFixture(
      route.columns, route.rows, opening: .text(route.place), motion: .none, on: ReviewHistory.twoMonths.get())
    fixture.browser.context.manual = Manual(pages: []) { _ in true }
    for time in [0, 0.5] { _ = fixture.screen(at: time) }
    var time = 1.0
    for name in route.keys.split(separator: " ") {
      if let key = KeyEvent(name: String(name)) {
        fixture.press(key.key, key.modifiers, at: time)
      } else {
        fixture.type(String(name), at: time)
      }
      _ = fixture.screen(at: time + 0.5)
      time += 1
    }
    return fixture
  }

  /// What a learner can observe: the screen, the log, and whether the browser continues.
  private func state(of fixture: BrowserFixture, at time: Double) throws -> [String] {
    let screen = fixture.screen(at: time)
    return try screen + ["\(fixture.steps)", "\(fixture.marks)", "\(fixture.browser.isFinished)"]
  }

  @Test(arguments: pages) func `every listed command has an effect`(route: Route) throws {
    let opened = try open(route)
    let entries = withExtendedLifetime(opened.browser) {
      opened.browser.commands.entriesOfPage.filter { $0.offer.label != nil }
    }
    #expect(entries.count > 3)

    for entry in entries where !Self.movement.contains(entry.row.command) {
      let fixture = try open(route)
      let before = try state(of: fixture, at: 49)
      if let key = entry.keys.first {
        fixture.press(key.key, key.modifiers, at: 50)
      } else {
        #expect(fixture.browser.context.perform(entry.row.command))
      }
      #expect(try state(of: fixture, at: 51) != before, "\(entry.row.name)")
    }
    let isMoved = try entries.filter { Self.movement.contains($0.row.command) }.map { entry in
      let fixture = try open(route)
      let before = fixture.screen(at: 49)
      fixture.browser.context.perform(entry.row.command)
      return fixture.screen(at: 50) != before
    }
    #expect(isMoved.isEmpty || isMoved.contains(true))
  }

  @Test(arguments: pages.filter { !$0.keys.hasPrefix("2") })
  func `help and the palette list the offered commands, and no others`(route: Route) throws {
    let fixture = try open(route)
    defer { withExtendedLifetime(fixture.browser) {} }
    let entries = fixture.browser.commands.entriesOfPage.filter { $0.offer.label != nil }

    fixture.browser.context.perform(.showPalette)
    let listed = (fixture.browser.overlay as? PaletteScreen)?.entries.map(\.name) ?? []

    #expect(Set(listed) == Set(entries.map(\.row.name)).subtracting(["go-to"]))
    // A command with a key of its own is listed with that key, which no other command has.
    let keys = entries.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    let hints = fixture.browser.commands.hints(of: entries) { _ in true }
    #expect(Set(hints.flatMap(\.commands)).isSubset(of: Set(entries.map(\.row.command))))
  }

  @Test func `every row with a key is performed by one of its keys on some screen`() throws {
    var performed: Set<String> = []
    for route in Self.pages + Self.overlays {
      let fixture = try open(route)
      let commands = fixture.browser.commands
      withExtendedLifetime(fixture.browser) {
        performed.formUnion(commands.entries(of: commands.path).filter { !$0.keys.isEmpty }.map(\.row.name))
      }
    }
    let link = try ActivityFixture("link")
    withExtendedLifetime(link.browser) {
      performed.formUnion(link.browser.commands.entriesOfPage.filter { !$0.keys.isEmpty }.map(\.row.name))
    }
    let exercise = try ExerciseFixture()
    let commands = exercise.browser.commands
    performed.formUnion(commands.entriesOfPage.filter { !$0.keys.isEmpty }.map(\.row.name))
    exercise.press(.enter, at: 1)
    performed.formUnion(commands.entries(of: commands.path).filter { !$0.keys.isEmpty }.map(\.row.name))

    let missing = Set(KeyRow.all.filter { !$0.keys.isEmpty }.map(\.name)).subtracting(performed)
    #expect(missing.sorted() == [])
  }

  @Test func `the contexts of every screen can be active together`() throws {
    for route in Self.pages + Self.overlays {
      let fixture = try open(route)
      let contexts = withExtendedLifetime(fixture.browser) {
        Set(fixture.browser.commands.path.flatMap(\.keyContexts))
      }

      #expect(KeyContext.paths.contains { contexts.isSubset(of: $0) }, "\(route.name): \(contexts)")
    }
  }
}

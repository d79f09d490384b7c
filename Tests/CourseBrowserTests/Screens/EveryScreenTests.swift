import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Checks rules that every frame satisfies, for all pages and overlays, in terminals of all sizes and appearances.
@MainActor @Suite struct EveryScreenTests {
  /// A screen, and the keys that open it.
  struct Route: Sendable, CustomTestStringConvertible {
    let name: String
    var place = ""
    var keys: [Press] = []
    var isCovered = false
    /// Whether the screen shows a notice. On all other screens notices have ended.
    var isNotice = false

    var testDescription: String { name }
  }

  enum Press: Sendable, ExpressibleByStringLiteral {
    case key(Key)
    case text(String)

    init(stringLiteral text: String) { self = .text(text) }
  }

  nonisolated private static let texts = ScriptsCourse.goal + "/texts/"
  nonisolated private static let doing = ScriptsCourse.goal + "/doing/"

  /// Keys that answer a quiz to its end, and keys that write a note.
  nonisolated private static let answered: [Press] = [
    " ", "2", .key(.enter), .key(.enter), "12", .key(.enter), .key(.enter), "1", .key(.enter), .key(.enter),
  ]
  nonisolated private static let noted: [Press] = ["e", "全員が silence", .key(.enter)]

  nonisolated static let routes: [Route] = [
    Route(name: "courses", place: "/"),
    Route(name: "a course", place: "english-for-business"),
    Route(name: "a goal", place: "english-for-business/negotiating", keys: [.key(.end)]),
    Route(name: "a goal, listed", place: "english-for-business/negotiating", keys: ["v", .key(.down)]),
    Route(name: "a lesson", place: ScriptsCourse.goal + "/texts", keys: [.key(.down), "m"]),
    Route(name: "a text", place: texts + "mixed-blocks"),
    Route(name: "a text, scrolled", place: texts + "mixed-blocks", keys: [" "]),
    Route(name: "a text's end", place: texts + "mixed-blocks", keys: ["G"]),
    Route(name: "a link of a text", place: texts + "mixed-blocks", keys: [.key(.tab), .key(.tab)]),
    Route(name: "tables", place: texts + "tables", keys: [" "]),
    Route(name: "a text that fits", place: texts + "one-line"),
    Route(name: "a way out", place: texts + "a-way-out"),
    Route(name: "before a quiz", place: doing + "every-kind-of-question"),
    Route(name: "a question", place: doing + "every-kind-of-question", keys: [" ", .key(.down)]),
    Route(name: "an answer", place: doing + "every-kind-of-question", keys: [" ", "3", .key(.enter)]),
    Route(
      name: "after a quiz", place: doing + "every-kind-of-question", keys: answered),
    Route(
      name: "a quiz that was answered", place: doing + "every-kind-of-question",
      keys: answered + [.key(.escape), .key(.enter)]),
    Route(
      name: "an earlier attempt", place: doing + "every-kind-of-question",
      keys: answered + [.key(.escape), .key(.enter), .key(.down), .key(.enter)]),
    Route(
      name: "wrong answers", place: doing + "every-kind-of-question", keys: answered + [":wrong", .key(.enter)],
      isCovered: true),
    Route(name: "the notes", place: texts + "mixed-blocks", keys: noted + ["\""], isCovered: true),
    Route(name: "Find with a note", place: texts + "mixed-blocks", keys: noted + ["2", "silence"]),
    Route(name: "a card", place: doing + "cards"),
    Route(name: "a card's back", place: doing + "cards", keys: [" ", .key(.up), " "]),
    Route(name: "after the cards", place: doing + "cards", keys: [" ", .key(.up), " ", .key(.down)]),
    Route(name: "find, nothing typed", place: "english-for-business/negotiating", keys: ["m/"]),
    Route(name: "find", place: "english-for-business/negotiating", keys: ["/text", .key(.down)]),
    Route(name: "find by much", place: "/", keys: ["/各种各样 of text that somebody types who wants to be exact"]),
    Route(name: "history", place: doing + "cards", keys: ["3", .key(.down)]),
    Route(name: "help", place: "english-for-business", keys: ["?"], isCovered: true),
    Route(name: "info", place: ScriptsCourse.goal + "/texts", keys: ["i"], isCovered: true),
    Route(name: "the palette", place: "english-for-business", keys: [":"], isCovered: true),
    Route(name: "the palette, a path", place: "/", keys: [":", "everything", .key(.tab)], isCovered: true),
    Route(
      name: "the palette, no such thing", place: "/", keys: [":nothing of the kind", .key(.enter)], isCovered: true),
    Route(name: "a course to add", place: "/", keys: ["a"], isCovered: true),
    Route(name: "a notice", place: "/", keys: [.key(.escape)], isCovered: true, isNotice: true),
  ]

  nonisolated static let sizes = [
    CellSize(columns: 20, rows: 6), CellSize(columns: 40, rows: 12), CellSize(columns: 59, rows: 30),
    CellSize(columns: 60, rows: 18), CellSize(columns: 80, rows: 24), CellSize(columns: 120, rows: 40),
    CellSize(columns: 200, rows: 60), CellSize(columns: 400, rows: 120),
  ]

  @Test(arguments: routes) func `in every size and appearance, every screen satisfies the frame rules`(route: Route)
    throws
  {
    let fixture = try EveryScreenFixture(at: route.place)
    var random = SplitMix64(seed: route.name.utf8.reduce(41) { $0 &* 31 &+ UInt64($1) })
    for press in route.keys { fixture.press(press) }
    if !route.isNotice { fixture.wait() }
    let odd = (0..<4).map { _ in CellSize(columns: 20 + random.below(130), rows: 6 + random.below(50)) }

    for size in Self.sizes + odd {
      for appearance in [Self.looks[random.below(Self.looks.count)], Self.looks[random.below(Self.looks.count)]] {
        let (surface, tree) = fixture.frame(size, appearance)
        let violations =
          FrameRules(surface: surface, tree: tree, look: appearance, isCovered: route.isCovered).broken
          + (route.isNotice ? [] : fixture.whatIsHidden(in: surface))
        #expect(
          violations.isEmpty,
          "\(size.columns) x \(size.rows), \(appearance.theme.colourDepth), \(appearance.theme.pageAppearance): \(violations.prefix(4))\n\(surface.textRows.joined(separator: "\n"))"
        )
        if !violations.isEmpty { return }
      }
    }
  }

  nonisolated static let looks: [Appearance] = [ColourDepth.none, .ansi, .indexed, .truecolor].flatMap { depth in
    PageAppearance.allCases.flatMap { pageAppearance in
      [Symbols.unicode, .ascii].map {
        Appearance(theme: Theme(colourDepth: depth, pageAppearance: pageAppearance), symbols: $0)
      }
    }
  }
}

/// A browser on the bundled course and on a course with many scripts.
@MainActor private final class EveryScreenFixture {
  private let browser: Browser
  private let folder: TemporaryFolder
  private var time = 0.0

  private static let original = Result { () -> Data in
    let folder = try TemporaryFolder()
    let path = try BundledDatabase.copy(into: folder)
    for (name, text) in ScriptsCourse.files {
      let file = URL(filePath: folder.file("course")).appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let library = try CourseLibrary(databaseAt: path)
    _ = try library.importCourse(from: folder.file("course"))
    try library.backUp(to: folder.file("copy.sqlite"))
    return try folder.bytes(of: "copy.sqlite")
  }

  init(at place: String) throws {
    folder = try TemporaryFolder()
    try folder.write(try Self.original.get(), to: "waymark.sqlite")
    let now = Timestamp("2026-11-20T10:00:00Z")!
    let path = folder.file("waymark.sqlite")
    var options = Settings()
    options.motion = .none
    browser = Browser(
      navigation: try NavigationService(
        databaseAt: path, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!, now: { now }),
      library: try CourseLibrary(databaseAt: path, now: { now }),
      appearance: Appearance(theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode),
      size: CellSize(columns: 80, rows: 24), options: options, now: { now })
    browser.stage.onIssue = { Issue.record("\($0)") }
    browser.folders = FolderListing()
    try browser.begin(at: .text(place))
    _ = browser.stage.tick(at: 0)
  }

  func press(_ press: EveryScreenTests.Press) {
    let keys: [Key] =
      switch press {
      case .key(let key): [key]
      case .text(let text): text.map(Key.character)
      }
    for key in keys {
      time += 0.1
      browser.handle(.key(KeyEvent(key)), at: time)
      _ = browser.stage.tick(at: time)
    }
  }

  /// Waits until notices have ended.
  func wait() {
    time += 60
    _ = browser.stage.tick(at: time)
  }

  func frame(_ size: CellSize, _ appearance: Appearance) -> (Surface, RenderNode) {
    browser.stage.resize(to: size, at: time)
    browser.show(appearance)
    var compositor = Compositor(fading: appearance.theme.fading, levels: .four)
    let tree = browser.stage.tick(at: time)
    return (compositor.compose(tree, size: size).surface, tree)
  }

  /// Returns a message if the selected item is not visible.
  func whatIsHidden(in surface: Surface) -> [String] {
    let marker = browser.appearance.symbols.marker + " "
    if let prompt = browser.overlay as? PromptScreen, prompt.chosenEntry != nil, prompt.message.isEmpty {
      return surface.textRows.contains { $0.contains(marker) } ? [] : ["the chosen entry is not visible"]
    }
    if let tab = browser.tabs.selectedScreen as? FindScreen, tab.framedPlace != nil {
      let symbol = tab.metrics.isSmall ? marker : String(browser.appearance.symbols.corners[0])
      return surface.textRows.contains { $0.contains(symbol) } ? [] : ["the chosen result is not visible"]
    }
    guard browser.overlay == nil, browser.tabs.selectedIndex == 0, let list = browser.page as? ListScreen,
      let card = list.chosenCard
    else { return [] }
    let body = surface.textRows[list.bodyRows]
    let (symbols, isSmall) = (browser.appearance.symbols, list.metrics.isSmall)
    let beginning = card.title.split(separator: " ")[0].prefix(3)
    let isVisible = body.contains { row in
      row.contains(beginning) && row.contains(isSmall ? marker : String(symbols.vertical))
    }
    return isVisible ? [] : ["'\(card.title)' is chosen but not visible"]
  }
}

import BundledDatabase
import CourseKit
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Thousands of keys that arrive in one burst: the cost per key is constant, and the last key is handled like the
/// first.
@MainActor @Suite struct KeyBurstTests {
  /// The largest permitted number of nodes and layers in a frame after any number of keys. A page with all its overlays
  /// has several hundred.
  private static let mostDrawn = 6_000

  /// A database with the bundled course and a course of 10,000 lessons, imported once.
  private static let large = Result {
    let folder = try TemporaryFolder()
    let library = try CourseLibrary(databaseAt: BundledDatabase.copy(into: folder))
    let goals = (0..<10).map { goal in
      let lessons = (0..<1000).map { number in
        """
        {"key": "l\(goal)-\(number)", "title": "Lesson \(number)", "children": [
          {"key": "a\(goal)-\(number)", "title": "Text \(number)", "reading": [{"p": ["A."]}]}]}
        """
      }
      return #"{"key": "g\#(goal)", "title": "Goal \#(goal)", "children": [\#(lessons.joined(separator: ","))]}"#
    }
    let course = """
      {"waymark": 1, "course": {"key": "large", "title": "Large", "children": [\(goals.joined(separator: ","))]}}
      """
    try library.importCourse(named: "large.json", bytes: Array(course.utf8))
    try library.backUp(to: folder.file("copy.sqlite"))
    return try folder.bytes(of: "copy.sqlite")
  }

  private enum Course: CaseIterable { case bundled, large }

  nonisolated private static let seeds: ClosedRange<UInt64> = 1...UInt64(Tier.count(2, long: 20))
  nonisolated private static let keys = Tier.count(300, long: 10_000)

  private func fixture(_ course: Course, _ random: inout SplitMix64) throws -> BrowserFixture {
    let path: String
    switch course {
    case .bundled: path = Self.places.randomElement(using: &random)!
    case .large:
      let (goal, lesson) = (random.below(10), random.below(1000))
      path = ["large", "large/goal-\(goal)", "large/goal-\(goal)/lesson-\(lesson)"].randomElement(using: &random)!
    }
    let size = [(80, 24), (120, 40), (40, 12)].randomElement(using: &random)!
    return try BrowserFixture(
      size.0, size.1, opening: .text(path), on: course == .large ? Self.large.get() : nil)
  }

  private static let places =
    ["/", "english-for-business"]
    + ["meetings", "negotiating", "writing", "presenting"].map { "english-for-business/" + $0 }
    + AnimationCase.all.map(\.place)

  /// Returns the number of nodes and layers in the current frame.
  private func drawn(_ browser: Browser) -> Int {
    func count(_ node: RenderNode) -> Int { node.children.reduce(1) { $0 + count($1) } }
    func count(_ layer: Layer) -> Int { layer.sublayers.reduce(1) { $0 + count($1) } }
    return count(browser.stage.tick(at: browser.stage.now)) + count(browser.stage.layer)
  }

  /// Presses keys, and sometimes counts nodes and layers.
  ///
  /// - Returns: The greatest count. Stops once it is above ``mostDrawn``.
  private func press(
    _ count: Int, on browser: Browser, pause: Double = 0, _ key: (_ number: Int) -> KeyEvent
  ) -> Int {
    var greatest = 0
    for number in 0..<count {
      browser.handle(.key(key(number)), at: browser.stage.now + pause)
      // Counting draws a frame. It is done rarely, so that most keys arrive without a frame in between.
      guard number % 50 == 49 || number < 50 || number + 1 == count else { continue }
      greatest = max(greatest, drawn(browser))
      if greatest > Self.mostDrawn { break }
    }
    return greatest
  }

  @Test(arguments: Course.allCases, seeds)
  private func `a burst of random keys leaves a bounded number of nodes and layers`(course: Course, seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let fixture = try fixture(course, &random)
    let browser = fixture.browser
    _ = browser.stage.tick(at: 1)

    let greatest = press(Self.keys, on: browser) { _ in Self.keyEvents.randomElement(using: &random)! }

    print("\(course), seed \(seed): \(greatest) nodes and layers at most")
    #expect(greatest <= Self.mostDrawn)
    // Closes whatever is open and waits until nothing moves.
    for step in 1...6 { fixture.press(.escape, at: browser.stage.now + Double(step)) }
    var frames = 0
    while let due = browser.stage.nextFrameTime, frames < 10_000 {
      _ = browser.stage.tick(at: max(due, browser.stage.now + 0.02))
      frames += 1
    }
    #expect(browser.stack.layer.sublayers.count == 1 && browser.flight == nil)
    let visible = browser.stack.screens.compactMap { ($0 as? PageScreen)?.place }
    #expect(try visible == browser.navigation.currentStack().map(\.place))
  }

  /// Places, and keys that interrupt each other there.
  nonisolated private static let pairs: [(String, String)] = [
    ("english-for-business/presenting", "n Enter"), ("english-for-business/negotiating", "Enter Left"),
    ("english-for-business/negotiating", "n p"), ("english-for-business/negotiating", ". H"),
    ("english-for-business/negotiating", "v Down"), ("english-for-business/negotiating", "Enter n Left p"),
    ("english-for-business/negotiating", "2 Esc"), ("english-for-business/negotiating", "3 1 n"),
    ("english-for-business/negotiating", "? Esc"), ("english-for-business/negotiating", ": Esc"),
    ("english-for-business/negotiating", "i Esc"), ("english-for-business/negotiating", "' Esc n"),
    ("english-for-business/negotiating", ", Esc"), ("english-for-business/negotiating", "a Esc"),
    ("english-for-business/negotiating", "\" Esc"), ("english-for-business/negotiating", "Down Up"),
    ("english-for-business/negotiating/opening-offers/who-speaks-first", "Space b e Esc"),
    ("english-for-business/negotiating/opening-offers/anchors-and-ranges", "Space Space b"),
    ("english-for-business/negotiating/opening-offers/make-the-first-offer", "Enter a Left"),
  ]

  @Test(arguments: pairs, [0, 0.004])
  func `repeated interruptions leave a bounded number of nodes and layers`(pair: (String, String), pause: Double) throws
  {
    for size in Tier.isLong ? [(80, 24), (120, 40)] : [(120, 40)] {
      let fixture = try BrowserFixture(size.0, size.1, opening: .text(pair.0))
      _ = fixture.browser.stage.tick(at: 1)
      let keys = pair.1.split(separator: " ").compactMap { KeyEvent(name: String($0)) }

      let greatest = press(Tier.count(48, long: 10_000), on: fixture.browser, pause: pause) { keys[$0 % keys.count] }

      print("\(pair), every \(pause) s, \(size): \(greatest) nodes and layers at most")
      #expect(greatest <= Self.mostDrawn, "at \(size)")
    }
  }

  private static let keyEvents: [KeyEvent] =
    KeyRow.all.filter { $0.command != .quit }.flatMap(\.keys)
    + "abcdefghijklmnopqrstuvwxyz".map { KeyEvent(.character($0)) }
    + [.enter, .enter, .down, .left, .escape, .escape].map { KeyEvent($0) }
    + "nnnpp:2i?".map { KeyEvent(.character($0)) }
}

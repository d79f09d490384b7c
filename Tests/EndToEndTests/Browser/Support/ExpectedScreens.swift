import Snapshots
import Testing

/// The expected screens of the bundled course on a terminal of 80 × 24, without the last row, which lists the keys.
///
/// `waymark render` draws these screens, and tests on a pseudo-terminal expect them.
enum ExpectedScreens {
  static let course = stored("course")
  static let goal = stored("goal")
  static let lesson = stored("lesson")
  /// The lesson after one page of its second activity was read.
  static let lessonBegun = stored("lessonBegun")
  static let reading = stored("reading")

  private static func stored(_ name: String) -> String { try! Snapshot(name, test: "screen").text }
}

struct PicturesTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"

  @Test(arguments: [
    ("course", ["english-for-business"]),
    ("goal", ["english-for-business/negotiating"]),
    ("lesson", [lesson]),
    ("lessonBegun", [lesson, "--keys", "Down Enter Space Left"]),
    ("reading", [lesson + "/who-speaks-first"]),
  ])
  func `the render command draws the screens that terminal tests expect`(name: String, arguments: [String]) throws {
    let answer = try HomeFixture.withBundledCourse().waymark(["render"] + arguments)

    let rows = answer.output.split(separator: "\n", omittingEmptySubsequences: false).prefix(23)
    expectSnapshot(rows.map { $0.replacing(/\b[0-2]\d:[0-5]\d\b/, with: "HH:MM") }, name, test: "screen")
  }
}

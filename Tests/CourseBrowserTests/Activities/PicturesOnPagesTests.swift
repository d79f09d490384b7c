import CourseKit
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// Images of a text, and the times at which they are shown.
@MainActor @Suite struct PicturesOnPagesTests {
  private let course: ImageCourseFixture
  private var fixture: BrowserFixture { course.fixture }
  private var work: ManualBackgroundWork { course.work }
  private var folder: TemporaryFolder { course.folder }

  /// Creates a course with a text that has two images, one of them far below.
  init() throws {
    let lines = (1...40).map { "Line \($0).\n" }.joined(separator: "\n")
    course = try ImageCourseFixture([
      "1-a.md": "---\ntitle: A\n---\n![A red square](red.png)\n\n\(lines)\n![Blue](blue.png)\n",
      "2-b.md": "---\ntitle: B\n---\nOther words.\n",
    ])
  }

  private func open(_ place: String, at time: Double, animated: Bool = false) throws {
    try course.open(place, at: time, animated: animated)
  }

  private func inked(at time: Double) -> Int { course.inked(at: time) }

  @Test func `a page first shows a border for each image, and then the images`() throws {
    try open("c/g/l/a", at: 0)

    #expect(fixture.text(at: 0).contains("╭──────────────╮"))
    #expect(fixture.text(at: 0).contains("A red square"))
    #expect(inked(at: 0) == 0)

    work.finish()
    #expect(inked(at: 1) == 16 * 8)
    #expect(fixture.browser.picturesInView.map(\.cells.size) == [CellSize(columns: 16, rows: 8)])
  }

  @Test func `a scrolled image stays drawn, and only complete images count as visible`() throws {
    try open("c/g/l/a", at: 0)
    for _ in 0..<4 { work.finish() }
    _ = inked(at: 1)

    for step in 0..<4 { fixture.press(.down, at: 2 + Double(step) / 10) }
    #expect(inked(at: 4) > 0 && inked(at: 4) < 16 * 8)
    #expect(fixture.browser.picturesInView == [])

    fixture.press(.end, at: 5)
    for _ in 0..<4 { work.finish() }
    #expect(inked(at: 7) == 16 * 8)
    #expect(fixture.browser.picturesInView.count == 1)
  }

  @Test func `during a transition, a page shows borders instead of images`() throws {
    try open("c/g/l/a", at: 0)
    work.finish()
    #expect(inked(at: 1) > 0)

    try open("c/g/l/b", at: 2, animated: true)
    for moment in [2.0, 2.05, 2.1, 2.2] { #expect(inked(at: moment) == 0, "at \(moment)") }
  }

  @Test func `an overlay hides the images of the page until it closes`() throws {
    try open("c/g/l/a", at: 0)
    work.finish()
    _ = inked(at: 1)

    fixture.press("?", at: 2)
    #expect(inked(at: 2.05) == 0)
    #expect(inked(at: 3) == 0)
    #expect(fixture.browser.picturesInView == [])

    fixture.press(.escape, at: 4)
    #expect(inked(at: 5) == 16 * 8)
  }

  @Test func `resizing requests only the images of the new size`() throws {
    try open("c/g/l/a", at: 0)
    work.finish()
    _ = inked(at: 1)

    _ = fixture.rows(at: 2, of: CellSize(columns: 40, rows: 12))
    fixture.browser.handle(.resize(CellSize(columns: 40, rows: 12)), at: 2)

    #expect(work.pending.count <= 1)
  }

  @Test func `Enter on the description enlarges an image`() throws {
    try open("c/g/l/a", at: 0)
    work.finish()
    _ = inked(at: 1)

    fixture.press(.tab, at: 2)
    #expect(fixture.text(at: 2).contains("Enlarge"))
    fixture.press(.enter, at: 3)
    _ = fixture.text(at: 4)
    work.finish()

    #expect(inked(at: 5) > 16 * 8)
    #expect(fixture.text(at: 5).contains("open in viewer"))
    #expect(fixture.browser.picturesInView.count == 1)
  }

  @Test func `the o key opens the file of an image, or shows its path`() throws {
    try open("c/g/l/a", at: 0)
    var opened: [String] = []
    fixture.browser.onOpen = { file in
      opened.append(file)
      return opened.count == 1
    }

    for time in [2.0, 6.0] {
      fixture.press(.tab, at: time)
      fixture.press(.enter, at: time + 1)
      _ = fixture.text(at: time + 2)
      fixture.press("o", at: time + 3)
      #expect(fixture.text(at: time + 3.5).contains(time == 2 ? "Opened /" : "The image is at /"))
      fixture.press(.escape, at: time + 3.6)
    }

    #expect(opened.count == 2)
    for file in opened {
      #expect(try Data(contentsOf: URL(filePath: file)) == ImageCourseFixture.png(red: 255, blue: 0))
      #expect(file.hasSuffix("/image.png"))
      try FileManager.default.removeItem(at: URL(filePath: file).deletingLastPathComponent())
    }
  }

  @Test func `an image that cannot be decoded is shown as an empty border`() throws {
    try folder.write(ImageCourseFixture.png(red: 1, blue: 1).prefix(60), to: "c/1-g/1-l/red.png")
    try fixture.browser.library.importCourse(from: folder.file("c"))
    try open("c/g/l/a", at: 0)
    for _ in 0..<3 { work.finish() }

    #expect(inked(at: 1) == 0)
    #expect(fixture.text(at: 1).contains("A red square"))
    #expect(work.pending.isEmpty)
  }
}

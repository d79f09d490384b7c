import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Images
import ScreenKit
import TestSupport
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// A browser on a course whose activities contain a red and a blue image, `red.png` and `blue.png`.
@MainActor final class ImageCourseFixture {
  let fixture: BrowserFixture
  let folder: TemporaryFolder
  let work = ManualBackgroundWork()

  /// Creates the course.
  ///
  /// - Parameter activities: The files of the lesson `c/g/l` by name.
  init(_ activities: [String: String]) throws {
    folder = try TemporaryFolder()
    for path in ["c", "c/1-g", "c/1-g/1-l"] {
      try FileManager.default.createDirectory(atPath: folder.file(path), withIntermediateDirectories: false)
    }
    for (path, text) in [
      ("c/course.yml", "title: C"), ("c/1-g/goal.yml", "title: G"), ("c/1-g/1-l/lesson.yml", "title: L"),
    ] {
      try folder.write(Data(text.utf8), to: path)
    }
    for (name, text) in activities { try folder.write(Data(text.utf8), to: "c/1-g/1-l/" + name) }
    try folder.write(Self.png(red: 255, blue: 0), to: "c/1-g/1-l/red.png")
    try folder.write(Self.png(red: 0, blue: 255), to: "c/1-g/1-l/blue.png")
    fixture = try BrowserFixture(isEmpty: true)
    try fixture.browser.library.importCourse(from: folder.file("c"))
    fixture.browser.show(
      Appearance(
        theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode,
        imageCellSize: ImageStyle.usualCell))
    fixture.browser.inBackground = work.runner
  }

  /// Returns an image of 64 × 64 pixels.
  static func png(red: UInt8, blue: UInt8) -> Data {
    let pixels = (0..<64 * 64).flatMap { number -> [UInt8] in [red, number % 2 == 0 ? 0 : 9, blue, 255] }
    return Data(PixelImage(width: 64, height: 64, pixels: pixels).png)
  }

  func open(_ place: String, at time: Double, animated: Bool = false) throws {
    let browser = fixture.browser
    try browser.stage.perform(at: time) {
      try browser.show(
        try browser.navigation.perform(.open(.text(place)), cause: .key, animated: animated), animated: animated)
    }
  }

  /// Returns the number of red or blue cells, which only images contain.
  func inked(at time: Double) -> Int { inkedCells(at: time).count }

  /// Returns the positions of the red or blue cells.
  func inkedCells(at time: Double) -> [CellPoint] {
    let surface = fixture.surface(at: time)
    return (0..<surface.rows).flatMap { row in
      (0..<surface.columns).compactMap { column in
        let kind = surface[column, row].style.background.kind
        guard case .rgb(let red, _, let blue) = kind, (red, blue) == (255, 0) || (red, blue) == (0, 255) else {
          return nil
        }
        return CellPoint(column: column, row: row)
      }
    }
  }

  /// Decodes all requested images.
  func decode() {
    while !work.pending.isEmpty { work.finish() }
  }
}

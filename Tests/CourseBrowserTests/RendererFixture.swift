import BundledDatabase
import CourseKit
import NavigationKit
import TestSupport
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Renders the bundled course for a learner without history.
@MainActor struct RendererFixture {
  private let folder: TemporaryFolder
  let picture: BrowserRenderer

  init(_ columns: Int = 80, _ rows: Int = 24, symbols: Symbols = .unicode) throws {
    folder = try TemporaryFolder()
    let path = try BundledDatabase.copy(into: folder)
    let library = try CourseLibrary(databaseAt: path)
    picture = BrowserRenderer(
      navigation: try NavigationService(databaseAt: path, learner: "ada"), library: library,
      appearance: Appearance(theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: symbols),
      size: CellSize(columns: columns, rows: rows))
  }

  /// Returns the rows of a place, or of a transition to another place, without trailing spaces.
  func text(of place: PlaceName, to target: PlaceName? = nil, at fraction: Double = 0) throws -> String {
    try picture.surface(of: place, to: target, at: fraction).textRows
      .map(\.withoutTrailingBlanks).joined(separator: "\n")
  }

  /// Returns the rows with an overlay, or of another tab.
  func text(of place: PlaceName, showing addition: BrowserRenderer.Overlay, at fraction: Double = 1) throws -> String {
    try picture.surface(of: place, showing: addition, at: fraction).textRows
      .map(\.withoutTrailingBlanks).joined(separator: "\n")
  }

  /// Returns the rows some time after the last of several keys, written as in the settings file.
  func text(of place: PlaceName, pressing keys: String, after seconds: Double) throws -> String {
    let keys = keys.split(separator: " ").compactMap { KeyEvent(name: String($0)) }.map { BrowserRenderer.TimedKey($0) }
    return try picture.surface(of: place, pressing: keys, after: seconds).textRows
      .map(\.withoutTrailingBlanks).joined(separator: "\n")
  }
}

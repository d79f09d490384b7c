import CourseBrowser
import CourseLibrary
import CoursePages
import Foundation
import Motion
import NavigationService
import ScreenKit
import TerminalIO
import TextCanvas

extension RenderCommand {
  /// What was asked for, as text in its form.
  func text(of surface: Surface) -> String {
    switch form {
    case .text: PlainTextDrawing().text(of: surface)
    case .ansi: AnsiDrawing(depth: depth).text(of: surface)
    case .svg: SvgDrawing(theme: theme.page, title: "Waymark").text(of: surface)
    }
  }

  /// A place, a moment on the way to another, or what is shown beside it.
  func picture() throws -> Surface {
    try MainActor.assumeIsolated {
      let picture = try maker(databaseAt: global.databasePath)
      return try showing.map { try picture.surface(of: .text(place), showing: $0.addition, at: at ?? 1) }
        ?? picture.surface(of: .text(place), to: to.map(PlaceName.text), at: to == nil ? 0 : at ?? 1)
    }
  }

  /// What keys bring about. They are pressed in a copy of the database, of which nothing is left.
  func picture(pressing keys: [KeyEvent]) throws -> Surface {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "waymark.sqlite").path
    try CourseLibrary(databaseAt: global.databasePath).backUp(to: copy)
    return try MainActor.assumeIsolated {
      let picture = try maker(databaseAt: copy)
      return try picture.surface(of: .text(place), pressing: keys, after: after ?? BrowserPicture.pace)
    }
  }

  @MainActor private func maker(databaseAt path: String) throws -> BrowserPicture {
    var picture = BrowserPicture(
      navigation: try NavigationService(
        databaseAt: path, learner: global.learnerName,
        ignoringCase: global.learner == nil && ProgramEnvironment.current.usesLoginName, session: .browser),
      library: try CourseLibrary(databaseAt: path),
      appearance: Appearance(
        theme: CoursePages.Theme(depth: depth, tone: theme.tone),
        symbols: symbols == .ascii ? .ascii : .unicode, pictureCell: PictureStyle.usualCell),
      size: size.cells)
    picture.motion =
      switch motion {
      case .full: .full
      case .reduced: .reduced
      case .none: .none
      }
    return picture
  }

  private var depth: ColourDepth {
    form == .text ? .none : ColourDepth(rawValue: color.rawValue) ?? .truecolor
  }
}

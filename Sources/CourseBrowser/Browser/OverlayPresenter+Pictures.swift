import CourseLibrary
import CoursePages
import Foundation
import LearningModel
import ScreenKit
import TextCanvas

extension OverlayPresenter {
  /// Shows a picture of a text on a page of its own.
  ///
  /// - Parameter place: Where it stands.
  func show(_ picture: ReadingText.Picture, from place: @escaping () -> CellRect) {
    present(PictureScreen(picture, shell: shell, source: place))
  }

  /// Whether something lies on the page, which is dimmed then.
  var isCovered: Bool { overlay != nil }

  /// The pictures that are seen whole, where nothing moves.
  var picturesInView: [PictureInView] {
    if let overlay { return (overlay as? PictureScreen)?.pictureInView.map { [$0] } ?? [] }
    guard steps.flight == nil, steps.tabFlight == nil, steps.hand == nil, tabs.selectedIndex == 0,
      screen.presented == nil
    else {
      return []
    }
    return (page as? any PicturedText)?.picturesInView ?? []
  }

  /// Hands a picture to the system's own program for it; where there is none, says where it is.
  func openOutside(_ picture: KeptPicture) {
    trying {
      guard let bytes = try library.picture(picture.digest) else { return notify("This picture is not kept any more.") }
      let file = try OutsideFile.write(bytes)
      notify(browser.onOpen?(file) == true ? "Opened \(file)" : "The picture is at \(file)")
    }
  }
}

/// A file for another program, in a folder that only its owner may look into.
enum OutsideFile {
  /// Writes a picture. It stays: the program that shows it may read it later; the system empties its temporary folders.
  ///
  /// - Returns: Its path.
  static func write(_ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let file = folder.appending(path: "picture." + CourseLibrary.pictureEnding(of: bytes))
    try Data(bytes).write(to: file, options: .withoutOverwriting)
    return file.path
  }
}

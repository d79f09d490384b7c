import Foundation

/// A folder for what an archive holds. It goes away with the last one who knows it.
final class TemporaryFolder: Sendable {
  /// Its absolute path, without symbolic links.
  let path: String

  /// Makes an empty folder that nobody else may look into.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)``.
  init() throws {
    let pattern = FileManager.default.temporaryDirectory.path + "/waymark-XXXXXX"
    var bytes = Array(pattern.utf8CString)
    guard mkdtemp(&bytes) != nil else {
      throw CourseFormatError.noTemporarySpace(reason: "the system says '\(String(cString: strerror(errno)))'")
    }
    let made = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    path = FileAccess.realPath(made) ?? made
  }

  deinit { remove() }

  /// Removes it with all that is in it.
  func remove() {
    // Nobody is left to tell; the system empties its temporary folders itself.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Where its content begins: the folder itself, or the one file or folder that is all it holds.
  var content: String {
    let names = ((try? FileAccess.names(in: path, as: path)) ?? [])
      .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix(".") }
    return names.count == 1 ? path + "/" + names[0] : path
  }
}

import CourseFormats
import Foundation
import LearningModel

let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

/// A temporary folder that is removed when the object is released.
final class TestFolder {
  let url: URL
  var path: String { url.path }

  init(_ files: [String: String] = [:], name: String = "course") throws {
    url = FileManager.default.temporaryDirectory.appending(path: "waymark-test-\(UUID().uuidString)/\(name)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (path, text) in files { try write(Data(text.utf8), to: path) }
  }

  func write(_ data: Data, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  /// Reads the folder, which is kept until the reading ends.
  func read(limits: SourceLimits = .standard, options: ReadOptions = ReadOptions()) throws -> CourseDraft {
    try withExtendedLifetime(self) {
      try FormatRegistry.read(CourseSource(path: path, limits: limits), options: options)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}

extension CourseDraft {
  /// The tree as lines: two spaces per level, the first letter of the kind, the key, and the title.
  var outline: [String] {
    var depths: [Int] = []
    return nodes.map { node in
      let depth = node.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      return String(repeating: "  ", count: depth) + "\(node.kind.rawValue.prefix(1)) \(node.key) | \(node.title)"
    }
  }

  /// Returns the content of the activity with that key, or `nil`.
  func content(_ key: String) throws -> ActivityContent? {
    try nodes.firstIndex { $0.key == key }.map { try contents.content(at: $0) }
  }

  /// Returns the contents of all activities, in order.
  func allContents() throws -> [ActivityContent] {
    try nodes.indices.filter { nodes[$0].kind == .activity }.map { try contents.content(at: $0) }
  }
}

import CourseKit
import Foundation
import LearningModel

@testable import CoursePages

/// The files of an exported course by their paths.
struct WrittenFiles {
  private(set) var bytes: [String: [UInt8]] = [:]

  init(site course: ExportedCourse) throws {
    let files = Collector()
    try CourseSite(course).write(to: files.add)
    bytes = files.bytes
  }

  init(folder course: ExportedCourse) throws {
    let files = Collector()
    _ = try CourseFolder(course).write(to: files.add)
    bytes = files.bytes
  }

  private final class Collector {
    var bytes: [String: [UInt8]] = [:]

    func add(_ path: String, _ content: [UInt8]) {
      precondition(bytes[path] == nil, "\(path) is written twice")
      bytes[path] = content
    }
  }

  var paths: [String] { bytes.keys.sorted() }
  /// The paths of the pages.
  var pages: [String] { paths.filter { $0.hasSuffix(".html") } }

  subscript(path: String) -> String { String(decoding: bytes[path] ?? [], as: UTF8.self) }
}

/// Contents in memory with their images.
struct IllustratedContents: DraftContents {
  var contents: [Int: ActivityContent]
  var images: [String: [UInt8]] = [:]

  func content(at index: Int) -> ActivityContent { contents[index] ?? .reading([]) }
  func image(_ digest: String) -> [UInt8]? { images[digest] }
}

extension ExportedCourse {
  /// Creates a course of one goal and one lesson.
  static func ofTexts(
    _ texts: [(title: String, content: ActivityContent)], course: String = "Bread", images: [String: [UInt8]] = [:]
  ) -> ExportedCourse {
    var nodes = [
      DraftNode(parent: nil, key: "bread", kind: .course, title: course, summary: "About bread."),
      DraftNode(parent: 0, key: "goal", kind: .goal, title: "Baking"),
      DraftNode(parent: 1, key: "lesson", kind: .lesson, title: "Dough", summary: "Flour & water."),
    ]
    var contents: [Int: ActivityContent] = [:]
    for (index, text) in texts.enumerated() {
      contents[nodes.count] = text.content
      nodes.append(
        DraftNode(
          parent: 2, key: "text-\(index)", kind: .activity, title: text.title, minutes: index + 1,
          type: text.content.type))
    }
    return ExportedCourse(
      nodes: nodes, language: "en", contents: IllustratedContents(contents: contents, images: images))
  }
}

extension [Inline] {
  static func words(_ text: String) -> [Inline] { [.text(text)] }
}

import CourseKit
import Foundation
import LearningModel

@testable import CourseFormats
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

/// A course with an exercise that has files of all roles.
enum SiteExercise {
  static var course: (course: ExportedCourse, exercise: Exercise) {
    var stored: [String: [UInt8]] = [:]
    func file(_ path: String, _ role: ExerciseFile.Role, _ text: String, isExecutable: Bool = false) -> ExerciseFile {
      var sum = SourceDigest()
      sum.add(Array(text.utf8))
      let digest = sum.hexadecimal()
      stored[digest] = Array(text.utf8)
      return ExerciseFile(path: path, role: role, digest: digest, isExecutable: isExecutable)
    }
    let exercise = Exercise(
      task: [
        .paragraph(.words("Add <two> numbers.")), .heading(level: 2, text: .words("Input"), anchor: "input"),
        .paragraph(.words("None.")),
      ], language: "python", difficulty: 2, after: ["text-0", "lesson"],
      files: [
        file("sum.py", .edit, "def sum(a, b):\n    pass\n"), file("src/empty.py", .edit, ""),
        file("test_sum.py", .test, "import sum\n"),
        file("run.sh", .support, "python3 test_sum.py\n", isExecutable: true),
        file("answer/sum.py", .solution, "def sum(a, b):\n    return a + b\n"),
      ], workspace: .shared, recipe: "python", prepare: [.init(.argv(["pip", "install", "x"]))],
      check: [.init(.shell("./run.sh"), name: "all: #1", expectation: .matches("^ok$"), seconds: 9)],
      hints: [[.paragraph(.words("Use +."))], [.paragraph(.words("Really."))]],
      solution: [.paragraph(.words("Write +."))],
      passesUnchanged: true)
    return (.ofTexts([("Sum", .exercise(exercise))], images: stored), exercise)
  }
}

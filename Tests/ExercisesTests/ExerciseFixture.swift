import ExternalPrograms
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import Exercises

/// An exercise whose files are texts, and a folder for its work folder.
struct ExerciseFixture {
  let root: TemporaryFolder
  let place: PlacePath
  private(set) var exercise: Exercise
  private(set) var contents: [String: [UInt8]] = [:]

  /// - Parameters:
  ///   - files: The contents by path. A path that begins with `test:` or `support:` or `solution:` has this role.
  init(
    _ files: [String: String], recipe: String? = nil, prepare: [Exercise.Run] = [], check: [Exercise.Run] = [],
    workspace: Exercise.Workspace = .own, place: String = "course/topic/first", root: TemporaryFolder? = nil
  ) throws {
    self.root = try root ?? TemporaryFolder()
    self.place = PlacePath(place)
    exercise = Exercise(task: [])
    var all: [ExerciseFile] = []
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
      let role = parts.count == 2 ? try #require(ExerciseFile.Role(rawValue: parts[0])) : .edit
      let digest = SourceDigest.digest(of: Array(text.utf8))
      contents[digest] = Array(text.utf8)
      all.append(ExerciseFile(path: parts[parts.count - 1], role: role, digest: digest))
    }
    exercise = Exercise(task: [], files: all, workspace: workspace, recipe: recipe, prepare: prepare, check: check)
  }

  var folder: WorkFolder { WorkFolder(root: root.path, place: place, workspace: exercise.workspace) }

  @discardableResult func update() throws -> WorkFolder.Update {
    try folder.update(exercise) { try #require(contents[$0.digest]) }
  }

  func text(of path: String) -> String? {
    FileManager.default.contents(atPath: "\(folder.path)/\(path)").map { String(decoding: $0, as: UTF8.self) }
  }

  func edit(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(path)"))
  }

  var runner: ExerciseRunner {
    var runner = ExerciseRunner(exercise, in: folder)
    runner.isUnprotectedAllowed = true
    return runner
  }

  /// Writes the files and runs the check.
  func check() throws -> CheckResult {
    try update()
    return try runner.run()
  }
}

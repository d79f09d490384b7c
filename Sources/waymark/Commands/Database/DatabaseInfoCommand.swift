import Answers
import ArgumentParser
import CourseLibrary
import Foundation
import LearningModel
import NavigationService

/// `waymark database info`.
struct DatabaseInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say where the database is, and how much is in it.",
    discussion: Example.text("waymark database info"))

  private struct Info: Encodable {
    let path: String
    let bytes: Int
    let courses: Int
    let activities: Int
    let learners: Int
  }

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let library = try global.library()
    let courses = try library.courses()
    let info = Info(
      path: library.path, bytes: Self.size(of: library.path) + Self.size(of: library.path + "-wal"),
      courses: courses.count, activities: courses.map(\.counts.activity).reduce(0, +),
      learners: try global.history().learners().count)
    let table = """
      path        \(info.path.harmlessLines)
      size        \(info.bytes / 1024) KiB
      courses     \(info.courses)
      activities  \(info.activities)
      learners    \(info.learners)

      """
    try Printing.value(info, fields: Fields.databaseInfo, table: table, as: output.format)
  }

  private static func size(of file: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
  }
}

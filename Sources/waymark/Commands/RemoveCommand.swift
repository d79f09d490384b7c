import ArgumentParser
import CourseKit
import LearningModel

/// `waymark remove COURSE`.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a course. Its history is kept, and is linked again if the course is imported again.",
    example: "waymark remove english-for-business --yes")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path or key of the course.", completion: .courses, transform: ArgumentParsers.place) var course:
    String
  @Flag(help: "Do not ask for confirmation.") var yes = false

  func run() throws {
    let library = try global.library()
    let path = PlacePath(course)
    let reference = try library.place(at: path).reference
    // If the place is not a course, fails before the question is asked.
    guard reference.kind == .course else {
      throw CourseLibraryError.notACourse(path: reference.path, kind: reference.kind)
    }
    let title = reference.title
    if !yes {
      guard try Confirmation.ask("Remove “\(title)”? Its history is kept.", orFail: "remove \(quoted: course)") else {
        return
      }
    }
    let count = try library.remove(path)
    Printing.line("Removed “\(title)” with \(count == 1 ? "1 place" : "\(count) places"). Its history is kept.")
  }
}

import ArgumentParser
import CourseLibrary
import LearningModel

/// `waymark export COURSE`.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a course as Waymark's own JSON, which imports back to the same course.",
    discussion: Example.text("waymark export english-for-business --output course.json"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The course's path, or its key.", completion: .courses, transform: Given.place) var course: String
  @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file")) var output: String?

  func run() throws {
    let library = try global.library()
    if let output {
      // Nothing is written for a course that there is not.
      _ = try library.place(at: PlacePath(course))
      let file = try FileOutput(output)
      try library.export(PlacePath(course)) { try file.write($0.harmlessJSON) }
      try file.finish()
    } else {
      var standard = StandardOutput()
      try library.export(PlacePath(course)) { standard.write($0.harmlessJSON) }
      standard.flush()
    }
  }
}

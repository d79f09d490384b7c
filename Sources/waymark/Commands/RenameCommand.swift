import ArgumentParser
import CourseKit
import LearningModel

/// `waymark rename PLACE NAME`.
struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a place. Its path is unchanged, and later imports keep the name.",
    discussion: "The name is shown to all learners of this database.\n\n"
      + Example.text(
        "waymark rename english-for-business \"English at work\"",
        "waymark rename english-for-business --as-written    restore the name"))

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "The path of a course, a goal, a lesson or an activity.", completion: .places,
    transform: ArgumentParsers.place)
  var place: String
  @Argument(help: "The new name.") var name: [String] = []
  @Flag(help: "Restore the name that the author wrote.") var asWritten = false

  func validate() throws {
    guard name.isEmpty == asWritten else {
      throw ValidationError(
        asWritten
          ? "Use either a name or --as-written, not both."
          : "Give a name, or use --as-written to restore the author's name."
      )
    }
  }

  func run() throws {
    let (oldName, newName) = try global.library().rename(
      PlacePath(place), to: asWritten ? nil : name.joined(separator: " "))
    Printing.line(
      oldName == newName
        ? "“\(newName)” already has this name." : "Renamed “\(oldName)” to “\(newName)”. The path is unchanged.")
  }
}

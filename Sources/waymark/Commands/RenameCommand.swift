import ArgumentParser
import CourseKit
import LearningModel

/// `waymark rename PLACE NAME`.
struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give a place a name of your own. Its path stays, and the name stays when it is imported again.",
    discussion: "Everybody who learns from this database sees the name.\n\n"
      + Example.text(
        "waymark rename english-for-business \"English at work\"",
        "waymark rename english-for-business --as-written     what its author calls it"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path of a course, a goal, a lesson or an activity.", completion: .places, transform: Given.place)
  var place: String
  @Argument(help: "What it is called from now on.") var name: [String] = []
  @Flag(help: "Take back a name that was given: the author's counts again.") var asWritten = false

  func validate() throws {
    guard name.isEmpty == asWritten else {
      throw ValidationError(
        asWritten ? "Give a name or --as-written, not both." : "Give a name, or --as-written for the author's.")
    }
  }

  func run() throws {
    let (before, now) = try global.library().rename(
      PlacePath(place), to: asWritten ? nil : name.joined(separator: " "))
    Printing.line(
      before == now ? "It is called “\(now)” already." : "“\(before)” is called “\(now)” now. Its path stays.")
  }
}

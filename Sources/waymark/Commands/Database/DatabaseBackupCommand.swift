import ArgumentParser
import CourseLibrary
import Foundation

/// `waymark database backup FILE`.
struct DatabaseBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the database while it is in use.",
    discussion: Example.text("waymark database backup ~/waymark-copy.sqlite"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "A file that is not there yet.", completion: .file()) var file: String

  func run() throws {
    let library = try global.library()
    if FileManager.default.fileExists(atPath: file) { throw CommandFailure.fileExists(file: file) }
    try library.backUp(to: file)
    Printing.line("Copied to \(file).")
  }
}

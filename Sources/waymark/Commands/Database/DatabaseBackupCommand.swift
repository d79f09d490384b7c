import ArgumentParser
import CourseLibrary

/// `waymark database backup FILE`.
struct DatabaseBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the database while it is in use.",
    discussion: Example.text("waymark database backup ~/waymark-copy.sqlite"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The file to write.", completion: .file()) var file: String
  @OptionGroup var replacing: ReplacingOption

  func run() throws {
    let library = try global.library()
    guard let name = try replacing.name(file, database: global.databasePath) else { return }
    guard let temporary = name.temporary else {
      throw CommandFailure.cannotCreate(file: file, reason: "what has this name is no ordinary file")
    }
    try library.backUp(to: temporary)
    try name.take()
    Printing.line("Copied to \(file).")
  }
}

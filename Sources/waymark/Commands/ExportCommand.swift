import Answers
import ArgumentParser
import CourseBrowser
import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark export COURSE`.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a course as JSON, as Markdown, as a web site, or its cards for Anki.",
    discussion:
      "A course with images is written as a zip archive with one file per image. In a file whose name ends with "
      + ".json, and on standard output, the images are part of the JSON.\n\n"
      + "--as apkg writes the flashcards and the questions of quizzes as an Anki package, with their images. --as "
      + "anki-text writes a text that Anki imports, without images.\n\n"
      + "The cards that you have made are exported too, as decks of their own. --without-own-cards leaves them out, for example "
      + "if you give the course to other people. --with-progress adds your answers and due dates to an Anki package.\n\n"
      + "--as html writes a web site that needs no server, and --as markdown a folder that 'waymark import' reads. Both "
      + "write to the folder that --output names, which must be new, empty or from an earlier export.\n\n"
      + Example.text(
        "waymark export english-for-business --output course.json",
        "waymark export english-for-business --as html --output site"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path or key of the course.", completion: .courses, transform: ArgumentParsers.place) var course:
    String
  @Option(name: .customLong("as"), help: "The format (default: apkg if the file ends with .apkg, otherwise json).")
  var form: ExportForm?
  @Flag(help: "Also export your answers and due dates, in an Anki package.") var withProgress = false
  @Flag(help: "Leave out the cards that you have made.") var withoutOwnCards = false
  @OptionGroup var file: FileOptions

  /// The learner whose own cards are exported.
  private var ownCards: String? { withoutOwnCards ? nil : global.learnerName }

  private var chosenForm: ExportForm { form ?? (file.output?.hasSuffix(".apkg") == true ? .apkg : .json) }

  func validate() throws {
    if chosenForm == .apkg, file.output == nil {
      throw ValidationError("An Anki package is a binary file. Name it with --output.")
    }
    if withProgress, chosenForm != .apkg {
      throw ValidationError(
        "--with-progress requires --as apkg: other formats have no place for answers and due dates.")
    }
    if chosenForm.isFolder, file.output == nil {
      throw ValidationError("--as \(chosenForm.rawValue) writes a folder. Name it with --output.")
    }
  }

  func run() throws {
    let library = try global.library()
    // If there is no such course, fails before a question is asked or a file is created.
    let title = try library.place(at: PlacePath(course)).reference.title
    if chosenForm.isFolder, let folder = file.output { return try exportFiles(of: library, title, to: folder) }
    guard chosenForm == .json else { return try exportCards(of: library, title) }
    let content = "the course “\(title)”"
    if let output = file.output, !output.hasSuffix(".json"), try library.hasImages(at: PlacePath(course)) {
      return try file.writeBytes(of: content, to: output, database: global.databasePath, isPrivate: false) {
        try library.exportArchive(PlacePath(course), ownCardsOf: ownCards, throwing: $0)
      }
    }
    try file.write(content, database: global.databasePath, isPrivate: false) { write in
      try withThrowingCallback({ try write($0.harmlessJSON) }) {
        try library.export(PlacePath(course), ownCardsOf: ownCards, to: $0)
      }
    }
  }
}

/// The formats of `waymark export`.
enum ExportForm: String, CaseIterable, ExpressibleByArgument {
  case json, apkg
  case ankiText = "anki-text"
  case html, markdown

  var isFolder: Bool { self == .html || self == .markdown }
}

extension ExportCommand {
  /// Writes a folder with a file for each text.
  private func exportFiles(of library: CourseLibrary, _ title: String, to folder: String) throws {
    let replacing = file.replacing.force ? OutputName.Replacing.always : .asking
    guard
      let incompleteCards = try library.exportFolder(
        PlacePath(course), ownCardsOf: ownCards, as: chosenForm, to: folder, replacing: replacing)
    else { return }
    Printing.line(
      chosenForm == .html
        ? "Wrote the course “\(title)” as a web site. Open \(quoted: folder + "/index.html") in a web browser."
        : "Wrote the course “\(title)” to the folder \(quoted: folder).")
    if incompleteCards > 0 {
      StandardError.write(
        "The keys, tags or directions of \(DisplayFormat.count(incompleteCards, "card")) cannot be written as Markdown and "
          + "are left out. Use --as json to export them.\n")
    }
  }

  /// Writes the cards of the course for Anki, and reports what is not part of the file.
  private func exportCards(of library: CourseLibrary, _ title: String) throws {
    // Applies merged answers to the memories of the cards.
    if withProgress { _ = try global.navigation().reviews.overview() }
    let learner = AnkiExportLearner(name: global.learnerName, hasProgress: withProgress, hasOwnCards: !withoutOwnCards)
    var report: AnkiExportReport?
    let content = "the cards of “\(title)”"
    try file.writeBytes(of: content, database: global.databasePath, isPrivate: withProgress) { write in
      try withThrowingCallback(write) { write in
        report = try withoutActuallyEscaping(write) { write in
          try library.exportCards(PlacePath(course), as: chosenForm == .apkg ? .package : .text, of: learner, to: write)
        }
      }
    }
    guard let report else { return }
    if report.omittedActivities > 0 {
      let count = report.omittedActivities
      StandardError.write(
        "\(count) \(count == 1 ? "activity has" : "activities have") no cards and \(count == 1 ? "is" : "are") not exported.\n"
      )
    }
    if withProgress {
      StandardError.write(
        "Anki does not change the schedule of cards that it already has: to replace it, make a backup in Anki, delete these "
          + "decks there, and then import the file.\n")
    }
    if report.missingNotes > 0 {
      StandardError.write(
        "\(DisplayFormat.count(report.missingNotes, "card")) from Anki left out, because the notes are not in this database. "
          + "Import the deck from Anki again to export them.\n")
    }
    if chosenForm == .ankiText, report.images > 0 {
      StandardError.write(
        "Images are not part of the text, only their names (\(report.images)). Use --as apkg to export the images.\n")
    }
  }
}

extension CourseLibrary {
  /// Writes a course as a folder with a file for each text.
  ///
  /// - Returns: The number of cards that are not complete in the folder, or `nil` if the user declined to replace it.
  fileprivate func exportFolder(
    _ path: PlacePath, ownCardsOf learner: String?, as form: ExportForm, to folder: String,
    replacing: OutputName.Replacing
  ) throws -> Int? {
    let course = try exported(path, of: learner)
    guard let output = try FolderOutput(folder, replacing: replacing) else { return nil }
    let incompleteCards = form == .markdown ? try CourseFolder(course).write(to: output.write) : 0
    if form == .html { try CourseSite(course).write(to: output.write) }
    try output.finish()
    return incompleteCards
  }

  /// Writes a course as a zip archive, and throws the first error of `write`.
  fileprivate func exportArchive(
    _ path: PlacePath, ownCardsOf learner: String?, throwing write: @escaping ([UInt8]) throws -> Void
  ) throws {
    var failure: (any Error)?
    try exportArchive(path, ownCardsOf: learner) { bytes in
      do {
        try write(bytes)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }
}

extension CourseExport {
  /// Returns the export formats, each selected by the extension of the file.
  ///
  /// - Parameters:
  ///   - database: The path of the open database, which must not be overwritten.
  ///   - learner: The learner whose own cards are exported.
  static func of(_ library: CourseLibrary, database: String, learner: String) -> CourseExport {
    let formats = [
      HistoryExport.Format(fileExtension: "json", name: "one file with the images"),
      HistoryExport.Format(fileExtension: "zip", name: "an archive with one file per image"),
      HistoryExport.Format(fileExtension: "apkg", name: "the cards, as an Anki package"),
      HistoryExport.Format(fileExtension: "html", name: "a folder with a web site"),
      HistoryExport.Format(fileExtension: "markdown", name: "a folder with Markdown files"),
    ]
    return CourseExport(formats: formats) { course, format, path, replaces in
      let replacing = replaces ? OutputName.Replacing.always : .never
      if let form = ExportForm(rawValue: format.fileExtension), form.isFolder {
        let incompleteCards =
          try library.exportFolder(
            course, ownCardsOf: learner, as: form, to: path, replacing: replacing) ?? 0
        return incompleteCards == 0
          ? "" : " without the keys, tags or directions of \(DisplayFormat.count(incompleteCards, "card"))"
      }
      guard let name = try OutputName(path, database: database, replacing: replacing) else { return "" }
      let file = try FileOutput(name, isPrivate: false)
      switch format.fileExtension {
      case "apkg":
        try withThrowingCallback({ try file.write($0) }) { write in
          _ = try withoutActuallyEscaping(write) {
            try library.exportCards(course, as: .package, of: AnkiExportLearner(name: learner), to: $0)
          }
        }
      case "zip": try library.exportArchive(course, ownCardsOf: learner, throwing: file.write)
      default:
        try withThrowingCallback({ try file.write($0.harmlessJSON) }) {
          try library.export(course, ownCardsOf: learner, to: $0)
        }
      }
      try file.finish()
      return ""
    } writeNotes: { markdown, path, replaces in
      guard let name = try OutputName(path, database: database, replacing: replaces ? .always : .never) else { return }
      let file = try FileOutput(name, isPrivate: true)
      try file.write(markdown.harmlessLines)
      try file.finish()
    }
  }
}

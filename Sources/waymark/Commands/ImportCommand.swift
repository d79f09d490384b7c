import Answers
import ArgumentParser
import CourseLibrary
import LearningModel

/// `waymark import SOURCE…` and `waymark import --bundled`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring courses in: folders and files, in any format that 'waymark formats' lists.",
    discussion: Example.text(
      "waymark import my-course --dry-run    see what would change",
      "waymark import my-course",
      "waymark import my-course --watch      again after each save"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("Folders, files, archives, or addresses of Git repositories.", valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Flag(help: "The course that comes with Waymark.") var bundled = false
  @Flag(help: .hidden) var ifEmpty = false
  @Option(
    help: ArgumentHelp("The format, where it shall not be found out.", valueName: "format"),
    completion: .list(CourseLibrary.formats.map(\.name)))
  var from: String?
  @Flag(help: "Say what would change, and change nothing.") var dryRun = false
  @Option(help: ArgumentHelp("The course's key, instead of the source's own.", valueName: "key"), transform: Given.key)
  var key: String?
  @Flag(help: "Import although most of the course goes, or its format changes.") var replace = false
  @Flag(help: "Import again after each save, until Control and C.") var watch = false

  func validate() throws {
    if sources.isEmpty && !bundled { throw ValidationError("Name a source, or use --bundled.") }
    let formats = CourseLibrary.formats.map(\.name)
    if let from, !formats.contains(from) {
      throw ValidationError("There is no format '\(from)'. Name one of: \(formats.joined(separator: ", ")).")
    }
    if key != nil && sources.count + (bundled ? 1 : 0) > 1 {
      throw ValidationError("--key is for one source: two courses cannot have one key.")
    }
    if watch, sources.count != 1 || bundled || dryRun || ifEmpty {
      throw ValidationError("--watch is for one source, and imports it: name a folder or a file, without --dry-run.")
    }
    if watch, ![.table, .jsonl].contains(output.format) {
      throw ValidationError("--watch never comes to an end of its list: use --format jsonl, a report a line.")
    }
  }

  func run() throws {
    Interruption.watch()
    let failure = try watch ? importEachTime() : importAll()
    // The database is closed by now.
    Interruption.leave()
    if let failure { throw ExitCode(failure) }
  }

  /// What was said about the import.
  var options: ImportOptions { ImportOptions(format: from, key: key, replaces: replace, isDryRun: dryRun) }

  /// Imports one source after the other.
  ///
  /// - Returns: The exit code of the first that failed.
  private func importAll() throws -> Int32? {
    let library = try global.library()
    if ifEmpty, try !library.courses().isEmpty { return nil }

    var reports: [ImportReport] = []
    var firstFailure: Int32?
    let imports = (bundled ? [nil] : []) + sources.map(Optional.some)
    for source in imports where !Interruption.cancellation.isCancelled {
      let bar = ProgressBar()
      do {
        let report = try library.importing(source, options: options, progress: bar.show)
        bar.clear()
        StandardError.write(report.diagnosticLines)
        reports.append(report)
      } catch let error as any ExplainedError {
        bar.clear()
        // Each source stands for itself: the next one may be good.
        if case CourseLibraryError.importRefused(_, let report) = error {
          StandardError.write(report.diagnosticLines)
          reports.append(report)
        }
        let nearest = error.kind == .notFound ? source.map(NearbyFiles.names) ?? [] : []
        let failure = nearest.isEmpty ? error : CommandFailure.noSource(source ?? "", nearest: nearest)
        StandardError.write(failure.description.harmlessLines + "\n")
        firstFailure = firstFailure ?? ExitStatus.code(for: failure)
      }
    }

    var out = StandardOutput()
    try output.format.write(
      reports, fields: Fields.imports, table: reports.map { $0.summary(isDryRun: dryRun) }.joined(), to: &out)
    out.flush()
    return firstFailure
  }
}

extension CourseLibrary {
  /// Imports a source, or the bundled course where it is `nil`.
  func importing(
    _ source: String?, options: ImportOptions, progress: @escaping @Sendable (ImportProgress) -> Void
  ) throws -> ImportReport {
    if let source {
      try importCourse(
        from: source, options: options, cancellation: Interruption.cancellation, progress: progress)
    } else {
      try importBundled(options: options, cancellation: Interruption.cancellation, progress: progress)
    }
  }
}

extension ProgressBar {
  /// Says how far an import is.
  func show(_ progress: ImportProgress) {
    switch progress {
    case .reading(let nodes): show("Reading", done: nodes, of: nil)
    case .comparing(let done, let total): show("Comparing", done: done, of: total)
    case .writing(let total): show("Writing", done: total, of: nil)
    case .indexing(let done, let total): show("Indexing", done: done, of: total)
    }
  }
}

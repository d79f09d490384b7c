import Answers
import CourseLibrary
import LearningModel

extension ImportCommand {
  /// Imports the source, and again each time that something of it is saved, until that is ended.
  ///
  /// What cannot be imported is said, and the course stays as it was until it can.
  ///
  /// - Returns: The exit code where it could not even begin, or the source is gone.
  func importEachTime() throws -> Int32? {
    let library = try global.library()
    var telling = ImportTelling(format: output.format)
    do {
      // Followed from before it is read: what is saved meanwhile is not missed.
      let watch = try SourceWatch(path: sources[0], until: Interruption.cancellation)
      repeat {
        let bar = ProgressBar()
        do {
          let report = try library.importing(sources[0], options: options, progress: bar.show)
          bar.clear()
          try telling.tell(report)
        } catch let error as CourseLibraryError where error.isMended {
          bar.clear()
          try telling.tell(error)
        } catch CourseLibraryError.importCancelled {
          bar.clear()
          return nil
        }
        telling.begin(sources[0])
      } while try watch.waitForChange()
    } catch let error as CourseLibraryError {
      StandardError.write(error.description.harmlessLines + "\n")
      return ExitStatus.code(for: error)
    }
    return nil
  }
}

extension CourseLibraryError {
  /// Whether the next save may mend it: it is a matter of what the source says.
  fileprivate var isMended: Bool {
    switch self {
    case .importRefused: true
    case .unreadableSource(let kind, _): kind == .noPermission
    default: false
    }
  }
}

/// Tells what each of several imports of one source did: all of the first, and of the others what is new.
private struct ImportTelling {
  let format: OutputFormat
  private var imports = 0
  private var isBroken = false
  /// What was said about the source the last time.
  private var diagnostics = ""

  init(format: OutputFormat) { self.format = format }

  /// Says that the source is waited for, once.
  mutating func begin(_ source: String) {
    if imports == 1 {
      StandardError.write(
        "Watching '\(source)': each save is imported. Control and C ends this.\n".harmlessLines)
    }
  }

  mutating func tell(_ report: ImportReport) throws {
    tell(diagnosticsOf: report)
    var words = imports == 0 ? report.summary(isDryRun: false) : report.changesAfterSave
    if words.isEmpty, isBroken { words = "\(report.title): in order again, nothing has changed\n".harmlessLines }
    imports += 1
    isBroken = false
    try write(report, words)
  }

  mutating func tell(_ error: CourseLibraryError) throws {
    imports += 1
    var report: ImportReport?
    if case .importRefused(_, let refused) = error { report = refused }
    if let report { tell(diagnosticsOf: report) }
    isBroken = true
    StandardError.write(error.description.harmlessLines + "\n")
    if let report, format != .table { try write(report, "") }
  }

  /// What was said already, and is still so, is not said again.
  private mutating func tell(diagnosticsOf report: ImportReport) {
    let lines = report.diagnosticLines
    if lines != diagnostics { StandardError.write(lines) }
    diagnostics = lines
  }

  private func write(_ report: ImportReport, _ words: String) throws {
    // To a script each import is told, to a person what is new.
    guard format != .table || !words.isEmpty else { return }
    var out = StandardOutput()
    try format.write([report], fields: Fields.imports, table: words, to: &out)
    out.flush()
  }
}

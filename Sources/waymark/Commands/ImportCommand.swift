import Answers
import ArgumentParser
import CourseKit
import CoursePages
import Exercises
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark import SOURCE…` and `waymark import --bundled`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import courses from folders and files in any format that 'waymark formats' lists.",
    discussion: Example.text(
      "waymark import --bundled                import the bundled course",
      "waymark import ~/my-course --dry-run    show what would change",
      "waymark import ~/my-course",
      "waymark import - < ~/notes.md           import standard input",
      "waymark import ~/my-course --watch      import again after each save"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp(
      "Folders, files, archives, URLs of Git repositories, or - for standard input.", valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Flag(help: "Import the course that is included in Waymark.") var bundled = false
  @Flag(help: .hidden) var ifEmpty = false
  @Option(
    help: ArgumentHelp("The format of the source (default: detected).", valueName: "format"),
    completion: .list(CourseLibrary.formats.map(\.name)))
  var from: String?
  @Flag(help: "Print what would change, without changing anything.") var dryRun = false
  @Option(
    help: ArgumentHelp("The key of the course, instead of the key in the source.", valueName: "key"),
    transform: ArgumentParsers.key)
  var key: String?
  @Flag(help: "Import even if this removes most of the course or changes its format.") var replace = false
  @Flag(help: "Fail if a page cannot be read, instead of leaving the page out.") var strict = false
  @Flag(help: "Treat renamed pages as removed and added, instead of keeping their history.") var noJoin = false
  @Flag(help: "Also import the progress in an Anki package or in a folder of rustlings.") var withProgress = false
  @Flag(help: "Import again after each save, until Ctrl-C is pressed.") var watch = false

  func validate() throws {
    if sources.isEmpty && !bundled { throw ValidationError("Name a source or use --bundled.") }
    let formats = CourseLibrary.formats.map(\.name)
    if let from, !formats.contains(from) {
      throw ValidationError("Unknown format \(quoted: from). Use one of: \(formats.joined(separator: ", ")).")
    }
    if key != nil && sources.count + (bundled ? 1 : 0) > 1 {
      throw ValidationError("--key requires a single source: two courses cannot have the same key.")
    }
    if withProgress, dryRun || watch {
      throw ValidationError("--with-progress cannot be combined with --dry-run or --watch.")
    }
    if watch, sources.count != 1 || sources == [ScratchFolder.standardInput] || bundled || dryRun || ifEmpty {
      throw ValidationError(
        "--watch requires a single folder or file, and cannot be combined with --bundled or --dry-run.")
    }
    if watch, ![.table, .jsonl].contains(output.format) {
      throw ValidationError(
        "--watch does not support this format. Use --format jsonl, which prints one report per line.")
    }
  }

  func run() throws {
    Interruption.startObserving()
    let failure = try watch ? importEachTime() : importAll()
    // The database is already closed. If a signal has arrived, the process can therefore end with that signal.
    Interruption.leave()
    if let failure { throw ExitCode(failure) }
  }

  /// The import options from the flags.
  var options: ImportOptions {
    ImportOptions(
      format: from, key: key, replaces: replace, isDryRun: dryRun, isStrict: strict, joinsRenamed: !noJoin)
  }

  /// Imports all sources, one after the other.
  ///
  /// - Returns: The exit status of the first import that failed, or `nil`.
  private func importAll() throws -> Int32? {
    let library = try global.library()
    if ifEmpty, try !library.courses().isEmpty { return nil }

    let navigation = dryRun ? nil : try global.navigation()
    var reports: [ImportReport] = []
    var firstFailure: Int32?
    let imports = (bundled ? [nil] : []) + sources.map(Optional.some)
    for source in imports where !Interruption.cancellation.isCancelled {
      let bar = ProgressBar()
      do {
        var recorded: [String] = []
        let report = try library.importing(
          source, options: options, progress: bar.show,
          includingProgress: withProgress,
          recording: { progress, course in
            recorded = []
            if !progress.preset.isEmpty {
              recorded.append(
                "The course \(dryRun ? "would use" : "uses") the options of its deck: "
                  + "\(ReviewSettingRow.text(of: progress.preset)). "
                  + "\(command: "waymark", "review", "set", course.description, "--reset") removes them.\n")
              func limit(_ name: ReviewSettingName) -> Int { progress.preset[name].flatMap { Int($0) } ?? 0 }
              if let all = try navigation?.reviews.settings(),
                limit(.newCards) > all.newCards || limit(.reviews) > all.reviews
              {
                recorded.append(
                  "All courses together show at most \(all.newCards) new cards and \(all.reviews) reviews a day. "
                    + "'waymark review set --new N --reviews N' changes this.\n")
              }
            }
            if !progress.otherDecks.isEmpty {
              recorded.append(ReviewSettingRow.text(ofOtherDecks: progress.otherDecks) + "\n")
            }
            if progress.unreadCards > 0 {
              recorded.append(
                "The source contains the progress of \(DisplayFormat.count(progress.unreadCards, "card")), which was not "
                  + "imported. To import it too: \(shell: "waymark", "import", source ?? "", "--with-progress")\n")
            }
            guard let navigation else { return }
            let result = try navigation.record(progress, in: course)
            guard withProgress else { return }
            if !progress.cards.isEmpty { recorded.append(result.text(of: progress.cards.count)) }
            let passed = progress.passedExercises.count
            if passed > 0 { recorded.append("Marked \(result.exercises) of \(passed) passed exercises as done.\n") }
            if progress.cards.isEmpty, passed == 0 { recorded.append("The source contains no progress.\n") }
          })
        bar.clear()
        StandardError.write(report.diagnosticLines)
        reports.append(report)
        StandardError.write(recorded.joined())
      } catch let error as any ExplainedError {
        bar.clear()
        // A failed source does not prevent the import of the next one.
        if case CourseLibraryError.importRefused(_, let report) = error {
          StandardError.write(report.diagnosticLines)
          reports.append(report)
        }
        let nearest = error.kind == .notFound ? source.map(NearbyFiles.names) ?? [] : []
        let failure = nearest.isEmpty ? error : CommandFailure.noSource(source ?? "", nearest: nearest)
        StandardError.write((CommandWords.text(failure) + ManualHint.text(for: failure)).harmlessLines + "\n")
        firstFailure = firstFailure ?? failure.kind.exitStatus
      }
    }

    try Printing.list(
      reports.map(\.withRemedies), fields: CSVColumns.imports,
      table: reports.map { $0.summary(isDryRun: dryRun) }.joined(),
      as: output.format)
    return firstFailure
  }
}

extension CourseLibrary {
  /// Imports a source, or the bundled course if `source` is `nil`.
  func importing(
    _ source: String?, options: ImportOptions, progress: @escaping @Sendable (ImportProgress) -> Void,
    includingProgress: Bool = false, recording record: ((SourceProgress, PlacePath) throws -> Void)? = nil
  ) throws -> ImportReport {
    if source == ScratchFolder.standardInput {
      let scratch = try ScratchFolder()
      defer { scratch.remove() }
      return try importCourse(
        from: scratch.saveStandardInput(), options: options, cancellation: Interruption.cancellation,
        progress: progress, includingProgress: includingProgress, recording: record, remembersSource: false)
    }
    return if let source {
      try importCourse(
        from: source, options: options, cancellation: Interruption.cancellation, progress: progress,
        includingProgress: includingProgress, recording: record)
    } else {
      try importBundled(options: options, cancellation: Interruption.cancellation, progress: progress)
    }
  }
}

extension ProgressBar {
  /// Shows the progress of an import.
  func show(_ progress: ImportProgress) {
    switch progress {
    case .reading(let nodes): show("Reading", done: nodes, of: nil)
    case .comparing(let done, let total): show("Comparing", done: done, of: total)
    case .writing(let total): show("Writing", done: total, of: nil)
    case .indexing(let done, let total): show("Indexing", done: done, of: total)
    }
  }
}

extension ImportCommand {
  /// Imports the source, and imports it again after each change until the command is interrupted.
  ///
  /// If an import fails, the error is printed, and the course remains unchanged until a later import succeeds.
  ///
  /// - Returns: The exit status if the source cannot be watched, otherwise `nil`.
  func importEachTime() throws -> Int32? {
    let library = try global.library()
    var reporter = WatchedImportReporter(format: output.format)
    do {
      // Watching begins before the first import, so that no change is missed.
      let watch = try SourceWatch(path: sources[0], until: Interruption.cancellation)
      repeat {
        let bar = ProgressBar()
        do {
          let report = try library.importing(sources[0], options: options, progress: bar.show)
          bar.clear()
          try reporter.report(report)
        } catch let error as CourseLibraryError where error.mayBeFixedBySource {
          bar.clear()
          try reporter.report(error)
        } catch CourseLibraryError.importCancelled {
          bar.clear()
          return nil
        }
        reporter.begin(sources[0])
      } while try watch.waitForChange()
    } catch let error as CourseLibraryError {
      StandardError.write(CommandWords.text(error).harmlessLines + "\n")
      return error.kind.exitStatus
    }
    return nil
  }
}

extension CourseLibraryError {
  /// Whether a change of the source may fix the error.
  fileprivate var mayBeFixedBySource: Bool {
    switch self {
    case .importRefused: true
    case .unreadableSource(let kind, _, _): [.noPermission, .notFound, .inputOutput].contains(kind)
    default: false
    }
  }
}

extension RecordedProgress {
  /// Returns the sentences about the cards.
  ///
  /// - Parameter count: The number of cards that have progress in the source.
  fileprivate func text(of count: Int) -> String {
    guard cards > 0 else { return "No card has new answers.\n" }
    let merged = DisplayFormat.count(mergedCards, "card")
    return
      "Added \(DisplayFormat.count(answers, "answer")). \(cards) of \(DisplayFormat.count(count, "card")) with progress changed.\n"
      + (mergedCards == 0
        ? ""
        : "The answers that you gave here to \(merged) are kept: "
          + "\(mergedCards == 1 ? "its" : "their") memory now follows from all answers in the order of their times.\n")
  }
}

/// Prints the results of the imports of a watched source: everything for the first import, and only the changes for
/// each later one.
private struct WatchedImportReporter {
  let format: OutputFormat
  private var imports = 0
  private var hasFailed = false
  /// The diagnostics that were printed last.
  private var diagnostics = ""

  init(format: OutputFormat) { self.format = format }

  /// Prints that the source is being watched. Only the first call prints this.
  mutating func begin(_ source: String) {
    if imports == 1 {
      StandardError.write(
        "Watching \(quoted: source). Each change is imported. Press Ctrl-C to stop.\n".harmlessLines)
    }
  }

  mutating func report(_ report: ImportReport) throws {
    let hadDiagnostics = !diagnostics.isEmpty
    reportDiagnostics(diagnosticsOf: report)
    var text = imports == 0 ? report.summary(isDryRun: false) : report.changesAfterSave
    if text.isEmpty, hasFailed || hadDiagnostics && diagnostics.isEmpty {
      text = "\(report.title): valid again, no changes\n".harmlessLines
    }
    imports += 1
    hasFailed = false
    try write(report, text)
  }

  mutating func report(_ error: CourseLibraryError) throws {
    imports += 1
    var report: ImportReport?
    if case .importRefused(_, let refusedReport) = error { report = refusedReport }
    if let report { reportDiagnostics(diagnosticsOf: report) }
    hasFailed = true
    let advice = error.kind == .notFound ? " The import is repeated when it is back." : ""
    StandardError.write((CommandWords.text(error) + advice).harmlessLines + "\n")
    if let report, format != .table { try write(report, "") }
  }

  /// Prints the diagnostics, unless they are the same as those of the previous import.
  private mutating func reportDiagnostics(diagnosticsOf report: ImportReport) {
    let lines = report.diagnosticLines
    if lines != diagnostics { StandardError.write(lines) }
    diagnostics = lines
  }

  private func write(_ report: ImportReport, _ text: String) throws {
    // Formats for programs contain every import. Tables contain only imports that changed something.
    guard format != .table || !text.isEmpty else { return }
    try Printing.list([report.withRemedies], fields: CSVColumns.imports, table: text, as: format)
  }
}

extension ImportReport {
  /// The maximum number of diagnostics that are printed.
  static let maximumListed = 20

  /// The diagnostics, errors first, as lines such as `file:line: error: …`. At most ``maximumListed`` lines, followed by
  /// the number of further diagnostics.
  var diagnosticLines: String {
    let all = withRemedies.diagnostics
    let sorted = all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
    let lines = sorted.prefix(Self.maximumListed).map(\.description.harmless)
    let remaining = sorted.count - lines.count
    return (lines + (remaining > 0 ? ["… and \(remaining) more"] : [])).map { $0 + "\n" }.joined()
  }

  /// Returns the summary of the import in the table format.
  func summary(isDryRun: Bool) -> String {
    // A source with errors was not compared with the course, so an empty difference does not mean that nothing has
    // changed.
    let isCompared = !difference.isEmpty || !diagnostics.contains { $0.severity == .error }
    guard imported || isDryRun && isCompared else { return "" }
    var lines = [headline(isDryRun: isDryRun)]
    lines.append("  format   " + format)
    lines.append("  has      " + contents)
    if !difference.isEmpty { lines.append("  changes  " + Self.list(difference.texts)) }
    for loss in losses where loss.count > 0 {
      lines.append("  reduced  \(loss.count) × \(loss.what): \(loss.treatment)")
      lines += loss.exampleLines.map { "    " + $0 }
    }
    // In a new course every place is added, which the counts already show.
    if isDryRun, revision > 0 { lines += changes.map { $0.line(levels) } }
    lines += historyLines(isDryRun: isDryRun)
    return lines.map { $0.harmless + "\n" }.joined()
  }

  /// The maximum number of changes that are printed after each save of the source.
  static let maximumChangesAfterSave = 10

  /// The changes since the previous save of the source: a line with the title and the counts, and then the changes.
  /// Empty if nothing has changed.
  var changesAfterSave: String {
    guard !difference.isEmpty || !joined.isEmpty else { return "" }
    let listed = changes.prefix(Self.maximumChangesAfterSave)
    let remaining = changes.count - listed.count
    let lines =
      ["\(title): \(Self.list(difference.texts.filter { !$0.hasSuffix("unchanged") }))"]
      + listed.map { $0.line(levels) }
      + historyLines()
    return (lines + (remaining > 0 ? ["    … and \(remaining) more"] : [])).map { $0.harmless + "\n" }.joined()
  }

  /// The maximum number of joined places that are listed, except by a dry run.
  static let maximumJoined = 10

  /// The places whose pages were renamed, and the removed places at which a learner has records. A page is not listed in
  /// addition to its sections.
  private func historyLines(isDryRun: Bool = false) -> [String] {
    let pages = Set(joined.compactMap { place in place.key.lastIndex(of: "#").map { String(place.key[..<$0]) } })
    // The key of the text before the first section ends with an empty anchor, and that of a lesson of a book with a mark.
    func shown(_ key: String) -> String { key.hasSuffix("#") || key.hasSuffix("!") ? String(key.dropLast()) : key }
    var known: Set<String> = []
    let places = joined.filter { !pages.contains($0.key) && known.insert(shown($0.key)).inserted }
    let listed = isDryRun ? places : Array(places.prefix(Self.maximumJoined))
    let rest = places.count - listed.count
    var lines: [String] = []
    if !places.isEmpty {
      lines.append(
        "  history  \(places.count) renamed \(places.count == 1 ? "place keeps its" : "places keep their") history")
      lines += listed.map { "    \(shown($0.key)) is now \(shown($0.sourceKey)) (\(Self.reason(for: $0.evidence)))" }
      if rest > 0 { lines.append("    … and \(rest) more") }
    }
    if !removedWithRecords.isEmpty {
      let count = removedWithRecords.count
      lines.append("  removed  \(count) \(count == 1 ? "place" : "places") with progress, notes, bookmarks or cards")
      lines += removedWithRecords.map { place in
        "    \(place.title) (\(place.path)): \(place.records.map(\.rawValue).joined(separator: ", "))"
      }
    }
    return lines
  }

  private static func reason(for evidence: JoinEvidence) -> String {
    evidence == .declared ? "declared" : (evidence == .text ? "similar " : "same ") + evidence.rawValue
  }

  private func headline(isDryRun: Bool) -> String {
    if difference.isEmpty, joined.isEmpty { return "\(title): no changes" }
    return isDryRun
      ? "\(title): would be imported from \(source)"
      : "\(title): imported as \(quoted: course.map(\.description) ?? "")"
  }

  private static func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
}

extension DifferenceCounts {
  /// The counts that are not 0: `3 added`, `1 renamed`, …
  var texts: [String] {
    [
      (added, "added"), (moved, "moved"), (renamed, "renamed"), (changed, "changed"), (removed, "removed"),
      (unchanged, "unchanged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}

extension NodeChange {
  /// The change in columns: `  renamed  lesson    Opening offers`.
  fileprivate func line(_ levels: LevelNames) -> String {
    "    " + Self.padded(change.rawValue, to: 8) + " " + Self.padded(levels.noun(for: PlaceKind(kind)).singular, to: 9)
      + title
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.displayWidth))
  }
}

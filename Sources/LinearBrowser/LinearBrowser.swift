import Answers
package import CourseKit
package import CoursePages
package import Exercises
import Foundation
package import LearningModel
package import NavigationKit
import TextCanvas

/// The linear browser, for screen readers. It reads lines and prints lines, and never changes text that was printed
/// before.
///
/// Every screen begins with its kind and its title, and every item has a number. The output after a command contains
/// only what has changed. The output has no box-drawing characters, colours or cursor movements, so it can be sent to a
/// pipe.
///
/// ```swift
/// let browser = LinearBrowser(navigation: navigation, library: library, reason: .flag)
/// for line in try browser.begin() { print(line) }
/// for line in browser.answer(to: "2") { print(line) }
/// ```
package final class LinearBrowser {
  let navigation: NavigationService
  let library: CourseLibrary
  let reason: LinearReason
  let clock: () -> Timestamp
  /// The maximum line width in columns, at least 20. Set it to the width of the terminal, so that the terminal does not
  /// break words.
  package var width = 80
  /// Whether the user has quit.
  package private(set) var isFinished = false

  /// The list to which numbers and names refer.
  var list = LinearList()
  /// The open activity, or `nil` if the current place is a list.
  var activity: LinearActivity?
  /// The last review, which continues after the learner has opened the source of a card, or `nil`.
  var lastReview: LinearReview?
  /// The note whose text is being opened, or `nil`.
  var targetNote: Note?
  /// The index of the question that is shown when the quiz has been opened, or `nil`.
  var targetQuestion: Int?
  /// The query that found the place that is being opened, or `nil`.
  var searchQuery: String?
  /// The query of the last search in the current course, which can be repeated in all courses, or `nil`.
  var extendableQuery: String?
  /// The action that needs confirmation.
  var pending: Pending?
  /// The folder against which stored relative paths of sources are resolved when a course is imported again.
  package var folder = FileManager.default.currentDirectoryPath
  /// The settings, or `nil` if they cannot be shown and changed.
  package var settings: SettingsStore?
  /// Why the learner's changes are lost at the end, such as `the manual is not kept`. `nil` if they are kept.
  package var lossReason: String?
  /// Writes the course at a path to a file. Replaces an existing file only if `replaces` is `true`. `nil` if exporting
  /// is not available.
  package var exportCourse: ((_ course: PlacePath, _ file: String, _ replaces: Bool) throws -> String)?
  /// Opens the files of exercises, or `nil` if they are only printed.
  package var editor: WorkEditor?
  /// Whether checks may run if the system does not confine them, or as root.
  package var isUnprotectedAllowed = false
  /// Writes text while a check runs. If `nil`, the output of a check is printed after its end.
  package var writeNow: ((String) -> Void)?
  /// The number of hints that were shown, by exercise.
  var shownHints: [PlacePath: Int] = [:]
  /// The manual, or `nil` if it is not available or is itself what is being read.
  package var manual: Manual?
  private var output: [(text: String, isVerbatim: Bool)] = []

  /// Creates a linear browser without output.
  ///
  /// - Parameters:
  ///   - navigation: The service of the learner's session.
  ///   - library: The courses.
  ///   - reason: The reason for linear mode.
  ///   - now: Returns the current time.
  package init(
    navigation: NavigationService, library: CourseLibrary, reason: LinearReason,
    now: @escaping () -> Timestamp = { Timestamp(date: Date()) }
  ) {
    self.navigation = navigation
    self.library = library
    self.reason = reason
    clock = now
  }

  /// Whether numbers and names refer to a list. `false` if they refer to an activity.
  var isList: Bool { activity == nil || list.isOverlay }

  var now: Timestamp { clock() }
  var days: RelativeDateFormat { RelativeDateFormat(timeZone: navigation.timeZone, now: now) }

  /// Begins the learner's session at the place where the last one ended, or at a given place.
  ///
  /// - Parameter request: The review that is begun instead of showing the place, or `nil`.
  /// - Returns: The lines to print: the reason for linear mode, and the first screen.
  /// - Throws: The errors of the services.
  package func begin(at place: PlaceName? = nil, reviewing request: ReviewRequest? = nil) throws -> [String] {
    printLine("Waymark, linear mode (\(reason.text)). Type a number or a command, or ? for help.")
    if let mistake = try settings?.settings().mistake { printLine(mistake.startNotice) }
    var step = try navigation.perform(.resume, cause: .system)
    if let place {
      let opened = try navigation.perform(.open(place), cause: .shell)
      if opened.isPerformed { step = opened }
    }
    reportUnrecordedSteps()
    if let message = step.message, step.note != .noHistory { printLine(message) }
    if let request { try begin(request) }
    if activity == nil { try showPlace(after: "") }
    return takeOutput()
  }

  /// Handles a line that the user typed.
  ///
  /// - Returns: The lines to print, without line ends. Control characters in them are replaced by visible symbols.
  package func answer(to line: String) -> [String] {
    trying {
      try navigation.recordInput()
      try creditReading()
      try handleCardInput(LinearInput(line), line)
      if case .review = activity { try navigation.recordInput(leaving: true) }
    }
    reportUnrecordedSteps()
    return takeOutput()
  }

  /// Stores the reading progress and ends the session.
  package func close() {
    // Errors are ignored because the process ends. A session that could not be ended is closed by the next process.
    try? creditReading()
    try? navigation.endSession()
  }

  /// Whether the notice that steps are not recorded has been printed.
  private var hasReportedUnrecordedSteps = false

  /// Prints a notice when steps can no longer be recorded. The notice is printed only once.
  private func reportUnrecordedSteps() {
    guard !hasReportedUnrecordedSteps, let notice = navigation.unrecordedNotice else { return }
    hasReportedUnrecordedSteps = true
    printLine(notice)
  }

  // MARK: - Output

  func printLine(_ text: String) { output.append((text, false)) }

  /// Prints a line that is not wrapped, so that it can be copied.
  func printVerbatim(_ text: String) { output.append((text, true)) }

  func printLine(_ lines: [LinearText.Line]) {
    for line in lines { output.append((line.text, line.isVerbatim)) }
  }

  func takeOutput() -> [String] {
    defer { output = [] }
    return output.flatMap { text, isVerbatim -> [String] in
      // Lines of program text are not wrapped here. The terminal breaks long lines.
      if isVerbatim { return [text.harmless] }
      return text.split(whereSeparator: \.isNewline).flatMap { String($0).harmless.wrapped(to: max(20, width)) }
    }
  }

  /// Runs a closure. If the closure throws an error, prints the error.
  func trying(_ body: () throws -> Void) {
    do { try body() } catch { printLine(CommandWords.text(error)) }
  }

  // MARK: - Input

  private func handleCardInput(_ input: LinearInput, _ line: String) throws {
    let pendingAction = pending
    pending = nil
    if let pendingAction {
      if input == .command(.yes, argument: "") { return try perform(pendingAction) }
      printLine(pendingAction.declinedMessage)
      if input == .command(.notKnown, argument: "") { return }
    }
    if try handleReviewInput(line) { return }
    if try handleSearchInput(line.trimmed) { return }
    switch input {
    // While a list is shown, the name of such a command may also be the beginning of an item's title.
    case .command(let command, _) where command.yieldsToTitles && isList && !list.indices(named: line.trimmed).isEmpty:
      try open(line.trimmed, isAsked: false)
    case .numbers(let numbers): try choose(numbers)
    case .name(let name): try open(name, isAsked: false)
    case .command(let command, let argument): try perform(command, argument)
    }
  }

  func perform(_ command: LinearCommand, _ argument: String) throws {
    switch command {
    case .more: try more()
    case .open:
      try argument.isEmpty ? printLine("Open what? Type its number or its name.") : open(argument, isAsked: true)
    case .up: try list.isOverlay ? closeList() : goUp()
    case .courses: try go(.popToRoot)
    case .next: try go(.next)
    case .previous: try go(.previous)
    case .back: try go(.back)
    case .forward: try go(.forward)
    case .continueCourse: try continueCourse()
    case .showLocation: try printLocation()
    case .list: try list.isOverlay ? printList() : activity != nil ? repeatOutput() : showPlace(after: "")
    case .about: try printInfo(argument)
    case .link: try followLink(argument)
    case .find: if !findInText(argument) { try find(argument, in: nil) }
    case .check where try performInExercise(command): break
    case .turn, .known, .notKnown, .check, .again: try performInActivity(command)
    case .edit, .hint, .solution, .reset, .path:
      if try !performInExercise(command) { printLine("No exercise is open. Open one first.") }
    case .done: try setDone(true)
    case .notDone: try setDone(false)
    case .addBookmark: try setBookmark(true)
    case .removeBookmark: try setBookmark(false)
    case .showBookmarks: try printBookmarks()
    case .note: try write(note: argument)
    case .highlight: try write(note: nil)
    case .notes: try printNotes()
    case .wrongAnswers: try printWrongAnswers()
    case .review: try review(argument)
    case .reviewAhead: try begin(ReviewRequest(mode: .ahead(reschedules: false)))
    case .learn: try learn(argument)
    case .statistics: try printStatistics()
    case .removeNote: try removeNote(argument)
    case .card: try writeCard(argument)
    case .leeches: try printLeeches()
    case .rename: try rename(argument)
    case .remove: try offerRemoval(argument)
    case .importAgain: try offerImportAgain()
    case .export: try export(into: argument)
    case .copy: try printPath()
    case .settings: try handleSettings(argument)
    case .history: try printHistory(todayOnly: argument == "today")
    case .addCourse: try offerImport(argument)
    case .yes: try performInActivity(.known)
    case .help: printHelp()
    case .manual: openManual(at: argument)
    case .quit:
      isFinished = true
      printLine("Goodbye. " + (navigation.unrecordedNotice ?? "Waymark will continue here."))
    }
  }

  private func printHelp() {
    printLine("Help: the commands. To open an item, type its number, its name or the beginning of its name.")
    for row in LinearCommand.rows {
      let names = row.names.dropFirst().filter { $0.count == 1 }
      let short = names.isEmpty ? "" : " (\(names.joined(separator: " ")))"
      printLine("\(row.names[0])\(row.argument.map { " " + $0 } ?? "")\(short): \(row.help).")
    }
  }

  /// Opens the manual, which returns here when it is left.
  private func openManual(at words: String) {
    guard let manual else { return printLine("The manual cannot be opened here.") }
    if !manual.open(words) {
      printLine("Could not open the manual, because there is no terminal. Run 'waymark manual' with a page or words.")
    }
  }
}

extension LinearBrowser {
  /// Reads and answers lines until the user quits or the input ends.
  ///
  /// - Parameters:
  ///   - place: The first place, or `nil` for the learner's last place.
  ///   - request: The review that is begun instead of showing the place, or `nil`.
  ///   - columns: Returns the maximum line width. It is called before each output.
  ///   - echoes: Whether to print the lines that were read. Necessary if the input does not come from a terminal, which
  ///     would display them.
  ///   - read: Returns the next line without its end, or `nil` at the end of the input.
  ///   - write: Writes text that includes line ends.
  /// - Throws: The errors of the services while the session begins.
  package func run(
    at place: PlaceName? = nil, reviewing request: ReviewRequest? = nil, columns: () -> Int, echoes: Bool,
    reading read: () -> String?,
    writing write: (String) -> Void
  ) throws {
    defer { close() }
    width = columns()
    try write(Self.text(begin(at: place, reviewing: request)))
    while !isFinished {
      write("> ")
      guard let line = read() else { return write("\n") }
      if echoes { write(line.harmless + "\n") }
      width = columns()
      write(Self.text(answer(to: line)))
    }
  }

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}

/// The reason for linear mode, which is printed in the first line.
package enum LinearReason: Hashable, Sendable {
  /// The flag `--linear`.
  case flag
  /// The variable `WAYMARK_LINEAR`.
  case environment
  /// The settings file.
  case settings
  /// The value of `TERM` names a terminal that cannot move its cursor.
  case dumbTerminal

  /// The reason in words, such as `asked for by --linear`.
  var text: String {
    switch self {
    case .flag: "asked for by --linear"
    case .environment: "asked for by WAYMARK_LINEAR"
    case .settings: "asked for by the settings file"
    case .dumbTerminal: "because TERM names a terminal that cannot show a full screen"
    }
  }
}

package import CourseKit
package import CoursePages
import Foundation
package import LearningModel
package import NavigationKit
import TextCanvas

/// The browser for people who listen: a line goes in, lines come out, and nothing that was said is ever changed.
///
/// Every screen begins with its kind and its title, and every item has a number. An answer says only what changed. No
/// sign is needed that draws a box, no colour, and no cursor that moves; the lines may go anywhere, into a pipe too.
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
  private let clock: () -> Timestamp
  /// Columns of a line, from 20; the terminal's own, so that words are not broken.
  package var width = 80
  /// Whether the learner has asked to leave.
  package private(set) var isFinished = false

  /// What numbers and names choose from.
  var list = LinearList()
  /// What is being done at the place; `nil` where the place is a list.
  var activity: LinearActivity?
  /// The note that the place is being opened for; `nil` where it is none.
  var noteLookedFor: Note?
  /// The index of the question that a quiz is being opened for; `nil` if it is none.
  var answerLookedFor: Int?
  /// What the place that is being opened was found for; `nil` where nothing was looked for.
  var lookedFor: String?
  /// What was looked for in the course of a text, and can be looked for in everything; `nil` where nothing was.
  var widening: String?
  /// What waits for a yes.
  var pending: Pending?
  /// The folder in which the sources of courses are looked for again, of which only the names are kept.
  package var folder = FileManager.default.currentDirectoryPath
  /// The settings, to be said and changed; `nil` where there are none.
  package var settings: SettingsKeeper?
  /// Writes the course at a path of places into a file, in place of one that is there only where it replaces it; `nil`
  /// where nothing is written.
  package var exportCourse: ((_ course: PlacePath, _ file: String, _ replaces: Bool) throws -> Void)?
  private var said: [(text: String, isVerbatim: Bool)] = []

  /// Makes a linear browser that has said nothing yet.
  ///
  /// - Parameters:
  ///   - navigation: The service of the learner's session.
  ///   - library: The courses.
  ///   - reason: Who asked for the linear mode.
  ///   - now: Tells the time.
  package init(
    navigation: NavigationService, library: CourseLibrary, reason: LinearReason,
    now: @escaping () -> Timestamp = { Timestamp(date: Date()) }
  ) {
    self.navigation = navigation
    self.library = library
    self.reason = reason
    clock = now
  }

  /// Whether a list was said last, rather than something of an activity.
  var isList: Bool { activity == nil || list.isOnTop }

  var now: Timestamp { clock() }
  var days: DayNames { DayNames(timeZone: navigation.timeZone, now: now) }

  /// Begins the learner's session, where they left off or at a place.
  ///
  /// - Returns: Who asked for the linear mode, and the first screen.
  /// - Throws: What the services throw.
  package func begin(at place: PlaceName? = nil) throws -> [String] {
    say("Waymark, linear mode (\(reason.words)). Type a number or word, ? for help.")
    var step = try navigation.perform(.resume, cause: .system)
    if let place {
      let opened = try navigation.perform(.open(place), cause: .shell)
      if opened.isPerformed { step = opened }
    }
    reportUnrecordedSteps()
    if let message = step.message, step.note != .noHistory { say(message) }
    try showPlace(after: "")
    return hear()
  }

  /// Answers a line that the learner typed.
  ///
  /// - Returns: Lines without their ends, each harmless for a terminal.
  package func answer(to line: String) -> [String] {
    trying {
      try navigation.touch()
      try settle()
      try answer(LinearInput(line), line)
    }
    reportUnrecordedSteps()
    return hear()
  }

  /// Puts everything away before the program ends.
  package func close() {
    // The process ends either way; what could not be written is lost with it, and the session is closed by the next one.
    try? settle()
    try? navigation.endSession()
  }

  /// Whether it was printed that steps are not recorded.
  private var hasReportedUnrecordedSteps = false

  /// Prints once if steps are not recorded any more.
  private func reportUnrecordedSteps() {
    guard !hasReportedUnrecordedSteps, let notice = navigation.unrecordedNotice else { return }
    hasReportedUnrecordedSteps = true
    say(notice)
  }

  // MARK: - Saying

  func say(_ text: String) { said.append((text, false)) }

  /// Says a line that is not broken, to be copied.
  func sayVerbatim(_ text: String) { said.append((text, true)) }

  func say(_ lines: [SpokenText.Line]) {
    for line in lines { said.append((line.text, line.isVerbatim)) }
  }

  private func hear() -> [String] {
    defer { said = [] }
    return said.flatMap { text, isVerbatim -> [String] in
      // The lines of a program stay lines; a terminal breaks those that are too long.
      if isVerbatim { return [text.harmless] }
      return text.split(whereSeparator: \.isNewline).flatMap { String($0).harmless.wrapped(to: max(20, width)) }
    }
  }

  /// Does something with the services, and says what went wrong.
  func trying(_ body: () throws -> Void) {
    do { try body() } catch { say(String(describing: error)) }
  }

  // MARK: - Answering

  private func answer(_ input: LinearInput, _ line: String) throws {
    let asked = pending
    pending = nil
    if let asked {
      if input == .word(.yes, argument: "") { return try perform(asked) }
      say(asked.wordsForNo)
      if input == .word(.notKnown, argument: "") { return }
    }
    if try answerInSearch(line.trimmed) { return }
    switch input {
    // What means nothing here may be the beginning of a name.
    case .word(let word, _) where word.isOfActivities && isList && !list.indices(named: line.trimmed).isEmpty:
      try open(line.trimmed, isAsked: false)
    case .numbers(let numbers): try choose(numbers)
    case .name(let name): try open(name, isAsked: false)
    case .word(let word, let argument): try perform(word, argument)
    }
  }

  func perform(_ word: LinearWord, _ argument: String) throws {
    switch word {
    case .more: try more()
    case .open: try argument.isEmpty ? say("Open what? Type its number or its name.") : open(argument, isAsked: true)
    case .up: try list.isOnTop ? showPlace(after: "") : go(.pop)
    case .courses: try go(.popToRoot)
    case .next: try go(.next)
    case .previous: try go(.previous)
    case .back: try go(.back)
    case .forward: try go(.forward)
    case .goOn: try goOn()
    case .whereAmI: try sayWhere()
    case .list: try list.isOnTop ? sayList() : activity != nil ? sayAgain() : showPlace(after: "")
    case .about: try sayAbout(argument)
    case .link: try followLink(argument)
    case .find: if !findInText(argument) { try find(argument, in: nil) }
    case .turn, .known, .notKnown, .check, .again: try act(word)
    case .done: try setDone(true)
    case .notDone: try setDone(false)
    case .mark: try setMark(true)
    case .unmark: try setMark(false)
    case .marks: try sayMarks()
    case .note: try write(note: argument)
    case .highlight: try write(note: nil)
    case .notes: try sayNotes()
    case .wrongAnswers: try sayWrongAnswers()
    case .removeNote: try removeNote(argument)
    case .rename: try rename(argument)
    case .remove: try offerRemoval(argument)
    case .importAgain: try offerImportAgain()
    case .export: try export(into: argument)
    case .copy: try sayPath()
    case .settings: try answerSettings(argument)
    case .history: try sayHistory(todayOnly: argument == "today")
    case .addCourse: try offerImport(argument)
    case .yes: try act(.known)
    case .help: sayHelp()
    case .quit:
      isFinished = true
      say("Goodbye. " + (navigation.unrecordedNotice ?? "You will be taken up here."))
    }
  }

  private func sayHelp() {
    say("Help: the words. Any name, or a beginning that only one name has, chooses as its number does.")
    for row in LinearWord.rows {
      let names = row.names.dropFirst().filter { $0.count == 1 }
      let short = names.isEmpty ? "" : " (\(names.joined(separator: " ")))"
      say("\(row.names[0])\(row.argument.map { " " + $0 } ?? "")\(short): \(row.help).")
    }
  }
}

extension LinearBrowser {
  /// Talks with somebody until they leave or their lines end.
  ///
  /// - Parameters:
  ///   - place: Where to begin; `nil` for where the learner left off.
  ///   - columns: How wide lines may be now; asked before each answer.
  ///   - echoes: Whether typed lines are said again, as they must be where no terminal shows them.
  ///   - read: The next line, without its end; `nil` where there is none.
  ///   - write: Takes text with its line ends.
  /// - Throws: What the services throw at the beginning.
  package func run(
    at place: PlaceName? = nil, columns: () -> Int, echoes: Bool, reading read: () -> String?,
    writing write: (String) -> Void
  ) throws {
    defer { close() }
    width = columns()
    try write(Self.text(begin(at: place)))
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

/// Who asked for the linear mode; its first line says so.
package enum LinearReason: Hashable, Sendable {
  /// The flag `--linear`.
  case flag
  /// The variable `WAYMARK_LINEAR`.
  case environment
  /// The settings file.
  case settings
  /// The terminal, which says in `TERM` that it can do no more.
  case dumbTerminal

  /// Such as `asked for by --linear`.
  var words: String {
    switch self {
    case .flag: "asked for by --linear"
    case .environment: "asked for by WAYMARK_LINEAR"
    case .settings: "asked for by the settings file"
    case .dumbTerminal: "because TERM says that the terminal is dumb"
    }
  }
}

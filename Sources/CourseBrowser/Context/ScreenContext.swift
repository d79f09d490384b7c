import Answers
import CourseKit
import CoursePages
import Exercises
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The services, the appearance and the state that every screen and every component of the browser uses.
///
/// The context does not refer to any page or component. Screens receive it in their initialiser and do not own it.
@MainActor final class ScreenContext {
  let navigation: NavigationService
  let library: CourseLibrary
  let stage: Stage
  var bindings: KeyBindings
  /// The theme and the symbols.
  var appearance: Appearance
  /// The list layout that the learner requested. If `nil`, the layout depends on the number of cards and the size of
  /// the terminal.
  var layout: CardListLayout?
  /// The decoded images of texts.
  private(set) lazy var imageCache = ImageCache { [library] in try? library.image($0) }
  private let clock: () -> Timestamp

  /// Runs work that takes longer than a frame.
  var runInBackground = BackgroundWork.atOnce
  /// Lists the folders that can contain courses.
  var folders = FolderListing()
  /// Reads and writes the settings file. `nil` if settings cannot be changed.
  var settings: SettingsStore?
  /// Copies text to the terminal's clipboard and returns whether that succeeded. `nil` without a terminal.
  var onCopy: ((String) -> Bool)?
  /// Opens an address or a file in another program and returns whether that succeeded. `nil` without a terminal.
  var onOpen: ((String) -> Bool)?
  /// Whether ``onOpen`` can open an address. If not, the address is copied instead.
  var canOpen: (String) -> Bool = { _ in true }
  /// Opens text in the learner's editor, and passes the edited text or the failure to `done`. `nil` without a terminal.
  var onEdit: ((_ text: String, _ done: @escaping (Result<String, TextEditor.Failure>) -> Void) -> Void)?
  /// Opens the files of exercises. `nil` without a terminal.
  var editor: WorkEditor?
  /// Lets a program use the terminal after the current event is handled. The program returns the change to make afterwards.
  var onTerminal: ((_ use: @escaping () -> () -> Void) -> Void)?
  /// Whether checks may run if the system does not confine them, or as root.
  var isUnprotectedAllowed = false
  /// Ends the check that is running, and returns `false` if none is running.
  var endCheck: (() -> Bool)?
  /// The work on exercises since the program started.
  private var works: [Place: ExerciseWork] = [:]
  /// The manual. `nil` if it cannot be opened.
  var manual: Manual?
  /// Writes the history to files. `nil` if this is not available.
  var export: HistoryExport?
  /// Writes courses to files. `nil` if this is not available.
  var courseExport: CourseExport?
  /// Why the learner's changes are lost at the end, such as `the manual is not kept`. `nil` if they are kept.
  var lossReason: String?
  /// Called when the screen must be redrawn although there was no input, for example after a sync.
  var onChange: (() -> Void)?
  /// Called to apply changed settings.
  var onSettings: ((Settings) -> Void)?

  /// The number of cards that are due now, which the name of the Review tab shows. It is read again after each change of
  /// the database, and each minute, because steps end.
  var dueCards: Int {
    let state = try? navigation.databaseState()
    if let known = knownDueCards, known.state == state, now.milliseconds - known.at.milliseconds < Self.maximumAge {
      return known.count
    }
    let count = (try? navigation.reviews.overview().total.today) ?? 0
    knownDueCards = (count, state, now)
    return count
  }
  private var knownDueCards: (count: Int, state: DatabaseStateNumber?, at: Timestamp)?
  /// The time after which the number of due cards is read again without a change, in milliseconds.
  private static let maximumAge: Int64 = 60_000

  /// The changes that the log does not record, the oldest first.
  var unloggedChanges: [UnloggedChange] = []
  /// Whether the learner's session has begun. `false` while rendering a snapshot.
  var hasBegun = false
  /// Whether the terminal reports Alt with a key differently from Escape before the key.
  var distinguishesAlt = false
  /// Whether the terminal has the keyboard focus. `true` if the terminal does not report its focus.
  var hasFocus = true { didSet { if hasFocus != oldValue { onInteractivityChange?() } } }
  /// The running tour or replay, which receives input first. Nothing is recorded while it runs.
  var playback: (any Playback)? { didSet { onInteractivityChange?() } }
  /// Whether the learner's activity is recorded. `false` while rendering a snapshot and during a tour or a replay.
  var isInteractive: Bool { hasBegun && playback == nil }
  /// Called when the learner starts or stops looking at the page.
  var onInteractivityChange: (() -> Void)?
  /// Delivers a key that was pressed while a tab waited for its results.
  var onDeferredKey: ((KeyEvent) -> Void)?
  /// Shows a notice in place of the next step.
  var onNotice: ((String, Role) -> Void)?
  /// Performs a command on the page and returns whether it did anything.
  var onCommand: ((Command) -> Bool)?
  /// Called to update the last two rows. The argument is the coordinator of the transition alongside which they change,
  /// or `nil`.
  var onFooterChange: (((any TransitionCoordinator)?) -> Void)?

  init(
    navigation: NavigationService, library: CourseLibrary, stage: Stage, appearance: Appearance,
    options: Settings, now: @escaping () -> Timestamp
  ) {
    self.navigation = navigation
    self.library = library
    self.stage = stage
    self.appearance = appearance
    bindings = options.keyBindings
    layout = options.layout
    clock = now
  }

  /// The size of the terminal.
  var size: CellSize { stage.size }
  var motion: MotionPreference { stage.motion }
  var now: Timestamp { clock() }
  /// Formats days and times relative to now, such as "yesterday".
  var dayNames: RelativeDateFormat { RelativeDateFormat(timeZone: navigation.timeZone, now: now) }

  /// Makes a change that no input caused, such as showing the progress of an import, and requests a frame.
  func performWithoutInput(_ body: () -> Void) {
    stage.perform(at: stage.clock?() ?? stage.now, body)
    onChange?()
  }

  /// Runs a closure. If the closure throws an error, shows the error as a notice.
  func trying(_ body: () throws -> Void) {
    do { try body() } catch { notify(CommandWords.text(error), .bad) }
  }

  /// Shows a notice in place of the next step, for a few seconds.
  ///
  /// - Parameter role: What the notice means: `.strong` for information, `.warn` for what did not happen, `.bad` for an
  ///   error.
  func notify(_ message: String, _ role: Role = .strong) { onNotice?(message, role) }

  /// The folder of the work folders of exercises.
  var workRoot: String { CourseExercise.root(ofDatabase: library.path) }

  /// Returns the work on an exercise.
  func work(on place: Place) -> ExerciseWork {
    let work = works[place] ?? ExerciseWork()
    works[place] = work
    return work
  }

  /// Opens files in the learner's editor.
  func openEditor(_ files: [String], in folder: String) {
    guard let editor else { return notify("The files are in \(folder).") }
    let columns = Int(stage.size.columns)
    let report = { @MainActor [weak self] (result: Result<String?, any Error>) in
      self?.trying { if let notice = try result.get() { self?.notify(notice) } } ?? ()
    }
    if editor.neighbour == nil, let onTerminal {
      onTerminal {
        let result = Result { try editor.open(files, in: folder, columns: columns) }
        return { report(result) }
      }
    } else {
      runInBackground {
        let result = Result { try editor.open(files, in: folder, columns: columns) }
        return { [weak self] in self?.performWithoutInput { report(result) } }
      }
    }
  }

  /// Returns a sentence about a change that was stored, and how long it is kept if the database is temporary.
  func stored(_ message: String) -> String { message + (lossReason.map { " until you quit: \($0)." } ?? ".") }

  /// Performs a command as if its key had been pressed on the page, and returns `false` if it does nothing there.
  @discardableResult func perform(_ command: Command) -> Bool { onCommand?(command) ?? false }

  /// Adds a change that the log does not record, so that it can be undone.
  @discardableResult func noteChange(undo: @escaping () -> Void) -> UnloggedChange? {
    guard let position = try? navigation.changes.position() else { return nil }
    unloggedChanges.append(UnloggedChange(after: position, undo: undo))
    return unloggedChanges.last
  }

  /// Returns whether a change is undone before all others.
  func isNewest(_ change: UnloggedChange?) -> Bool {
    unloggedChanges.last === change && change?.position == (try? navigation.changes.position())
  }

  /// Updates the last two rows.
  func showFooter(alongside coordinator: (any TransitionCoordinator)? = nil) { onFooterChange?(coordinator) }

  /// Returns the label of the first key of a command, or `nil` if the command has no key.
  func label(of command: Command) -> String? { bindings.row(of: command)?.keys.first?.label(appearance.symbols) }

  /// Returns the ranges of a text that match a query. Returns no ranges if the search index cannot be read.
  func matches(of query: String, in text: String) -> TextMatches {
    (try? library.matches(of: query, in: text)) ?? TextMatches()
  }

  /// Copies text to the clipboard and shows a notice about it.
  ///
  /// - Parameters:
  ///   - text: The text to copy.
  ///   - name: The name of the text in the notice, such as `the link`.
  ///   - more: A second sentence of the notice.
  func copy(_ text: String, named name: String, notice more: String? = nil) {
    guard let onCopy else { return notify("Could not copy. The text is: " + text, .warn) }
    guard onCopy(text) else { return notify("Could not copy: the text is too long for the clipboard.", .warn) }
    let quoted = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    // The second sentence is never truncated; the copied text is truncated instead.
    let availableColumns =
      PageMetrics(size: size).textWidth - name.displayWidth - 10 - (more.map { $0.displayWidth + 2 } ?? 0)
    let shownText =
      more == nil ? quoted : quoted.truncated(to: max(8, availableColumns), ellipsis: appearance.symbols.ellipsis)
    notify(["Copied \(name): \(shownText)", more].compactMap { $0 }.joined(separator: "  "))
  }
}

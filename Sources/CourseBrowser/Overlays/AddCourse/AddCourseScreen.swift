import Answers
import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Adds a course: asks for its path, shows what would change, and imports it after confirmation.
///
/// Reading and writing run in the background. During that time, the learner can close the overlay and use the browser.
@MainActor final class AddCourseScreen: PromptScreen {
  /// The stage of the import.
  enum Stage: Equatable {
    case writing
    /// The source is being read, or written into the database.
    case working(isWriting: Bool)
    /// The changes are shown, and the learner can accept them.
    case showing(ImportOffer)
  }

  private(set) var step = Stage.writing
  /// Cancels the running work.
  private var cancellation = ImportCancellation()
  private var progress = 0.0
  /// Whether the progress of cards and exercises is imported, if the source contains any.
  private var includesProgress = true
  private let listing: FolderListing
  private var items: [FolderListing.Item] = []
  private var path = ""

  /// Whether the database already contains the course, which is imported again.
  private let isReimport: Bool

  /// How the learner completed the overlay.
  enum Outcome {
    /// The learner selected the bundled course.
    case bundled
    /// A course was imported. `recorded` describes the progress that was recorded, or is empty. If the course replaced
    /// another edition, that edition can be restored.
    case imported(ImportReport, replacing: CourseSnapshot?, recorded: String)
  }

  private let onEnd: (Outcome) -> Void

  init(
    isReimport: Bool, context: ScreenContext, listing: FolderListing, source: @escaping () -> CellRect,
    onEnd: @escaping (Outcome) -> Void
  ) {
    (self.isReimport, self.listing, self.onEnd) = (isReimport, listing, onEnd)
    super.init(title: isReimport ? "Import again" : "Add a course", context: context, source: source)
  }

  override var prefix: String { isReimport ? "Import again" : "Add" }
  override var invitation: String { metrics.isNarrow ? "a folder, a book" : "a folder, a book, an archive" }
  /// The folder whose items are listed while the field is empty.
  override var topRight: String {
    step == .writing && field.text.isEmpty && !entries.isEmpty && !metrics.isNarrow
      ? listing.short(listing.current) : ""
  }
  override var role: Role { .course }
  override var listHeight: Int { 12 }
  override var emptyMessage: String {
    if field.text.isEmpty { return "No courses in this folder. Type a path." }
    if field.text.hasSuffix("/"), listing.exists(field.text) { return "No courses in this folder. Type another path." }
    return listing.exists(folderOf: field.text)
      ? "No file or folder begins with this text. Ctrl-U clears it."
      : "This folder does not exist. Ctrl-U clears the path."
  }
  override var choosesFirst: Bool { false }
  override var fraction: Double { progress }

  override var fieldKeys: [KeyHint]? {
    let enter = context.appearance.symbols.enter
    switch step {
    case .writing:
      return [
        KeyHint(enter, "preview"), KeyHint("Tab", "complete", rank: 1),
        KeyHint("Esc", "close"),
      ]
    case .working: return [KeyHint("Esc", "stop"), KeyHint("q", "run in background")]
    case .showing(let offer):
      if offer.isUnchanged { return [KeyHint("Esc", "close")] }
      let action = offer.refusal != nil ? "replace" : offer.isStored ? "import" : "add"
      let progressKeys =
        offer.progress.isEmpty ? [] : [KeyHint("Tab", includesProgress ? "without progress" : "with progress")]
      return [KeyHint(enter, action)] + progressKeys + [KeyHint("Esc", "cancel")]
    }
  }

  override func makeEntries() throws -> [Entry] {
    items = listing.items(continuing: field.text)
    return items.map { Entry(completion: $0.path, name: $0.name, detail: "", topRight: $0.kindDescription) }
      + (offersBundled ? [Self.bundled] : [])
  }

  private static let bundled = Entry(
    completion: "English for Business", name: "English for Business", detail: "the bundled course",
    topRight: "")

  /// Whether to list the bundled course: it has not been imported yet, and its name matches the entered text.
  private var offersBundled: Bool {
    guard !isReimport, Self.bundled.name.lowercased().hasPrefix(field.text.lowercased()) else { return false }
    return (try? context.navigation.places.at(CourseLibrary.bundledPath)) == .some(nil)
  }

  // MARK: - Input

  override func handleKey(_ key: KeyEvent) -> Bool {
    switch (step, key.key) {
    case (.writing, _): return super.handleKey(key)
    case (.showing(let offer), .enter): offer.isUnchanged ? close() : accept(offer)
    case (.showing(let offer), .tab) where !offer.progress.isEmpty:
      includesProgress.toggle()
      show(offer)
    case (.showing, .up): scrollMessage(by: -1)
    case (.showing, .down): scrollMessage(by: 1)
    case (.showing, .escape), (.showing, .character("q")): change(to: .writing)
    case (.working, .escape): stop()
    case (.working, .character("q")): close()
    default: break
    }
    return true
  }

  override func handle(_ event: InputEvent) -> Bool {
    if case .paste = event, step != .writing { return true }
    return super.handle(event)
  }

  override func submit() {
    if chosenEntry == Self.bundled {
      close()
      return onEnd(.bundled)
    }
    // Selecting a folder that is not a course lists its items.
    if chosenEntry != nil, items[chosen].isFolder, !items[chosen].isCourse { return write(items[chosen].path) }
    path = chosenEntry?.completion ?? field.text
    // If items are listed, submitting an empty text selects the first item. It does not import the current folder.
    if path.isEmpty, !entries.isEmpty { return choose(0) }
    guard !path.isEmpty else { return showMessage("Type the path of a folder, a file or an archive.") }
    write(path)
    inspectSource()
  }

  private func change(to step: Stage) {
    self.step = step
    progress = 0
    if step == .writing { reloadEntries() }
    context.showFooter()
  }

  // MARK: - Work

  /// Reads the source and shows the changes.
  private func inspectSource() {
    change(to: .working(isWriting: false))
    let source = listing.absolute(path)
    run { library, cancellation, progress in
      try ImportOffer(of: source, in: library, cancellation: cancellation, progress: progress)
    } then: { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let offer): show(offer)
      case .failure(let error): fail(error)
      }
    }
  }

  private func show(_ offer: ImportOffer) {
    change(to: .showing(offer))
    let theme = drawing.theme
    let warning = offer.warning(context.appearance.symbols.quotes)
    let warningLines =
      warning.map { StyledText($0, style: theme[.warn]).wrapped(to: metrics.textWidth) + [StyledLine()] } ?? []
    let progressText = includesProgress ? offer.progressText : offer.progressText.map { _ in offer.withoutProgressText }
    let progressLines =
      progressText.map {
        [StyledLine()] + StyledText($0, style: theme[.foreground]).wrapped(to: metrics.textWidth)
      } ?? []
    showMessage(warningLines + offer.report.lines(theme, width: metrics.textWidth) + progressLines)
  }

  private func accept(_ offer: ImportOffer) {
    let navigation = includesProgress ? context.navigation : nil
    change(to: .working(isWriting: true))
    run { library, cancellation, progress in
      try offer.accept(
        in: library, recordingIn: navigation, keepsFormer: true, cancellation: cancellation, progress: progress)
    } then: { [weak self, weak context, onEnd] result in
      switch result {
      case .success(let (report, recorded, previousEdition)):
        self?.close()
        onEnd(.imported(report, replacing: previousEdition, recorded: recorded))
      case .failure(let error):
        if let self, presenting != nil { fail(error) } else { context?.notify(CommandWords.text(error)) }
      }
    }
  }

  /// Cancels the work. When the work has stopped, its completion reports the cancellation.
  private func stop() {
    cancellation.cancel()
    showMessage("Stopping \(context.appearance.symbols.ellipsis)", .quiet)
  }

  private func fail(_ error: any Error) {
    change(to: .writing)
    if case CourseLibraryError.importCancelled = error { return showMessage("Stopped. Nothing was changed.", .quiet) }
    let theme = drawing.theme
    var lines = StyledText(CommandWords.text(error), style: theme[.bad]).wrapped(to: metrics.textWidth)
    if case CourseLibraryError.importRefused(_, let report) = error {
      lines += [StyledLine()] + report.lines(theme, width: metrics.textWidth)
    }
    showMessage(lines)
  }

  /// Runs work in the background and shows its progress.
  private func run<Value: Sendable>(
    _ work:
      @escaping @Sendable (CourseLibrary, ImportCancellation, @escaping @Sendable (ImportProgress) -> Void) throws ->
      Value,
    then: @escaping @MainActor (Result<Value, any Error>) -> Void
  ) {
    let (library, context, cancellation) = (context.library, context, ImportCancellation())
    self.cancellation = cancellation
    showProgress(0, "Reading \(context.appearance.symbols.ellipsis)")
    let reportProgress: @Sendable (ImportProgress) -> Void = { progress in
      BackgroundWork.onMainActor { [weak self] in self?.showProgress(progress) }
    }
    context.runInBackground { [weak context] in
      let result = Result { try work(library, cancellation, reportProgress) }
      // The browser may have been closed before the work ends.
      return { context?.performWithoutInput { then(result) } }
    }
  }

  private func showProgress(_ progress: ImportProgress) {
    guard case .working(let isWriting) = step, !cancellation.isCancelled else { return }
    context.performWithoutInput {
      let fraction = { (done: Int, total: Int) in Double(done) / Double(max(1, total)) }
      switch progress {
      case .reading(let nodes):
        let actionText = isWriting ? "Adding" : "Reading"
        showProgress(
          0.05,
          actionText
            + (nodes == 0
              ? " \(context.appearance.symbols.ellipsis)" : ": \(DisplayFormat.count(nodes, "place")) so far"))
      case .comparing(let done, let total):
        showProgress((isWriting ? 0.5 : 1) * fraction(done, total), "Comparing: \(done) of \(total)")
      case .writing: showProgress(0.55, "Writing")
      case .indexing(let done, let total):
        showProgress(0.6 + 0.4 * fraction(done, total), "Updating the search index: \(done) of \(total)")
      }
    }
  }

  private func showProgress(_ fraction: Double, _ text: String) {
    progress = fraction
    showMessage(text, .quiet)
  }
}

/// A short description of what an import would change.
extension ImportReport {
  /// The maximum number of listed diagnostics, and of listed changes.
  static let maximumListed = 5

  /// Returns the changes, the lost content and the diagnostics, separated by blank lines.
  func lines(_ theme: Theme, width: Int) -> [StyledLine] {
    Array(paragraphs(theme, width: width).filter { !$0.isEmpty }.joined(separator: [StyledLine()]))
  }

  private func paragraphs(_ theme: Theme, width: Int) -> [[StyledLine]] {
    let heading =
      StyledText(title, style: theme.bold(.course)).wrapped(to: max(12, width))
      + StyledText(contents, style: theme[.quiet]).wrapped(to: max(12, width))
    let isKnown = revision > 0
    let changed =
      isKnown ? fact("changes", difference.isEmpty ? "nothing" : allCounts, theme, width) : []
    let lost = losses.filter { $0.count > 0 }
      .flatMap { loss in
        fact("reduced", "\(loss.count) × \(loss.what): \(loss.treatment)", theme, width)
          + loss.exampleLines.flatMap { fact("", $0, theme, width, role: .quiet) }
      }
    let sorted = diagnostics.filter { $0.severity == .error } + diagnostics.filter { $0.severity == .warning }
    let diagnosticRows = sorted.map(\.withRemedy).map { diagnostic in
      let location = diagnostic.line.map { "\(diagnostic.file):\($0)" } ?? diagnostic.file
      let isError = diagnostic.severity == .error
      return (isError ? "error" : "warning", "\(location): \(diagnostic.message)", isError ? Role.bad : .warn)
    }
    // In a new course every place is added, so the changes are not listed.
    let changes =
      isKnown
      ? changes.map {
        ($0.change.rawValue, "\(levels.noun(for: PlaceKind($0.kind)).singular) \($0.title)", Role.foreground)
      } : []
    return [
      title.isEmpty ? [] : heading, changed + lost, list(changes, theme, width), list(diagnosticRows, theme, width),
    ]
  }

  /// The counts of the changes, and the number of unchanged places.
  private var allCounts: String {
    difference.summary + (difference.unchanged == 0 ? "" : ", \(difference.unchanged) unchanged")
  }

  private func list(
    _ rows: [(word: String, text: String, role: Role)], _ theme: Theme, _ width: Int
  ) -> [StyledLine] {
    let visibleLines = rows.prefix(Self.maximumListed).flatMap { fact($0.word, $0.text, theme, width, role: $0.role) }
    let remaining = rows.count - Self.maximumListed
    return visibleLines + (remaining > 0 ? fact("", "and \(remaining) more", theme, width, role: .quiet) : [])
  }

  private func fact(
    _ word: String, _ text: String, _ theme: Theme, _ width: Int, role: Role = .foreground
  ) -> [StyledLine] {
    var line = StyledText(word, style: theme[role == .foreground ? .quiet : role])
    line.append(String(repeating: " ", count: 9 - word.displayWidth))
    line.append(text.map { $0.isNewline ? " " : String($0) }.joined(), style: theme[.foreground])
    return line.wrapped(to: max(12, width), hangingIndent: 9)
  }
}

import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Adds, updates, renames, exports and removes courses. Can undo the last of these changes and of the learner's marks and
/// notes.
@MainActor final class CourseCommands: BrowserComponent {
  /// The last change, which can be undone until the next change.
  private enum Undoable {
    /// A course that will be removed when the scheduled call runs.
    case removal(NamedPlace, ScheduledCall)
    /// A course that was imported again. The snapshot contains its previous edition.
    case edition(CourseSnapshot)
    /// A place that was renamed. `before` is its previous name.
    case name(NamedPlace, before: String)
    /// Changes of notes, the oldest first.
    case notes([NoteChange])
    /// An activity that was marked as done or not done.
    case mark(Place, isDone: Bool)
    /// A bookmark that was added or removed.
    case bookmark(Place, isAdded: Bool)
  }

  private let overlays: OverlayPresenter
  private let reader: PageReader
  private let navigator: Navigator
  private let undoNote: (NoteChange) -> Void
  private let undoMark: (Place, _ isDone: Bool) -> String?
  private let undoBookmark: (Place, _ isSet: Bool) -> String?
  private var undoable: Undoable?

  /// - Parameters:
  ///   - undoNote: Takes a change of a note back, and shows a notice.
  ///   - undoMark: Marks an activity as done or not done again. Returns a message.
  ///   - undoBookmark: Adds or removes a bookmark again. Returns a message.
  init(
    _ openPages: OpenPages, overlays: OverlayPresenter, reader: PageReader,
    navigator: Navigator, undoNote: @escaping (NoteChange) -> Void,
    undoMark: @escaping (Place, _ isDone: Bool) -> String?,
    undoBookmark: @escaping (Place, _ isSet: Bool) -> String?
  ) {
    (self.overlays, self.reader, self.navigator) = (overlays, reader, navigator)
    (self.undoNote, self.undoMark) = (undoNote, undoMark)
    self.undoBookmark = undoBookmark
    super.init(openPages)
  }

  /// Shows a notice about an activity that was marked as done or not done, with the key that undoes it.
  func wasMarked(_ place: Place, isDone: Bool, message: String) {
    setUndoable(.mark(place, isDone: isDone))
    offer(message, undoing: "undoes it")
  }

  /// Makes the change of a bookmark undoable.
  func bookmarkWasChanged(of place: Place, isAdded: Bool) { setUndoable(.bookmark(place, isAdded: isAdded)) }

  /// Shows a notice about a note that was added, changed or removed, with the key that undoes it.
  func noteWasChanged(_ change: NoteChange) {
    setUndoable(change.place.isRemoved ? nil : .notes([change]))
    guard let message = message(about: change) else { return }
    // If an overlay such as the list of notes is open, it shows its own undo key.
    if change.place.isRemoved || overlay != nil {
      notify(message)
    } else {
      offer(message, undoing: "undoes it")
    }
  }

  /// Returns the notice about a change of a note, or `nil` for a new highlight, about which the text shows a notice.
  private func message(about change: NoteChange) -> String? {
    guard let note = change.after else {
      return change.before?.isHighlight == true ? "Highlight removed." : "Note removed."
    }
    if note.isHighlight, change.before == nil { return nil }
    return "Note saved." + (change.before == nil ? label(of: .notes).map { " \($0) lists your notes." } ?? "" : "")
  }
}

extension CourseCommands: CommandResponder {
  func offer(_ command: Command) -> Offer? {
    switch command {
    case .add where openPages.review?.session == nil: Offer { [self] in showAddCourse() }
    case .rename where openPages.selectedPlace != nil: Offer { [self] in askForName() }
    case .remove where openPages.hasSelectedCourse: Offer { [self] in askToRemove() }
    case .export where openPages.hasSelectedCourse && context.courseExport != nil:
      Offer { [self] in showCourseExport() }
    case .importAgain where openPages.hasSelectedCourse: Offer { [self] in importAgain() }
    case .undo: Offer(undoable == nil ? nil : "") { [self] in if !undo() { notify("There is no change to undo.") } }
    default: nil
    }
  }

  /// Opens the overlay that adds a course.
  ///
  /// - Parameter source: The course's source, or an empty text if it is unknown.
  func showAddCourse(from source: String = "") {
    let addScreen = AddCourseScreen(
      isReimport: !source.isEmpty, context: context, listing: context.folders, source: keyPlace(of: .add)
    ) { [weak self] choice in
      switch choice {
      case .bundled: self?.addBundledCourse()
      case .imported(let report, let previousEdition, let cards):
        self?.courseWasAdded(report, replacing: previousEdition, cards: cards)
      }
    }
    addScreen.reloadEntries()
    overlays.present(addScreen)
    guard !source.isEmpty else { return }
    addScreen.write(source)
    // If the source still exists, the overlay shows the changes at once.
    if context.folders.exists(source) { return addScreen.submit() }
    let quotes = appearance.symbols.quotes
    addScreen.showMessage(
      "The source \(quotes.around(source)) no longer exists. Type the new path of the course.")
  }

  /// Selects an imported course if the list of courses is shown, and reports the number of cards whose progress was
  /// recorded. Offers to open the course, or to restore its previous edition.
  private func courseWasAdded(
    _ report: ImportReport, replacing previousEdition: CourseSnapshot?, cards count: Int = 0
  ) {
    trying {
      let path = report.course ?? .root
      try showCourse(report)
      let quotes = appearance.symbols.quotes
      let progressText = count == 0 ? "" : ", and the progress of \(DisplayFormat.count(count, "card"))"
      let openHint = previousEdition == nil ? label(of: .open).map { " \($0) opens it." } ?? "" : ""
      noteImported(
        previousEdition,
        notice: "Imported \(quotes.around(report.title)): \(report.contents)" + progressText + "." + openHint)
      guard previousEdition == nil else { return }
      let place = try navigation.places.named(.path(path)).place
      screen.offer(.open) { [navigator] in navigator.go(to: place) }
    }
  }

  /// Reads all pages again, and selects the course if the list of courses is shown.
  private func showCourse(_ report: ImportReport) throws {
    try reader.reloadAllPages()
    if let list = page as? ListScreen, list.place == .root,
      let node = try navigation.places.named(.path(report.course ?? .root)).place.node
    {
      list.choose(node)
    }
    context.showFooter()
  }

  /// Imports the bundled course and shows it.
  private func addBundledCourse() {
    trying { courseWasAdded(try library.importBundled(), replacing: nil) }
  }

  /// Asks for the file into which the current course is exported.
  func showCourseExport() {
    guard let course = openPages.selectedCourse else { return notify("No course is selected to export.") }
    guard let courseExport = context.courseExport else { return notify("Files cannot be written here.") }
    let quotes = appearance.symbols.quotes
    overlays.askForFile(
      for: ExportScreen.Content(
        name: course.path.slugs.last ?? "course", summary: "the course", formats: courseExport.formats
      ) { form, path, replaces in
        try courseExport.write(course.path, form, path, replaces)
        return quotes.around(course.title)
      }, from: .showPalette)
  }

  func askToRemove() {
    guard let course = openPages.selectedCourse else { return notify("No course is selected to remove.") }
    let removeScreen = RemoveCourseScreen(course, context: context, source: keyPlace(of: .showPalette)) { [weak self] in
      self?.removeSoon(course)
    }
    removeScreen.reloadEntries()
    overlays.present(removeScreen)
  }

  /// Schedules the removal of a course in ``undoTimeout`` seconds. Until then, the learner can cancel the removal. A
  /// notice counts down the seconds.
  func removeSoon(_ course: NamedPlace) {
    removeNow()
    countDown(course, from: Self.undoTimeout)
  }

  private func countDown(_ course: NamedPlace, from seconds: Int) {
    guard seconds > 0 else {
      removeNow()
      return
    }
    let quotes = appearance.symbols.quotes
    offer(
      "\(quotes.around(course.title)) is removed in \(DisplayFormat.count(seconds, "second")) or at exit.",
      undoing: "cancels")
    let call = stage.schedule(after: 1) { [weak self] in
      self?.countDown(course, from: seconds - 1)
      self?.context.onChange?()
    }
    undoable = .removal(course, call)
  }

  /// The number of seconds until a course is removed. The notice about an undoable change is shown for the same time.
  static let undoTimeout = 12
  static let nothingUndone = "This was changed since, so nothing was undone."

  /// Shows a notice about a change and the key that undoes it.
  func offer(_ message: String, undoing effect: String) {
    screen.notify(
      message + (label(of: .undo).map { " \($0) \(effect)." } ?? ""), minimumSeconds: Double(Self.undoTimeout))
  }

  /// Removes the course whose removal is scheduled.
  ///
  /// - Returns: A message about the removal, or `nil` if no removal is scheduled.
  @discardableResult func removeNow() -> String? {
    guard case .removal(let course, let call) = undoable else { return nil }
    call.cancel()
    undoable = nil
    var removed: String?
    trying {
      if pages.count > 1, pages[1].place == course.place { navigator.navigate(.popToRoot, cause: .key) }
      try library.remove(course.path)
      try reader.reloadAllPages()
      context.showFooter()
      let quotes = appearance.symbols.quotes
      let message = "Removed \(quotes.around(course.title)). Its history is kept."
      notify(message)
      removed = message
    }
    context.onChange?()
    return removed
  }

  /// Undoes the last change.
  ///
  /// - Returns: `false` if there is no change to undo.
  func undo() -> Bool {
    guard let undoable else { return false }
    self.undoable = nil
    let quotes = appearance.symbols.quotes
    switch undoable {
    case .removal(let course, let call):
      call.cancel()
      notify("The removal of \(quotes.around(course.title)) was cancelled.")
    case .edition(let previousEdition): bringBack(previousEdition)
    case .name(let place, let previousName): restoreName(of: place, previousName)
    case .notes(let notes):
      if let change = notes.last { undoNote(change) }
      if notes.count > 1 { self.undoable = .notes(notes.dropLast()) }
    case .mark(let place, let isDone):
      offerRedo(.mark(place, isDone: !isDone), undoMark(place, !isDone))
    case .bookmark(let place, let isAdded):
      offerRedo(.bookmark(place, isAdded: !isAdded), undoBookmark(place, !isAdded))
    }
    return true
  }

  /// Shows a notice about an undone change. The same key restores the change.
  private func offerRedo(_ change: Undoable, _ message: String?) {
    guard let message else { return notify(Self.nothingUndone) }
    undoable = change
    offer(message, undoing: "restores it")
  }

  /// Sets the change that can be undone. If the removal of a course is scheduled, the course is removed first.
  private func setUndoable(_ change: Undoable?) {
    removeNow()
    if case .notes(let earlierNotes) = undoable, case .notes(let newNotes) = change {
      undoable = .notes(earlierNotes + newNotes)
    } else {
      undoable = change
    }
  }

  /// Shows a notice about an imported course. If a previous edition can be restored, the notice includes the undo key.
  func noteImported(_ previousEdition: CourseSnapshot?, notice message: String) {
    setUndoable(previousEdition.map(Undoable.edition))
    if previousEdition == nil { notify(message) } else { offer(message, undoing: "undoes it") }
  }

  /// Restores the edition that a course had before its last import.
  private func bringBack(_ previousEdition: CourseSnapshot) {
    let quotes = appearance.symbols.quotes
    let title = quotes.around(previousEdition.title)
    notify("Restoring \(title) \(appearance.symbols.ellipsis)")
    context.runInBackground { [library, weak self] in
      let result = Result { try library.restore(previousEdition) }
      return {
        self?.context.performWithoutInput {
          self?.trying {
            try self?.showCourse(result.get())
            self?.notify("\(title) was restored.")
          }
        }
      }
    }
  }

  /// Opens the overlay that imports the course again from its known source. The overlay first shows the changes.
  func importAgain() {
    guard let course = openPages.selectedCourse else { return notify("No course is selected to import again.") }
    trying {
      let source = try library.origin(of: course.place)?.source ?? ""
      showAddCourse(from: source)
    }
  }

  /// Asks for a new name for the selected place.
  func askForName() {
    guard let place = openPages.selectedPlace else { return notify("Nothing is selected to rename.") }
    trying {
      // The selected place comes first, followed by the page that lists it.
      let pagePlace = tabs.selectedIndex == 0 ? self.page?.place : nil
      let places = [place] + [pagePlace].compactMap { $0 }.filter { $0 != place && $0 != .root }
      let candidates = try places.map {
        RenameScreen.Candidate(
          place: try navigation.places.named(.place($0)),
          authorTitle: try $0.node.flatMap { try library.authorTitle(of: $0) })
      }
      let renameScreen = RenameScreen(candidates, context: context, source: keyPlace(of: .showPalette)) { [weak self] in
        self?.rename($0, to: $1)
      }
      renameScreen.write(candidates[0].place.title, selected: true)
      overlays.present(renameScreen)
    }
  }

  /// Renames a place and offers to undo the change. If `title` is `nil`, restores the author's title.
  func rename(_ place: NamedPlace, to title: String?) {
    setUndoable(nil)
    trying {
      let (previousName, newName) = try library.rename(place.path, to: title)
      showNames()
      guard previousName != newName else { return }
      let quotes = appearance.symbols.quotes
      offer("Renamed to \(quotes.around(newName)).", undoing: "undoes it")
      undoable = .name(place, before: previousName)
    }
  }

  /// Restores the previous name of a place.
  func restoreName(of place: NamedPlace, _ previousName: String) {
    trying {
      try library.rename(place.path, to: previousName)
      showNames()
      let quotes = appearance.symbols.quotes
      notify("Renamed back to \(quotes.around(previousName)).")
    }
  }

  /// Reads all pages again, because each of them can show the name: as its title, on a card or in the breadcrumb.
  private func showNames() {
    for case let page as PageScreen in stack.screens { trying { page.show(try reader.model(of: page)) } }
    openPages.tab?.appearanceDidChange()
    context.showFooter()
  }
}

import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Adds, updates, renames, exports and removes courses.
@MainActor final class CourseCommands: BrowserComponent {
  private let overlays: OverlayPresenter
  private let reader: PageReader
  private let navigator: Navigator
  /// The course that will be removed when the scheduled call runs, and the change that can be undone until then.
  private var removal: (course: NamedPlace, call: ScheduledCall, change: UnloggedChange?)?

  init(_ openPages: OpenPages, overlays: OverlayPresenter, reader: PageReader, navigator: Navigator) {
    (self.overlays, self.reader, self.navigator) = (overlays, reader, navigator)
    super.init(openPages)
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
      case .imported(let report, let previousEdition, let recorded):
        self?.courseWasAdded(report, replacing: previousEdition, recorded: recorded)
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

  /// Selects an imported course if the list of courses is shown, and reports the recorded progress. A previous edition can
  /// be restored with undo.
  private func courseWasAdded(
    _ report: ImportReport, replacing previousEdition: CourseSnapshot?, recorded: String = ""
  ) {
    trying {
      try showCourse(report)
      let quotes = appearance.symbols.quotes
      let progressText = recorded.isEmpty ? "" : ", and " + recorded
      let notice = "Imported \(quotes.around(report.title)): \(report.contents)" + progressText + "."
      if let previousEdition {
        context.noteChange { [unowned self] in bringBack(previousEdition) }
        return notify(notice, undoing: "undoes it")
      }
      notify(notice)
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
    guard let course = openPages.selectedCourse else { return notify("No course is selected to export.", .warn) }
    guard let courseExport = context.courseExport else { return notify("Files cannot be written here.", .warn) }
    let quotes = appearance.symbols.quotes
    overlays.askForFile(
      for: ExportScreen.Content(
        name: course.path.slugs.last ?? "course", summary: "the course", formats: courseExport.formats
      ) { form, path, replaces in
        quotes.around(course.title) + (try courseExport.write(course.path, form, path, replaces))
      }, from: .showPalette)
  }

  func askToRemove() {
    guard let course = openPages.selectedCourse else { return notify("No course is selected to remove.", .warn) }
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
    let change = context.noteChange { [unowned self] in
      removal?.call.cancel()
      removal = nil
      notify("The removal of \(appearance.symbols.quotes.around(course.title)) was cancelled.")
    }
    countDown(course, change, from: Self.undoTimeout)
  }

  private func countDown(_ course: NamedPlace, _ change: UnloggedChange?, from seconds: Int) {
    guard seconds > 0 else {
      removeNow()
      return
    }
    let quotes = appearance.symbols.quotes
    let message = "\(quotes.around(course.title)) is removed in \(DisplayFormat.count(seconds, "second")) or at exit."
    if context.isNewest(change) { notify(message, undoing: "cancels") } else { notify(message) }
    let call = stage.schedule(after: 1) { [weak self] in
      self?.countDown(course, change, from: seconds - 1)
      self?.context.onChange?()
    }
    removal = (course, call, change)
  }

  /// Removes the course whose removal is scheduled.
  ///
  /// - Returns: A message about the removal, or `nil` if no removal is scheduled.
  @discardableResult func removeNow() -> String? {
    guard let (course, call, change) = removal else { return nil }
    call.cancel()
    removal = nil
    context.unloggedChanges.removeAll { $0 === change }
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
    guard let course = openPages.selectedCourse else { return notify("No course is selected to import again.", .warn) }
    trying {
      let source = try library.origin(of: course.place)?.source ?? ""
      showAddCourse(from: source)
    }
  }

  /// Asks for a new name for the selected place.
  func askForName() {
    guard let place = openPages.selectedPlace else { return notify("Nothing is selected to rename.", .warn) }
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
    trying {
      let (previousName, newName) = try library.rename(place.path, to: title)
      showNames()
      guard previousName != newName else { return }
      context.noteChange { [unowned self] in
        trying {
          try library.rename(place.path, to: previousName)
          showNames()
          notify("Renamed back to \(appearance.symbols.quotes.around(previousName)).")
        }
      }
      notify("Renamed to \(appearance.symbols.quotes.around(newName)).", undoing: "undoes it")
    }
  }

  /// Reads all pages again, because each of them can show the name: as its title, on a card or in the breadcrumb.
  private func showNames() {
    for case let page as PageScreen in stack.screens { trying { page.show(try reader.model(of: page)) } }
    openPages.tab?.appearanceDidChange()
    context.showFooter()
  }
}

import CourseLibrary
import CoursePages
import Foundation
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Shows what lies on top of the page: help, info, the palette, a course to add.
@MainActor final class OverlayPresenter: BrowserPart {
  /// What was begun to be written, and left, by what it is about.
  var drafts: [NoteDraft.Subject: NoteDraft] = [:]
  /// Shows the pictures of a page when the overlay over it is gone.
  private var picturesCall: ScheduledCall?

  func present(_ overlay: OverlayScreen) {
    // What was said of the page below is read no more.
    screen.endNotice()
    trying { try screen.present(overlay, animated: motion != .none) }
    dim(true, along: overlay)
  }

  /// Takes the overlay away; what was below it wakes up.
  func dismissOverlay() {
    guard let overlay else { return }
    overlay.dismiss(animated: motion != .none)
    dim(false, along: overlay)
  }

  private func dim(_ isDimmed: Bool, along overlay: OverlayScreen) {
    let coordinator = overlay.transitionCoordinator
    let framed: (any FramedPage)? = tabs.selectedScreen as? TabPage ?? page as? ListScreen
    func change() {
      screen.dim(isDimmed)
      framed?.hideFrame(cutBy: isDimmed ? overlay.panelFrame : nil)
    }
    let isAlongside = coordinator?.animate(alongside: { _ in change() }) ?? false
    if !isAlongside { change() }
    recorder.attentionHasChanged()
    footer.show(alongside: coordinator)
    // Under an overlay that closes, pictures are visible again when it is gone.
    guard let page = page as? any PicturedText else { return }
    if isDimmed {
      page.lookAtPictures()
    } else {
      picturesCall?.cancel()
      picturesCall = stage.schedule(after: GrowTransition.duration) { page.lookAtPictures() }
    }
  }
}

extension OverlayPresenter {
  /// - Parameter text: What is written in it already.
  func showPalette(writing text: String = "") {
    let palette = PaletteScreen(title: "Go to", shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    palette.write(text)
    present(palette)
  }

  /// - Parameter source: Where the course is, as far as that is known.
  func showAddCourse(from source: String = "") {
    let adding = AddCourseScreen(isAgain: !source.isEmpty, shell: shell, listing: browser.folders) { [weak self] in
      self?.screen.place(ofKeyFor: .add) ?? .zero
    }
    adding.lookAgain()
    present(adding)
    guard !source.isEmpty else { return }
    adding.write(source)
    // What would change is shown at once where the source is still there.
    if browser.folders.isThere(source) { return adding.submit() }
    let quotes = appearance.symbols.quotes
    adding.say(
      "It came from \(quotes.around(source)), which is not there now. Write where the course is.")
  }

  /// Shows a course that has just come in, where the learner sees the list of courses, and offers what it was before.
  func courseWasAdded(_ report: ImportReport, replacing former: FormerCourse?) {
    trying {
      try showCourse(report)
      let quotes = appearance.symbols.quotes
      let isChosen = former == nil && tabs.selectedIndex == 0 && page?.place == .root
      let open = isChosen ? label(of: .open).map { " \($0) opens it." } ?? "" : ""
      let words = "\(quotes.around(report.title)) is here: \(report.contents)." + open
      commands.tookIn(former, saying: words)
    }
  }

  /// Shows a course as it is now.
  func showCourse(_ report: ImportReport) throws {
    for case let page as PageScreen in stack.screens { page.show(try steps.model(of: page)) }
    if let list = page as? ListScreen, list.place == .root,
      let node = try navigation.place(named: .text(report.course)).place.node
    {
      list.choose(node)
    }
    footer.show()
  }

  /// Shows all that is known of the chosen card, or of the page; from there.
  func showInfo() {
    guard let place = commands.placeInMind, let page else { return notify("There is nothing to tell here.") }
    trying {
      let facts = try PlaceFacts(
        of: place, from: navigation, library, days: dayNames, symbols: appearance.symbols)
      let history = tabs.selectedScreen as? HistoryScreen
      let info = InfoScreen(facts, shell: shell) { [weak page, weak history] in
        history?.framed.map { InfoSource(frame: $0) } ?? page?.source(of: place)
          ?? InfoSource(frame: .zero)
      } seen: { [weak self, weak page, weak history] source in
        self?.place(where: source, of: place, isSeenOn: history?.layer ?? page?.sheet) ?? source.frame
      }
      present(info)
    }
  }

  /// Where a card or a header is seen while its page moves: in the frame that opens or closes, or beside its
  /// place.
  private func place(where source: InfoSource, of place: Place, isSeenOn sheet: Layer?) -> CellRect {
    let opening = steps.openings.last { $0.lower.place == place || $0.identity == place.node.map { TransitionID($0) } }
    guard tabs.selectedIndex == 0, let opening else {
      let around = tabs.selectedIndex == 0 ? steps.openings.last { $0.lower.place == page?.place } : nil
      return source.frame.offset(
        columns: Int((sheet?.presentedFrame().x ?? 0).rounded()),
        rows: around.map { $0.presentedGeometry.rowsToGo + $0.shift.rows } ?? 0)
    }
    var frame = opening.box.presentedFrame().cells
    frame.rows = min(frame.rows, source.frame.rows)
    return frame
  }

  /// Shows the end of a course, from the row of the next step.
  func showEnd(of course: NodeID) throws {
    let end = try navigation.courseEnd(of: .place(.node(course)))
    present(CourseEndScreen(end, shell: shell) { [weak self] in self?.screen.place(ofKeyFor: .next) ?? .zero })
  }

  func showHelp() {
    present(HelpScreen(title: "Keys", shell: shell) { [weak self] in self?.screen.place(ofKeyFor: .help) ?? .zero })
  }
}

/// The notes that the learner writes beside texts: the line that asks for one, and their list.
extension OverlayPresenter {
  func askForNote(_ note: Note?, at anchor: NoteAnchor) {
    let asking = NoteScreen(note, at: anchor, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .note) ?? .zero
    }
    let subject = NoteDraft.Subject(page?.place, note, anchor)
    asking.onLeaving = { [weak self] text in
      self?.keep(NoteDraft(note: note, anchor: anchor, text: text), of: subject)
    }
    asking.write(drafts.removeValue(forKey: subject)?.text ?? (note?.text ?? "").inOneLine)
    present(asking)
  }

  /// What was begun to be written in a text, and left.
  func draft(in place: Place) -> NoteDraft? { drafts.first { $0.key.place == place }?.value }

  /// Keeps what was written and is left without being a note: who asks for a note there again goes on with it.
  private func keep(_ draft: NoteDraft, of subject: NoteDraft.Subject) {
    guard draft.text != (draft.note?.text ?? "").inOneLine, !draft.text.allSatisfy(\.isWhitespace) else { return }
    drafts[subject] = draft
    notify("Put aside, and not kept yet." + (label(of: .note).map { " \($0) goes on with it." } ?? ""))
  }

  /// What was begun to be written and is not kept, for whoever leaves without it.
  var wordsOfDrafts: [String] {
    let quotes = appearance.symbols.quotes
    return drafts.map { "Not kept, at \(quotes.around($0.key.quote)): \($0.value.text.inOneRow)" }.sorted()
  }

  /// Lists the questions to go over.
  func showWrongAnswers() {
    let answers = WrongAnswersScreen(title: "Wrong answers", shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    answers.read()
    answers.lookAgain()
    present(answers)
  }

  /// Lists all notes.
  func showNotes() {
    let notes = NotesScreen(title: "Notes", shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .notes) ?? .zero
    }
    notes.read()
    notes.lookAgain()
    present(notes)
  }
}

/// What was begun to be written beside a text, and left.
struct NoteDraft {
  let note: Note?
  let anchor: NoteAnchor
  let text: String

  /// What it is about.
  struct Subject: Hashable {
    let place: Place?
    let note: String?
    let digest: String
    let quote: String

    init(_ place: Place?, _ note: Note?, _ anchor: NoteAnchor) {
      (self.place, self.note, digest, quote) = (place, note?.id, anchor.digest, anchor.quote)
    }
  }
}

/// What can be asked of the history, where it is seen.
extension OverlayPresenter {
  private var history: HistoryScreen? { tabs.selectedScreen as? HistoryScreen }

  func showHistoryFilter() {
    guard let history else { return }
    let filter = HistoryFilterScreen(history, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .filter) ?? .zero
    }
    filter.lookAgain()
    present(filter)
  }

  func showHistoryExport() {
    guard let history else { return }
    guard let export = browser.export else { return notify("There is nothing here that writes files.") }
    let choice = history.choice
    ask(
      for: ExportScreen.Thing(
        name: "waymark-history", words: choice == .everything ? "all steps" : "only what is shown", forms: export.forms
      ) { form, path, replaces in
        Words.count(try export.write(choice.filter, form, path, replaces), "step")
      }, from: .note)
  }

  /// Asks for the file that the course in mind is written into.
  func showCourseExport() {
    guard let course = commands.courseInMind else { return notify("There is no course here to export.") }
    guard let courseExport = browser.courseExport else { return notify("There is nothing here that writes files.") }
    let quotes = appearance.symbols.quotes
    ask(
      for: ExportScreen.Thing(
        name: course.path.slugs.last ?? "course", words: "the course", forms: courseExport.forms
      ) { form, path, replaces in
        try courseExport.write(course.path, form, path, replaces)
        return quotes.around(course.title)
      }, from: .goTo)
  }

  /// Asks for the file that all notes are written into.
  func showNotesExport() {
    guard let write = browser.courseExport?.writeNotes else {
      return notify("There is nothing here that writes files.")
    }
    let (navigation, library) = (navigation, library)
    ask(
      for: ExportScreen.Thing(
        name: "waymark-notes", words: "all notes",
        forms: [HistoryExport.Form(ending: "md", name: "Markdown, in the order in which they are read")]
      ) { _, path, replaces in
        let notes = try NoteInText.finding(navigation.notes()) { try library.content(of: $0) }
        try write(MarkdownWriter().text(notes.blocks), path, replaces)
        return Words.count(notes.count, "note")
      }, from: .notes)
  }

  private func ask(for thing: ExportScreen.Thing, from command: Command) {
    let asking = ExportScreen(thing, shell: shell, listing: browser.folders) { [weak self] in
      self?.screen.place(ofKeyFor: command) ?? .zero
    }
    asking.lookAgain()
    present(asking)
  }

  /// Shows the settings, or the values of one of them.
  func showSettings(at name: String? = nil) {
    guard let settings = browser.settings else { return notify("There are no settings to change here.") }
    let screen = SettingsScreen(settings, at: name, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .settings) ?? .zero
    }
    screen.lookAgain()
    present(screen)
  }

  /// Columns by which a key makes lines longer or shorter.
  static let columnsAtOnce = 4

  /// Makes the longest line of texts longer or shorter, and writes that into the settings file.
  func changeWidth(by columns: Int) {
    guard let keeper = browser.settings else { return notify("There are no settings to change here.") }
    trying {
      let now = try keeper.settings().options.width
      let measures = ReadingLayout.measures
      // What is longer than the window is not seen: it begins at what is.
      let room = PageMetrics(size: size).textWidth
      guard columns < 0 || now < room || now == measures.upperBound else {
        return notify("Lines are as long as this window has room for: \(room) columns.")
      }
      let wished = min(max(min(now, room) + columns, measures.lowerBound), measures.upperBound)
      guard wished != now else {
        return notify("Lines of \(now) columns are the \(columns > 0 ? "longest" : "shortest").")
      }
      let settings = try keeper.set("width", to: String(wished))
      apply(settings)
      let counts = settings.options.width
      notify(
        counts == wished
          ? "\(page is ReadingScreen ? "Lines" : "Lines of texts") are at most \(wished) columns now."
          : "Written: \(wished). For now a flag or the environment says \(counts).")
    }
  }

  /// Lets other settings count from now on, as far as they can.
  func apply(_ settings: Settings) {
    let options = settings.options
    stage.motion = options.motion
    browser.layout = options.layout
    browser.onSettings?(options)
    for case let page as PageScreen in stack.screens where page.isLayerLoaded { page.layOutPage() }
    footer.show()
  }

  /// Shows a picture of a text on a page of its own.
  ///
  /// - Parameter place: Where it stands.
  func show(_ picture: ReadingText.Picture, from place: @escaping () -> CellRect) {
    present(PictureScreen(picture, shell: shell, source: place))
  }

  /// Whether something lies on the page, which is dimmed then.
  var isCovered: Bool { overlay != nil }

  /// The pictures that are seen whole, where nothing moves.
  var picturesInView: [PictureInView] {
    if let overlay { return (overlay as? PictureScreen)?.pictureInView.map { [$0] } ?? [] }
    guard steps.flight == nil, steps.tabFlight == nil, steps.hand == nil, tabs.selectedIndex == 0,
      screen.presented == nil
    else {
      return []
    }
    return (page as? any PicturedText)?.picturesInView ?? []
  }

  /// Hands a picture to the system's own program for it; where there is none, says where it is.
  func openOutside(_ picture: KeptPicture) {
    trying {
      guard let bytes = try library.picture(picture.digest) else { return notify("This picture is not kept any more.") }
      let file = try OutsideFile.write(bytes)
      notify(browser.onOpen?(file) == true ? "Opened \(file)" : "The picture is at \(file)")
    }
  }
}

/// A file for another program, in a folder that only its owner may look into.
enum OutsideFile {
  /// Writes a picture. It stays: the program that shows it may read it later; the system empties its temporary folders.
  ///
  /// - Returns: Its path.
  static func write(_ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let file = folder.appending(path: "picture." + CourseLibrary.pictureEnding(of: bytes))
    try Data(bytes).write(to: file, options: .withoutOverwriting)
    return file.path
  }
}

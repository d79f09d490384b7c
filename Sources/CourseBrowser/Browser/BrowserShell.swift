import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// What the screens see of the browser.
@MainActor final class BrowserShell: BrowserPart {
  var pictures: DrawnPictures { browser.pictures }
  var inBackground: BackgroundWork { browser.inBackground }
  func besideInput(_ body: () -> Void) { browser.besideInput(body) }
  func copy(_ text: String, named name: String, saying more: String?) {
    commands.copy(text, named: name, saying: more)
  }
  func showFooter() { footer.show() }
}

extension BrowserShell: NoteShell {
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?) {
    recorder.write(text, at: anchor, replacing: id)
  }
  func remove(_ note: Note) { recorder.remove(note) }
}

extension BrowserShell: PageShell {
  var layout: ListGeometry.Layout? { browser.layout }
  var isAttending: Bool { recorder.isAttending }
  var isCovered: Bool { overlay != nil }

  func cards(of place: Place, around focus: ChildCards.Focus) -> CardWindow? { steps.cards(of: place, around: focus) }
  func contents(of card: CardModel) -> String { steps.contents(of: card) }
  func navigate(_ request: NavigationRequest, cause: NavigationCause) { commands.navigate(request, cause: cause) }
  func open(_ card: CardModel, cause: NavigationCause) { commands.open(card, cause: cause) }
  @discardableResult func record(_ act: LearningAct, in place: Place, on page: any CoursePage) -> String? {
    recorder.record(act, in: place, on: page)
  }
  func keepPosition(of page: any ActivityPage) { recorder.keepPosition(of: page) }
  func keep(_ run: QuizRun?, in place: Place) { recorder.keep(run, in: place) }
  func target(of destination: String, on page: any CoursePage) -> LinkTarget? {
    commands.target(of: destination, on: page)
  }
  func follow(_ destination: String, from page: any CoursePage, cause: NavigationCause) {
    commands.follow(destination, from: page, cause: cause)
  }
  func matches(of query: String, in text: String) -> TextMatches { commands.matches(of: query, in: text) }
  func widenSearch(_ words: String) { commands.widenSearch(words) }
  func show(_ picture: ReadingText.Picture, from place: @escaping () -> CellRect) {
    overlays.show(picture, from: place)
  }
  func draft(in place: Place) -> NoteDraft? { overlays.draft(in: place) }
  func askForNote(_ note: Note?, at anchor: NoteAnchor) { overlays.askForNote(note, at: anchor) }
  func pageMoved() { steps.retakePictures() }

  func pageChanged(_ page: any CoursePage) {
    // What is found is shown on a page before the tab is seen that it is on.
    if page === self.page, tabs.selectedIndex == 0 { footer.show() }
    steps.retakePictures()
  }
}

extension BrowserShell: TabShell {
  var shownPage: (any CoursePage)? { page }
  var shownCourse: Place? { pages.dropFirst().first?.place }
  var performedPath: [HistoryRow]? { browser.performance?.path }
  func isSelected(_ tab: Screen) -> Bool { tabs.selectedScreen === tab }
  func selectTab(_ index: Int) { steps.selectTab(index) }
  func showAside() { asides.show() }
  func showNotes() { overlays.showNotes() }
  func openFound(_ place: Place, for query: String?, cause: NavigationCause) {
    commands.openFound(place, for: query, cause: cause)
  }
  func openLastAttempt(at quiz: Place) { commands.openLastAttempt(at: quiz) }
  func shownHistory(
    _ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor?
  ) throws -> (rows: [HistoryRow], older: HistoryCursor?) {
    try commands.shownHistory(filter, limit: limit, after: cursor)
  }
  func showHistoryFilter() { overlays.showHistoryFilter() }
  func showHistoryExport() { overlays.showHistoryExport() }
  func replay(session: Int64) { commands.replay(session: session) }
}

extension BrowserShell: OverlayShell {
  var bindings: KeyBindings { screen.bindings }
  var folders: FolderListing { browser.folders }
  var settings: SettingsKeeper? { browser.settings }
  var keysHere: [KeyHint] { footer.keysHere }
  var hasPanes: Bool { asides.hasPanes }
  var headings: [ReadingText.Heading] {
    tabs.selectedIndex == 0 ? (page as? ReadingScreen)?.text.headings ?? [] : []
  }
  var shownPlace: Place? { page?.place }
  var pagesLayer: Layer { tabs.layer }
  func isOnTop(_ overlay: Screen) -> Bool { self.overlay === overlay }
  func dismissOverlay() { overlays.dismissOverlay() }
  func perform(_ command: Command) -> Bool { commands.perform(command) }
  func go(to place: Place) { commands.go(to: place) }
  func go(to note: PlacedNote) { commands.go(to: note) }
  func go(to answer: WrongAnswer) { commands.openLastAttempt(at: answer.quiz.place, question: answer.number) }
  func show(anchor: String) { (page as? ActivityScreen)?.show(anchor: anchor) }
  func find(_ words: String) { commands.find(words) }
  func showSettings(at name: String?) { overlays.showSettings(at: name) }
  func apply(_ settings: Settings) { overlays.apply(settings) }
  func courseWasAdded(_ report: ImportReport, replacing former: FormerCourse?) {
    overlays.courseWasAdded(report, replacing: former)
  }
  func exportNotes() { overlays.showNotesExport() }
  func addCourse() { overlays.showAddCourse() }
  func addBundledCourse() { commands.trying { overlays.courseWasAdded(try library.importBundled(), replacing: nil) } }
  func removeSoon(_ course: NamedPlace) { commands.removeSoon(course) }
  func rename(_ place: NamedPlace, to title: String?) { commands.rename(place, to: title) }
  var onEdit: ((_ text: String, _ done: @escaping (Result<String, TextEditor.Failure>) -> Void) -> Void)? {
    browser.onEdit
  }
  func openOutside(_ picture: KeptPicture) { overlays.openOutside(picture) }
}

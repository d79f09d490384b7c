import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

@testable import CourseBrowser

/// Shortcuts for the components of a browser.
extension Browser {
  var size: CellSize { stage.size }
  var navigation: NavigationService { context.navigation }
  var library: CourseLibrary { context.library }
  var appearance: Appearance { context.appearance }
  var stack: StackScreen { openPages.stack }
  var tabs: TabScreen { openPages.tabs }
  var screen: BrowserScreen { openPages.root }
  var pages: [PageScreen] { openPages.pages }
  var page: PageScreen? { openPages.page }
  var hand: InteractiveStep? { steps.interactiveStep }
  var flight: RunningStep? { steps.runningStep }
  var tabFlight: Transition? { steps.runningTabTransition }
  var openings: [OpeningLayer] { steps.openings }
  var transitions: BrowserTransitions { steps.transitions }
  var wayUp: NavigationRequest { steps.parentRequest }
  var overlay: OverlayScreen? { openPages.root.overlay }
  var picturesInView: [VisibleImage] { overlays.visibleImages }
  var focusedPane: (any ChoosablePane)? { sidePanes.focusedPane }

  func readAgain() { reader.reloadCurrentPage() }
  func selectTab(_ index: Int) { steps.selectTab(index) }
  func takeInHand(_ request: NavigationRequest) -> Bool { steps.beginInteraction(request) }
  @discardableResult func moveHand(by distance: Double, gliding: Bool = false) -> Double {
    steps.updateInteraction(by: distance, gliding: gliding)
  }
  func letGoOfHand(velocity: Double = 0) { steps.endGesture(velocity: velocity) }
  func navigate(_ request: NavigationRequest, cause: NavigationCause) { navigator.navigate(request, cause: cause) }
  func go(to place: Place) { navigator.go(to: place) }
  func find(_ text: String) { navigator.find(text) }
  func showAround() { playback.showAround() }
  func notify(_ text: String) { screen.notify(text) }
  func show(_ step: NavigationStep, animated: Bool) throws { try steps.show(step, animated: animated) }
  func show(_ picture: ReadingText.Image, from place: @escaping () -> CellRect) {
    reading.show(picture, from: place)
  }
}

/// Callbacks to the terminal and to other programs, replaced by tests.
extension Browser {
  var settings: SettingsStore? {
    get { context.settings }
    set { context.settings = newValue }
  }
  var folders: FolderListing {
    get { context.folders }
    set { context.folders = newValue }
  }
  var inBackground: BackgroundWork {
    get { context.runInBackground }
    set { context.runInBackground = newValue }
  }
  var export: HistoryExport? {
    get { context.export }
    set { context.export = newValue }
  }
  var courseExport: CourseExport? {
    get { context.courseExport }
    set { context.courseExport = newValue }
  }
  var onCopy: ((String) -> Bool)? {
    get { context.onCopy }
    set { context.onCopy = newValue }
  }
  var onOpen: ((String) -> Bool)? {
    get { context.onOpen }
    set { context.onOpen = newValue }
  }
  var onEdit: ((_ text: String, _ done: @escaping (Result<String, TextEditor.Failure>) -> Void) -> Void)? {
    get { context.onEdit }
    set { context.onEdit = newValue }
  }
  var onChange: (() -> Void)? {
    get { context.onChange }
    set { context.onChange = newValue }
  }
  var onSettings: ((Settings) -> Void)? {
    get { context.onSettings }
    set { context.onSettings = newValue }
  }
}

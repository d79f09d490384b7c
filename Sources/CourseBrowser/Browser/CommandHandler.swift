import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// Does what the learner asks for, with a key, the mouse, a link or the palette.
@MainActor final class CommandHandler: BrowserPart {
  /// What made the command that is being done.
  var inputCause = NavigationCause.key
  /// What was done last, where that can be taken back.
  var undoable: Undoable?
  /// A thing done that can be taken back, until the next one is.
  enum Undoable {
    /// A course goes when its time is over, which the call counts down.
    case removal(NamedPlace, ScheduledCall)
    /// A course was imported again: as it was before.
    case edition(FormerCourse)
    /// A place got a name: the one that it had.
    case name(NamedPlace, before: String)
    /// Notes were taken away, one after the other.
    case notes([PlacedNote])
  }

  /// The keys that were said to do nothing, by the kinds of screens on which that was said.
  private var deadKeys: Set<DeadKey> = []

  /// Does what a key, or a word of the palette, asks for.
  func perform(_ command: Command) -> Bool {
    if asides.performOnPane(command) { return true }
    let shown = tabs.selectedScreen
    let afterimage = command == .layout && !steps.openings.isEmpty && motion == .full ? steps.picture() : nil
    defer { steps.fade(afterimage) }
    if shown === stack, let page, page.perform(command) { return true }
    if let history = shown as? HistoryScreen, history.perform(command) { return true }
    return performAnywhere(command)
  }

  /// What can be done on every page.
  private func performAnywhere(_ command: Command) -> Bool {
    switch command {
    case .find: steps.selectTab(1)
    case .tab(let index): steps.selectTab(index)
    case .otherPane: return asides.focusNextPane()
    // What stands beside the page is next where no link waits.
    case .nextTab where asides.focusNextPane(): break
    case .nextTab: steps.selectTab((tabs.selectedIndex + 1) % tabs.screens.count)
    case .previousTab: steps.selectTab((tabs.selectedIndex + tabs.screens.count - 1) % tabs.screens.count)
    case .up: navigate(steps.wayUp, cause: .key)
    case .next: navigate(.next, cause: .key)
    case .previous: navigate(.previous, cause: .key)
    case .back: navigate(.back, cause: .key)
    case .forward: navigate(.forward, cause: .key)
    case .goOn: goOn()
    case .copy: copyPath()
    case .add: overlays.showAddCourse()
    case .mark: toggleMark()
    case .marks: showMarks()
    case .notes: overlays.showNotes()
    case .goTo: overlays.showPalette()
    case .headings:
      guard tabs.selectedIndex == 0, (page as? ReadingScreen)?.text.headings.isEmpty == false else { return false }
      overlays.showPalette(writing: PaletteScreen.headingsSign)
    case .info: overlays.showInfo()
    case .help: overlays.showHelp()
    case .tour: showAround()
    case .settings: overlays.showSettings()
    case .wider: overlays.changeWidth(by: OverlayPresenter.columnsAtOnce)
    case .narrower: overlays.changeWidth(by: -OverlayPresenter.columnsAtOnce)
    case .rename: askForName()
    case .remove: askToRemove()
    case .export: overlays.showCourseExport()
    case .importAgain: importAgain()
    case .wrongAnswers: overlays.showWrongAnswers()
    case .undo: return undo()
    case .quit: browser.quit()
    default: return false
    }
    return true
  }

  /// A key that does nothing here, and the kind of screen that is here.
  private struct DeadKey: Hashable {
    var key: Key
    var modifiers: KeyModifiers
    var screen: ObjectIdentifier
  }

  /// Says of a key that does nothing here that it does, once.
  func sayItDoesNothing(_ key: KeyEvent) {
    let shown: Screen = tabs.selectedIndex == 0 ? page ?? stack : tabs.selectedScreen
    let dead = DeadKey(key: key.key, modifiers: key.modifiers, screen: ObjectIdentifier(type(of: shown)))
    let label = key.label(appearance.symbols)
    guard browser.hasBegun, !label.isEmpty, deadKeys.insert(dead).inserted else { return }
    let help = self.label(of: .help).map { " \($0) shows the keys." } ?? ""
    screen.notify("\(label) does nothing here." + help, .quiet)
  }

  private func goOn() {
    guard let page, let next = page.page.nextStep else {
      // Behind the last activity there is the end of the course.
      return page is ActivityScreen ? navigate(.next, cause: .key) : ()
    }
    trying {
      let place = try isBehind(next) ? toDo(besides: page) ?? next.card.place.place : next.card.place.place
      navigate(.open(.place(place)), cause: .key)
    }
  }

  /// Whether what follows in reading order is done: it is the next to read, and not the next to do.
  private func isBehind(_ next: NextStep) -> Bool { next.reason == .next && next.card.state == .done }

  /// What there is to do in the lesson of an activity, or else in its course, beside itself; `nil` where there is nothing.
  private func toDo(besides page: PageScreen) throws -> Place? {
    guard let above = pages.dropLast().last else { return nil }
    let next = try navigation.page(of: .place(above.place), with: .some(0, around: .index(0))).nextStep
    guard let next, next.reason != .allDone, next.card.place.place != page.place else { return nil }
    return next.card.place.place
  }
}

import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// A part of the browser, with what all of them work on.
@MainActor class BrowserPart {
  unowned let browser: Browser

  init(of browser: Browser) {
    self.browser = browser
  }

  /// The pages from the list of courses to the one where the learner is, by the log.
  var pages: [PageScreen] { steps.pages }
  /// The page that commands are for: the one where the learner is, also while it still moves in.
  var page: PageScreen? { steps.page }
}

extension BrowserPart {
  var navigation: NavigationService { browser.navigation }
  var library: CourseLibrary { browser.library }
  var stage: Stage { browser.stage }
  var screen: BrowserScreen { browser.screen }
  var stack: StackScreen { browser.stack }
  var tabs: TabScreen { browser.tabs }
  var appearance: Appearance { browser.appearance }
  var size: CellSize { stage.size }
  var motion: MotionPreference { stage.motion }
  var now: Timestamp { browser.now }
  var dayNames: DayNames { browser.dayNames }
  var waiting: WaitingWrites { browser.waiting }
  var shell: BrowserShell { browser.shell }

  var steps: StepPresenter { browser.steps }
  var recorder: ActivityRecorder { browser.recorder }
  var footer: FooterPresenter { browser.footer }
  var asides: AsidePresenter { browser.asides }
  var overlays: OverlayPresenter { browser.overlays }
  var commands: CommandHandler { browser.commands }

  /// The overlay that has the keys now.
  var overlay: OverlayScreen? {
    guard let overlay = screen.presented as? OverlayScreen, !overlay.isBeingDismissed else { return nil }
    return overlay
  }

  func trying(_ body: () throws -> Void) { browser.trying(body) }
  func notify(_ words: String) { screen.notify(words) }
  /// The key of a command, as the screen shows it; `nil` where it has none.
  func label(of command: Command) -> String? {
    screen.bindings.row(of: command)?.keys.first?.label(appearance.symbols)
  }
}

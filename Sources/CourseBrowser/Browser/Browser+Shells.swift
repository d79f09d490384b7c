import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

// What the screens see of the browser.

extension Browser: PageShell {
  var size: CellSize { stage.size }
  var motion: MotionPreference { stage.motion }
  func showFooter() { showFooter(of: nil, alongside: nil) }
}

extension Browser: TabShell {
  var shownPage: (any CoursePage)? { page }
  var shownCourse: Place? { pages.dropFirst().first?.place }
  var performedPath: [HistoryRow]? { performance?.path }
  func isSelected(_ tab: Screen) -> Bool { tabs.selectedScreen === tab }
  func showAside() { showAside(of: nil, alongside: nil) }
}

extension Browser: OverlayShell {
  var bindings: KeyBindings { screen.bindings }
  var headings: [ReadingText.Heading] {
    tabs.selectedIndex == 0 ? (page as? ReadingScreen)?.text.headings ?? [] : []
  }
  var shownPlace: Place? { page?.place }
  var pagesLayer: Layer { tabs.layer }
  func isOnTop(_ overlay: Screen) -> Bool { self.overlay === overlay }
  func go(to place: Place) { go(to: place, cause: .key) }
  func show(anchor: String) { (page as? ActivityScreen)?.show(anchor: anchor) }
}

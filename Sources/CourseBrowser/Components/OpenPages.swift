import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The screens that are open, and the place that commands apply to.
@MainActor final class OpenPages {
  let context: ScreenContext
  let root: BrowserScreen
  let stack: StackScreen
  /// Returns the pages of the interactive transition, or `nil` if there is none.
  var gesturePages: (() -> [PageScreen]?)?

  init(_ context: ScreenContext, root: BrowserScreen, stack: StackScreen) {
    (self.context, self.root, self.stack) = (context, root, stack)
  }

  var tabs: TabScreen { root.tabs }
  /// The pages from the list of courses to the learner's current place, according to the log.
  var pages: [PageScreen] { gesturePages?() ?? stack.screens.compactMap { $0 as? PageScreen } }
  /// The page for which the last row is drawn before its transition begins, or `nil`.
  var arrivingPage: PageScreen?
  /// The page of the learner's current place. It is returned even while the page is still moving in.
  var page: PageScreen? { arrivingPage ?? pages.last }
  /// The page of the selected tab, or `nil` if the first tab is selected, which shows ``page``.
  var tab: TabPage? { tabs.selectedScreen as? TabPage }
  var history: HistoryScreen? { tabs.selectedScreen as? HistoryScreen }
  var review: ReviewScreen? { tabs.selectedScreen as? ReviewScreen }
  /// Whether the learner has come to the page from a card whose source it is, and can return to the review.
  var isSourceOfReview: Bool {
    guard tabs.selectedIndex == 0, let place = page?.place else { return false }
    return tabs.screens.contains { ($0 as? ReviewScreen)?.source == place }
  }
  /// The course that the learner is in.
  var course: Place? { pages.dropFirst().first?.place }
  /// The screen that receives commands first when no overlay is open.
  var focus: Screen { tabs.selectedScreen === stack ? page ?? stack : tabs.selectedScreen }

  /// Whether the learner has answered cards on the current page, so that its last row shows *undo*.
  var hasAnswers: Bool { (review?.session?.canUndo ?? (focus as? FlashcardsScreen)?.hasGrades) == true }

  /// Returns the course that contains a page; `nil` for the list of courses.
  func course(of page: any CoursePage) -> NodeID? {
    guard let index = stack.screens.firstIndex(where: { $0 === page }), index > 0 else { return nil }
    return (stack.screens[1] as? PageScreen)?.place.node
  }

  /// The place that commands such as *info* apply to: the selected card, history step or course to review, otherwise the page.
  var selectedPlace: Place? {
    if let history { return history.chosenPlace == .root ? nil : history.chosenPlace }
    if let review { return review.chosenPlace }
    if let list = page as? ListScreen, let card = list.chosenCard { return card.node.map(Place.node) }
    return page?.place == .root ? nil : page?.place
  }

  /// The rank of commands such as *info*, which only the last row of pages shows.
  var rankOfPlaceCommands: Int { tabs.selectedIndex == 0 ? Offer.helpRank - 1 : Offer.helpRank }

  private var selectedCourseNode: NodeID? {
    page?.place == .root ? (page as? ListScreen)?.chosenCard?.node : course?.node
  }

  /// Whether ``selectedCourse`` exists, without reading it.
  var hasSelectedCourse: Bool { selectedCourseNode != nil }

  /// The course that commands such as *remove* apply to: the selected course, otherwise the current one.
  var selectedCourse: NamedPlace? {
    guard let node = selectedCourseNode, let place = try? context.navigation.places.named(.place(.node(node))) else {
      return nil
    }
    return place.kind == .course ? place : nil
  }
}

/// A component of the browser. It uses the context, the open pages, and the components that are passed to its
/// initialiser.
@MainActor class BrowserComponent {
  let openPages: OpenPages
  var context: ScreenContext { openPages.context }

  init(_ openPages: OpenPages) { self.openPages = openPages }

  /// Returns a function that computes the rectangle from which the overlay of a command grows: the command's key in the
  /// last row.
  func keyPlace(of command: Command) -> () -> CellRect {
    { [weak root = openPages.root] in root?.place(ofKeyFor: command) ?? .zero }
  }
}

extension BrowserComponent {
  var navigation: NavigationService { context.navigation }
  var library: CourseLibrary { context.library }
  var stage: Stage { context.stage }
  var appearance: Appearance { context.appearance }
  var size: CellSize { context.size }
  var motion: MotionPreference { context.motion }
  var now: Timestamp { context.now }
  var dayNames: RelativeDateFormat { context.dayNames }
  var screen: BrowserScreen { openPages.root }
  var stack: StackScreen { openPages.stack }
  var tabs: TabScreen { openPages.tabs }
  var pages: [PageScreen] { openPages.pages }
  var page: PageScreen? { openPages.page }
  var overlay: OverlayScreen? { openPages.root.overlay }

  func trying(_ body: () throws -> Void) { context.trying(body) }
  func notify(_ message: String, _ role: Role = .strong) { context.notify(message, role) }
  func label(of command: Command) -> String? { context.label(of: command) }
}

import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// A tour: the browser navigates through a course and explains what it shows. Esc ends it, and any
/// other key continues from the visible place.
///
/// The tour uses the stage's clock. Its steps are not recorded. If a key other than Esc ends the tour, the visible
/// place is recorded as a step of the learner.
@MainActor final class Tour: Playback {
  /// An action of the tour, with the pause before it and the text that is shown with it.
  struct Action {
    var pause: Double
    /// The new text, or `nil` to keep the current one.
    var sentence: Sentence?
    var perform: (Tour) throws -> Void

    init(
      after pause: Double, _ sentence: String? = nil, short: String = "", _ perform: @escaping (Tour) throws -> Void
    ) {
      self.pause = pause
      self.sentence = sentence.map { Sentence(full: $0, short: short) }
      self.perform = perform
    }
  }

  /// A text, with a shorter version for narrow terminals.
  struct Sentence {
    var full = ""
    var short = ""
  }

  /// Seconds between two typed letters.
  static let typing = 0.14

  private unowned let controller: PlaybackController
  private let actions: [Action]
  private var next: ScheduledCall?
  private var sentence = Sentence()
  private var place: Place
  private var steps: [(step: NavigationStep, at: Timestamp)] = []

  /// The total duration in seconds.
  var duration: Double { actions.reduce(0) { $0 + $1.pause } }

  init(_ route: TourRoute, for controller: PlaybackController) {
    self.controller = controller
    place = controller.page?.place ?? .root
    let symbols = controller.appearance.symbols
    actions = Self.actions(route, enter: symbols.enter, up: symbols.arrows[2], choose: symbols.upDown)
  }

  /// Starts at the learner's place.
  func begin() {
    controller.begin(self)
    go(to: 0)
  }

  private func go(to number: Int) {
    guard actions.indices.contains(number) else { return finish() }
    let action = actions[number]
    next = controller.stage.schedule(after: action.pause) { [weak self] in
      guard let self else { return }
      sentence = action.sentence ?? sentence
      controller.trying { try action.perform(self) }
      controller.context.showFooter(alongside: controller.stack.transitionCoordinator)
      go(to: number + 1)
    }
  }

  private func finish() {
    let enter = controller.appearance.symbols.enter
    controller.end()
    controller.notify("The tour has ended. \(enter) opens the selection, ? lists all keys.")
  }

  // MARK: - The script

  private static func actions(_ route: TourRoute, enter: String, up: String, choose: String) -> [Action] {
    [
      Action(
        after: 0, "A course is a card. \(enter) opens it, and the card becomes the page.",
        short: "A course is a card; \(enter) opens it."
      ) {
        try $0.show(.root)
        $0.choose(route.course)
      },
      Action(after: 2) { try $0.show(route.course) },
      Action(
        after: 1.6, "A course has goals. \(choose) select a goal; \(enter) opens the goal in the frame.",
        short: "A course has goals; \(choose) select."
      ) {
        $0.choose(route.goal)
      },
      Action(after: 1.4) { try $0.show(route.goal) },
      Action(after: 1.2, "A goal has lessons, and a lesson has things to do.", short: "A goal has lessons.") {
        $0.choose(route.lesson)
      },
      Action(after: 0.8) { try $0.show(route.lesson) },
      Action(after: 1.2) { $0.choose(route.text) },
      Action(
        after: 0.8, "This is a text. Space shows more; the line below the title shows your position.",
        short: "Space shows more; the line shows your position."
      ) {
        try $0.show(route.text)
      },
      Action(after: 1.8) { $0.readOn() },
      Action(after: 1.2) { $0.readOn() },
      Action(
        after: 1.4, "\(up) goes up: the page becomes a card again.", short: "\(up) goes up to the list."
      ) { try $0.show(route.lesson) },
      Action(after: 1.8, "/ searches all courses while you type.", short: "/ searches all courses as you type.") {
        $0.select(tab: 1)
      },
      Action(after: 0.4) { _ in },
    ]
      + route.searchTerm.map { letter in Action(after: typing) { $0.type(letter) } }
      + [
        Action(
          after: 1.6, "3 shows your history: right is deeper, left is up.",
          short: "3 shows your history."
        ) { $0.select(tab: 2) },
        Action(after: 2.8) { _ in },
      ]
  }

  private func choose(_ place: Place) {
    guard let node = place.node else { return }
    (controller.page as? ListScreen)?.choose(node, animated: true)
  }

  private func readOn() {
    guard let text = controller.page as? ReadingScreen, !text.endIsInView else { return }
    text.perform(.readOn)
  }

  private func select(tab: Int) { controller.steps.selectTab(tab) }

  private func type(_ letter: Character) {
    _ = controller.tabs.selectedScreen.handle(.key(KeyEvent(.character(letter))))
  }

  private func show(_ target: Place) throws {
    if controller.tabs.selectedIndex != 0 { controller.steps.selectTab(0) }
    let step = try controller.navigation.step(from: .place(place), to: .place(target))
    try controller.steps.show(step, animated: controller.motion != .none)
    place = target
    steps.append((step, controller.now))
  }

  // MARK: - Playback

  var hint: Footer.Hint {
    Footer.Hint(text: sentence.full, detail: "", shortText: sentence.short)
  }
  var fieldKeys: [KeyHint]? { [KeyHint("any key", "continue here")] }
  var keyContexts: [KeyContext] { [.tour] }

  func offer(_ command: Command) -> Offer? {
    command == .endTour ? Offer("end the tour") { [self] in controller.end() } : nil
  }

  /// The newest step comes first, as in History.
  var path: [HistoryRow]? {
    steps.indices.reversed().map { index in
      let (step, at) = steps[index]
      let leftAt = index + 1 < steps.count ? steps[index + 1].at : nil as Timestamp?
      let isDown = step.transition?.choice.direction == .down
      return HistoryRow(
        id: Int64(index + 1), uuid: "", learner: controller.navigation.learner, session: 0, sequence: index + 1,
        operation: index == 0 ? .popToRoot : isDown ? .push : .pop, isAnimated: controller.motion != .none, cause: .key,
        transition: step.transition, from: step.from, to: step.to, stack: step.stack, at: at, leftAt: leftAt,
        activeTime: leftAt.map { .milliseconds($0.milliseconds - at.milliseconds) })
    }
  }

  func handle(_ event: InputEvent) -> Bool {
    guard event.isIntended else { return false }
    guard case .key(let key) = event else {
      controller.continueFromHere()
      return false
    }
    let commands = controller.context.bindings.rows(for: key).map(\.command)
    guard !commands.contains(.endTour) else { return false }
    // If the learner quits, the visible place is not recorded. In Find, a letter is typed, even if it is the key that
    // quits on other pages.
    let isTyped = (controller.openPages.focus as? any CommandResponder)?.takes(key) == true
    if commands.contains(.quit), !isTyped { controller.end() } else { controller.continueFromHere() }
    return false
  }

  func stop() { next?.cancel() }
}

/// The places of the tour: a course, and the places from there to a text.
struct TourRoute: Hashable {
  let course: Place
  let goal: Place
  let lesson: Place
  let text: Place
  /// The query for which the tour searches.
  let searchTerm: String

  /// Plans a route through the bundled course or, if that is not possible, through the first suitable course.
  ///
  /// - Returns: `nil` if no course has a goal with a lesson with an activity.
  @MainActor init?(in navigation: NavigationService, _ library: CourseLibrary) throws {
    let courses = try library.courses()
    let bundled = courses.firstIndex { $0.path == CourseLibrary.bundledPath } ?? 0
    for course in courses.dropFirst(bundled) + courses.prefix(bundled) {
      let place = try navigation.places.named(.text(course.path.description)).place
      if let route = try Self.route(through: place, of: navigation) {
        self = route
        return
      }
    }
    return nil
  }

  private init(course: Place, goal: Place, lesson: Place, text: PlaceSummary) {
    self.course = course
    self.goal = goal
    self.lesson = lesson
    self.text = text.place.place
    searchTerm = Self.searchTerm(of: text.place.title)
  }

  @MainActor private static func route(through course: Place, of navigation: NavigationService) throws -> TourRoute? {
    func children(_ place: Place) throws -> [PlaceSummary] {
      try navigation.places.childSummaries(of: place, .some(32, around: .index(0))).summaries
    }
    // If there is a second child, the route uses it, so that the tour shows how the selection moves.
    func fromSecond(_ cards: [PlaceSummary]) -> [PlaceSummary] { Array(cards.dropFirst() + cards.prefix(1)) }

    for goal in fromSecond(try children(course)).prefix(8) where goal.place.kind == .goal {
      for lesson in fromSecond(try children(goal.place.place)).prefix(8) where lesson.place.kind == .lesson {
        let activities = fromSecond(try children(lesson.place.place).filter { $0.place.kind == .activity })
        guard let text = activities.first(where: { $0.type == .reading }) ?? activities.first else { continue }
        return TourRoute(course: course, goal: goal.place.place, lesson: lesson.place.place, text: text)
      }
    }
    return nil
  }

  /// Returns the longest word of a title, shortened to 8 letters. The longest word is likely to have the fewest
  /// matches.
  private static func searchTerm(of title: String) -> String {
    let words = title.split { !$0.isLetter && !$0.isNumber }
    let longest = words.max { $0.count < $1.count } ?? "a"
    return String(longest.lowercased().prefix(8))
  }
}

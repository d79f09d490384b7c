import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

// The code of the page "From a StepTransition to a StackScreen".

final class StepTransitions: TransitionProvider {
  var kind: TransitionKind?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    switch kind {
    case .courseCard, .goalCard, .lessonCard, .activityCard:
      MatchedTransition(from: from, to: to, fallback: CrossFadeTransition())
    case .siblingSlide: SlideTransition()
    default: CrossFadeTransition()
    }
  }
}

@MainActor func show(
  _ step: NavigationStep, on stack: StackScreen, with transitions: StepTransitions, screen: (NamedPlace) -> Screen
) throws(ContainmentError) -> Transition? {
  let screens = step.stack.map { place in
    stack.screens.first { $0.route == AnyHashable(place.place) } ?? screen(place)
  }
  transitions.kind = step.transition?.choice.kind
  defer { transitions.kind = nil }
  let isNeighbour =
    transitions.kind == .siblingSlide && stack.screens.dropLast().elementsEqual(screens.dropLast(), by: ===)
  guard isNeighbour, let page = screens.last else { return try stack.setScreens(screens, animated: true) }
  let isNext = step.transition?.choice.direction == .right
  return try stack.replaceTop(with: page, operation: .select(from: isNext ? 0 : 1, to: isNext ? 1 : 0), animated: true)
}

/// A screen that is full of the first letters of its place, with a title that matches.
private final class PlaceScreen: Screen, TransitionSource, TransitionTarget {
  private let place: NamedPlace
  private let heading: Layer

  init(_ place: NamedPlace) {
    self.place = place
    heading = Layer(content: Surface(place.title))
    super.init(title: place.title)
    route = AnyHashable(place.place)
  }

  override func didLoad() { layer.add(heading) }
  override func layOut(in size: Size) { heading.frame = Rect(x: 0, y: 0, width: size.width, height: 1) }
  var sourceID: TransitionID? { TransitionID("card") }
  var targetIDs: [TransitionID] { [TransitionID("card")] }
  func sourceFrame(for id: TransitionID) -> Rect? { heading.frame }
  func targetFrame(for id: TransitionID) -> Rect? { heading.frame }
  func sourceLayer(for id: TransitionID) -> Layer? { heading.snapshot() }
  func originalLayer(for id: TransitionID) -> Layer? { heading }
}

@MainActor @Suite struct StepsOnAStackTests {
  @Test func `steps are shown as pushes, pops, and slides from the side of the neighbour`() throws {
    let folder = try TemporaryFolder()
    let navigation = try NavigationService(
      databaseAt: BundledDatabase.copy(into: folder), learner: "ada", session: .named("stack"))
    let stack = StackScreen(root: PlaceScreen(.root))
    let transitions = StepTransitions()
    stack.transitions = transitions
    let stage = Stage(size: CellSize(columns: 8, rows: 1), rootScreen: stack)
    var compositor = Compositor()
    var time = 0.0

    /// Shows a step. Returns the operation, the first row in the middle of the transition, and the top screen's title.
    func take(_ request: NavigationRequest) throws -> [String] {
      let step = try navigation.perform(request, cause: .key, animated: true)
      let transition = try #require(try show(step, on: stack, with: transitions, screen: { PlaceScreen($0) }))
      transition.fractionComplete = 0.5
      let half = compositor.compose(stage.tick(at: time), size: stage.size).surface.textRows[0]
      transition.finish()
      time += 10
      stage.advance(to: time)
      #expect(transition.outcome == .completed)
      return ["\(transition.operation)", half, stack.top.title]
    }

    let open = try take(.open("english-for-business/meetings"))
    let next = try take(.next)
    let previous = try take(.previous)
    let up = try take(.pop)

    #expect(open[0] == "push" && open[2] == "Meetings")
    #expect(next[0] == "select(from: 0, to: 1)" && next[1].hasPrefix("ings"))
    #expect(previous[0] == "select(from: 1, to: 0)" && previous[1].hasPrefix("ings") && previous[2] == "Meetings")
    #expect(up[0] == "pop" && stack.screens.count == 2)
  }

  @Test func `the documentation page contains the code that runs`() throws {
    let file = URL(filePath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let page = try String(
      contentsOf: file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/ScreenKit/Documentation.docc/StepsOnAStack.md"),
      encoding: .utf8)

    let block = try #require(
      page.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "\n```").first)

    #expect(source.contains("\n\(block)\n"))
  }
}

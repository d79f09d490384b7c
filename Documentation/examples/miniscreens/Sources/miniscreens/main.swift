import ScreenKit
import TextCanvas

// A list of courses and a page for each course. The title of a course moves from the list to its page and back.
// The program is its own clock: it prints the frames of any time, without a terminal.

/// A screen with the title of a course, which matches the same title on another screen.
@MainActor protocol CourseScreen: TransitionSource, TransitionTarget {
  /// The course that is opened or was opened.
  var course: TransitionID { get }
}

extension CourseScreen {
  var sourceID: TransitionID? { course }
  var targetIDs: [TransitionID] { [course] }
  func sourceFrame(for id: TransitionID) -> Rect? { originalLayer(for: id)?.frame }
  func targetFrame(for id: TransitionID) -> Rect? { originalLayer(for: id)?.frame }
  // A copy moves, and the look on one screen fades into the look on the other.
  func sourceLayer(for id: TransitionID) -> Layer? { originalLayer(for: id)?.snapshot() }
  func targetLayer(for id: TransitionID) -> Layer? { originalLayer(for: id)?.snapshot() }
}

final class CourseList: CollectionScreen, CourseScreen {
  let course: TransitionID

  init(_ names: [String], opening name: String) {
    course = TransitionID(name)
    let items = CollectionItems(names.map { TransitionID($0) }) { Layer(content: Surface($0.description)) }
    super.init(items, layout: ListLayout(), title: "list")
  }

  func originalLayer(for id: TransitionID) -> Layer? { itemLayer(for: id) }
}

final class CoursePage: Screen, CourseScreen {
  let course: TransitionID
  private let heading: Layer
  private let text = Layer(content: Surface("Three lessons\nNo deadline"))

  init(_ name: String) {
    course = TransitionID(name)
    heading = Layer(content: Surface(name.uppercased()))
    super.init(title: name)
  }

  override func didLoad() {
    layer.add(heading)
    layer.add(text)
  }

  override func layOut(in size: Size) {
    heading.frame = Rect(x: 4, y: 0, width: size.width - 4, height: 1)
    text.frame = Rect(x: 0, y: 2, width: size.width, height: 2)
  }

  func originalLayer(for id: TransitionID) -> Layer? { heading }
}

/// The transitions of the stack; a gesture drives them while there is one.
final class CourseTransitions: TransitionProvider {
  var gesture: PercentDrivenInteractiveTransition?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    MatchedTransition(from: from, to: to, duration: 0.4, curve: .linear)
  }

  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? { gesture }
}

let list = CourseList(["cooking", "drawing", "sailing"], opening: "drawing")
let page = CoursePage("drawing")
let stack = StackScreen(root: list)
let transitions = CourseTransitions()  // The stack refers to it weakly.
stack.transitions = transitions
let stage = Stage(size: CellSize(columns: 14, rows: 4), rootScreen: stack)
var compositor = Compositor()

@MainActor func picture(at time: Double) -> [String] {
  compositor.compose(stage.tick(at: time), size: stage.size).surface.textRows
}

@MainActor func report(_ title: String, _ pictures: [[String]]) {
  print("\n\(title)")
  for row in 0..<stage.size.rows { print("|" + pictures.map { $0[row] }.joined(separator: "|") + "|") }
}

@MainActor func report(_ outcome: TransitionOutcome?, _ ends: [any TransitionEndpoint]) {
  let hidden = ends.filter { $0.originalLayer(for: list.course)?.isHidden == true }.map(\.title)
  print("\(outcome.map { "\($0)" } ?? "running"), focus on \(stage.focusedScreen?.title ?? "-"), hidden: \(hidden)")
}

// A push runs by itself; 0.4 seconds later the page is shown.
let push = try stack.push(page, animated: true)
report("Push, at 0, 0.1, 0.2, 0.3 and 0.4 s", [0, 0.1, 0.2, 0.3].map(picture))
report(push.outcome, [list, page])
report("The page", [picture(at: 0.4)])
report(push.outcome, [list, page])

// A gesture begins to pop the page, goes half way, and is cancelled.
let gesture = PercentDrivenInteractiveTransition()
transitions.gesture = gesture
let cancelled = stage.perform(at: 1) { stack.pop(animated: true) }
let halfway = [0.25, 0.5].map { fraction in
  gesture.update(fraction)
  return picture(at: 1.5)
}
report("Pop by a gesture, at 25 and 50 %", halfway)
report(cancelled?.outcome, [list, page])
gesture.cancel()
report("Cancelled, 0.1 and 0.2 s later", [1.6, 1.7].map(picture))
report(cancelled?.outcome, [list, page])

// The next gesture is faster, and finishes the pop.
let finished = stage.perform(at: 2) { stack.pop(animated: true) }
gesture.update(0.5)
gesture.finish(velocity: 4)
report("Finished with a velocity, after 0, 0.05 and 1 s", [2, 2.05, 3].map(picture))
report(finished?.outcome, [list, page])

// A neighbour comes from its own side.
transitions.gesture = nil
_ = try stack.push(CoursePage("drawing"), animated: false)
let neighbour = CourseNeighbour("cooking")
let replacement = try stage.perform(at: 4) {
  try stack.replaceTop(with: neighbour, operation: .select(from: 1, to: 0), animated: true)
}
report("The course before, from the left", [4, 4.1, 4.2, 5].map(picture))
print("\(stack.screens.map(\.title)), \(replacement.outcome.map { "\($0)" } ?? "running")")

/// A page that matches no other screen, so that the stack slides it.
final class CourseNeighbour: Screen {
  init(_ name: String) { super.init(title: name) }
  override func didLoad() { layer.content = Surface("    \(title.uppercased())\n\nTwo lessons") }
}

import CourseKit
import Foundation
import LearningModel
import LearningStore
import NavigationKit
import ScreenKit
import Synchronization
import TextCanvas

// Imports a course, performs steps, draws each step's transition at half its duration, receives a change that another
// program made, and prints the history. The program provides all times itself, so it always prints the same.

let course = """
  {"waymark": 1, "course": {"key": "garden", "title": "Garden", "children": [
    {"key": "soil", "title": "Soil", "children": [
      {"key": "digging", "title": "Digging", "children": [
        {"key": "tools", "title": "Tools", "reading": ["A spade and a rake."]}]}]},
    {"key": "seed", "title": "Seed", "children": [
      {"key": "sowing", "title": "Sowing", "children": [
        {"key": "depth", "title": "Depth", "reading": ["Twice the size of the seed."]}]}]}]}}
  """

/// The time of all records, in seconds since 1970.
let seconds = Mutex(1_800_000_000.0)
let clock: @Sendable () -> Timestamp = { Timestamp(date: Date(timeIntervalSince1970: seconds.withLock { $0 })) }

/// A page: the title of a place above the titles of its children. The title matches the row in the parent's page.
final class PageScreen: Screen, TransitionSource, TransitionTarget {
  private let page: PlacePage
  private let heading: Layer
  private var rows: [(id: TransitionID, layer: Layer)] = []
  /// The child that was opened or closed last.
  var selection: TransitionID?

  init(_ page: PlacePage) {
    self.page = page
    heading = Layer(content: Surface(page.place.title.uppercased()))
    super.init(title: page.place.title)
    route = AnyHashable(page.place.place)
  }

  override func didLoad() {
    layer.add(heading)
    for child in page.children {
      let row = Layer(content: Surface(child.place.title))
      rows.append((TransitionID(child.place.place), row))
      layer.add(row)
    }
  }

  override func layOut(in size: Size) {
    heading.frame = Rect(x: 0, y: 0, width: size.width, height: 1)
    for (number, row) in rows.enumerated() {
      row.layer.frame = Rect(x: 2, y: Double(number + 1), width: size.width - 2, height: 1)
    }
  }

  // The page is the source or the target of its own title and of each row.
  var sourceID: TransitionID? { selection }
  var targetIDs: [TransitionID] { [TransitionID(page.place.place)] + rows.map(\.id) }
  func sourceFrame(for id: TransitionID) -> Rect? { originalLayer(for: id)?.frame }
  func targetFrame(for id: TransitionID) -> Rect? { originalLayer(for: id)?.frame }
  func sourceLayer(for id: TransitionID) -> Layer? { originalLayer(for: id)?.snapshot() }
  func targetLayer(for id: TransitionID) -> Layer? { originalLayer(for: id)?.snapshot() }
  func originalLayer(for id: TransitionID) -> Layer? { rows.first { $0.id == id }?.layer ?? heading }
}

/// The transition of a step: a card moves, or one page replaces the other.
final class StepTransitions: TransitionProvider {
  var kind: TransitionKind?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    switch kind {
    case .siblingSlide: SlideTransition(duration: 1)
    case .crossFade, nil: CrossFadeTransition(duration: 1)
    default: MatchedTransition(from: from, to: to, duration: 1, curve: .linear)
    }
  }
}

// Two programs with the same database: this one, and another one that marks an activity as done.
let folder = FileManager.default.temporaryDirectory.appending(path: "minilearn-\(UUID())")
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appending(path: "learning.sqlite").path
let database = try LearningDatabase(.file(path))
let report = try CourseLibrary(database, now: clock).importCourse(named: "garden.json", bytes: Array(course.utf8))
print("Imported \(report.title): \(report.difference.added) added")
let ada = try NavigationService(database, learner: "ada", session: .named("minilearn"), now: clock)
let other = try NavigationService(databaseAt: path, learner: "ada", session: .named("other"), now: clock)

let stack = StackScreen(root: PageScreen(try ada.places.page()))
let transitions = StepTransitions()  // The stack refers to it weakly.
stack.transitions = transitions
let stage = Stage(size: CellSize(columns: 12, rows: 3), rootScreen: stack)
var compositor = Compositor()
var time = 0.0

/// Performs a step, and then shows it. A step is recorded before its animation begins.
@MainActor func go(_ request: NavigationRequest) throws {
  seconds.withLock { $0 += 60 }
  let step = try ada.perform(request, cause: .key, animated: true)
  print("\n\(request): \(step.message ?? step.to.path.description)")
  guard stack.screens.map(\.route) != step.stack.map({ AnyHashable($0.place) }) else { return }
  transitions.kind = step.transition?.choice.kind
  for case let screen as PageScreen in stack.screens {
    screen.selection = step.transition?.node.map { TransitionID($0.place) }
  }
  let screens = try step.stack.map { place in
    try stack.screens.first { $0.route == AnyHashable(place.place) }
      ?? PageScreen(ada.places.page(of: PlaceName(place)))
  }
  _ = stage.tick(at: time)
  _ = try stack.setScreens(screens, animated: true)
  let frames = [0.5, 1.1].map { compositor.compose(stage.tick(at: time + $0), size: stage.size).surface.textRows }
  time += 2
  if let choice = step.transition?.choice { print("  \(choice.kind.rawValue), \(choice.direction?.rawValue ?? "-")") }
  for row in 0..<stage.size.rows { print("  |" + frames.map { $0[row] }.joined(separator: "|") + "|") }
}

try go(.push("garden"))
try go(.push("soil"))
try go(.next)
try go(.pop)
try go(.pop)
try go(.pop)

print("\nDone activities of the course, while another program works:")
var unread = ["garden/seed/sowing/depth", "garden/soil/digging/tools"]
for try await page in try ada.places.pages(of: "garden", every: .milliseconds(10)) {
  print("  \(page.summary.progress.done) of \(page.summary.progress.total)")
  guard let activity = unread.popLast() else { break }
  try other.progress.record(.markedDone, in: .text(activity))
}

print("\nHistory, newest first:")
for row in try ada.history.page(HistoryFilter(session: "minilearn")).rows {
  print("  \(row.at.date.formatted(.iso8601)) \(row.operation) \(row.to.title)")
}

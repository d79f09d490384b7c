import Testing
import TextCanvas

@testable import ScreenKit

/// A screen of rows, each in its own layer. One of them matches a row of another screen.
@MainActor private final class RowsScreen: Screen, TransitionSource, TransitionTarget {
  private let rows: [String]
  private let matched: String
  /// The column of all rows.
  private let column: Double
  private var layers: [Layer] = []
  /// The look of the element on this screen if it differs from that on the source.
  var targetText: String?
  /// The calls of the transition that have an identifier.
  var calls: [String] = []

  init(_ rows: [String], matched: String, column: Double = 0) {
    (self.rows, self.matched, self.column) = (rows, matched, column)
    super.init(title: rows[0])
  }

  override func didLoad() {
    layers = rows.map { row(of: $0) }
    for row in layers { layer.add(row) }
  }

  override func layOut(in size: Size) {
    for (index, row) in layers.enumerated() { row.frame = frame(ofRow: index) }
  }

  private func frame(ofRow index: Int) -> Rect { Rect(x: column, y: Double(index), width: 7 + column, height: 1) }

  private func row(of text: String) -> Layer {
    var surface = Surface(CellSize(columns: 7, rows: 1))
    surface.draw(text, at: .zero)
    return Layer(content: surface)
  }

  private var index: Int? { rows.firstIndex { $0.lowercased() == matched } }
  var sourceID: TransitionID? { TransitionID(matched) }
  var targetIDs: [TransitionID] { [TransitionID(matched)] }
  func sourceFrame(for id: TransitionID) -> Rect? { index.map(frame) }
  func targetFrame(for id: TransitionID) -> Rect? { index.map(frame) }
  func sourceLayer(for id: TransitionID) -> Layer? { index.map { row(of: rows[$0]) } }
  func targetLayer(for id: TransitionID) -> Layer? { targetText.map(row) }

  func originalLayer(for id: TransitionID) -> Layer? {
    calls.append("original \(id)")
    return index.map { layers[$0] }
  }

  func prepareAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    calls.append("prepare \(id), hidden \(hidden.count)")
  }
  func finalizeAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    calls.append("finalize \(id)")
  }
  func willStartSourceAnimation(for id: TransitionID) { calls.append("start source \(id), hidden \(hidden.count)") }
  func willStartTargetAnimation(for id: TransitionID) { calls.append("start target \(id), hidden \(hidden.count)") }
  func didEndSourceAnimation(for id: TransitionID) { calls.append("end source \(id), hidden \(hidden.count)") }
  func didEndTargetAnimation(for id: TransitionID) { calls.append("end target \(id), hidden \(hidden.count)") }

  var hidden: [Layer] { layers.filter(\.isHidden) }
  var originals: [Layer] { layers }
}

/// A list and a page of which "two" is the common element.
@MainActor private struct RowsStack {
  let list = RowsScreen(["one", "two", "three"], matched: "two")
  let page = RowsScreen(["two", "text"], matched: "two", column: 4)
  let stack: StackScreen
  let stage: Stage
  let issues = IssueLog()

  init() {
    stack = StackScreen(root: list)
    stack.transitions = MatchedStack.Matching.shared
    stage = makeStage(stack, columns: 11, rows: 3, issues: issues)
    _ = stage.tick(at: 0)
  }

  static let listRows = ["one        ", "two        ", "three      "]
  static let pageRows = ["    two    ", "    text   ", "           "]

  /// Returns the frames at each quarter of a transition.
  func frames(of transition: Transition) -> [[String]] {
    [0, 0.25, 0.5, 0.75, 1].map { fraction in
      transition.fractionComplete = fraction
      return stage.picture(at: stage.now)
    }
  }
}

@MainActor @Suite struct MatchedOriginalsTests {
  private let it = RowsStack()

  @Test(.checklist("S1.19")) func `the element is drawn once in every frame of a push and of a pop`() throws {
    let push = try it.stack.push(it.page, animated: true)
    let forward = it.frames(of: push)
    push.finish()
    it.stage.advance(to: 5)
    let pop = try #require(it.stack.pop(animated: true))
    let back = it.frames(of: pop)

    #expect(
      strips(forward) == [
        "one        |one        |           |   two     |    two    ",
        "two        | two       |  two      |    text   |    text   ",
        "three      |three      |           |           |           ",
      ])
    #expect(strips(back) == strips(Array(forward.reversed())))
    for frame in forward + back {
      #expect(frame.joined().ranges(of: "two").count == 1, "\(frame)")
    }
  }

  @Test(.checklist("S1.19"))
  func `the originals are hidden between the start and end callbacks, which have the identifier`() throws {
    try it.stack.push(it.page, animated: true)
    let began = (it.list.calls, it.page.calls)
    (it.list.calls, it.page.calls) = ([], [])
    it.stage.advance(to: 1)

    #expect(
      began.0 == ["start source two, hidden 0", "original two", "prepare two, hidden 1", "finalize two"])
    #expect(began.1 == ["start target two, hidden 0", "original two"])
    #expect(it.list.calls == ["end source two, hidden 0"])
    #expect(it.page.calls == ["end target two, hidden 0"])
    #expect(it.issues.all == [])
  }

  @Test(
    .checklist("S1.19", "X.2", "X.6"),
    arguments: [
      "finish", "cancel", "skip", "reversed", "pop", "push", "root", "no root", "resize", "container pops", "tiny",
    ], [0.1, 0.6])
  func `both originals are visible after every outcome`(outcome: String, time: Double) throws {
    let push = try it.stack.push(it.page, animated: true)
    it.stage.advance(to: time)
    let isHidden = it.list.hidden.count == 1 && it.page.hidden.count == 1
    switch outcome {
    case "cancel": push.cancel()
    case "skip": push.skip()
    case "reversed":
      push.cancel()
      it.stage.advance(to: time + 0.05)
      push.pause()
      push.finish()
    case "pop": it.stack.pop(animated: true)
    case "push": try it.stack.push(RowsScreen(["other"], matched: "none"), animated: true)
    case "root": try it.stack.setScreens([RowsScreen(["other"], matched: "none")], animated: true)
    case "no root": it.stage.rootScreen = nil
    case "resize": it.stage.resize(to: CellSize(columns: 20, rows: 4))
    case "container pops":
      it.stage.rootScreen = nil
      it.stage.rootScreen = it.stack
    case "tiny": it.stage.resize(to: CellSize(columns: 1, rows: 1))
    default: push.finish()
    }
    it.stage.advance(to: time + 5)

    #expect(isHidden)
    #expect(it.list.hidden.isEmpty && it.page.hidden.isEmpty)
    #expect(it.list.calls.filter { $0.hasPrefix("end source") }.count == 1)
    #expect(it.issues.all == [])
    if ["cancel", "pop"].contains(outcome) { #expect(it.stage.picture(at: 10) == RowsStack.listRows) }
    if ["finish", "skip", "reversed"].contains(outcome) { #expect(it.stage.picture(at: 10) == RowsStack.pageRows) }
  }

  @Test func `the originals are visible when their screens appear on another stage`() throws {
    let (list, page) = (RowsScreen(["one", "two"], matched: "two"), RowsScreen(["two"], matched: "two", column: 4))
    let stack = StackScreen(root: list)
    stack.transitions = MatchedStack.Matching.shared
    var stage: Stage? = makeStage(stack, columns: 11)
    try stack.push(page, animated: true)
    stage?.advance(to: 0.3)
    stage = nil

    let next = makeStage(stack, columns: 11)
    let pushed = next.picture(at: 0)
    stack.pop(animated: false)

    #expect(pushed == ["    two    ", "           "])
    #expect(next.picture(at: 1) == ["one        ", "two        "])
  }

  @Test func `a layer that the screen has hidden stays hidden`() throws {
    let original = it.list.originals[1]
    original.isHidden = true

    let push = try it.stack.push(it.page, animated: true)
    push.cancel()
    it.stage.advance(to: 3)

    #expect(original.isHidden)
    #expect(!it.page.originals[0].isHidden)
  }

  @Test func `the element is drawn once over a presenter that stays visible`() throws {
    it.page.presentationStyle = .custom
    it.page.transitions = MatchedStack.Matching.shared

    let present = try it.list.present(it.page, animated: true)
    let frames = it.frames(of: present)
    present.finish()
    it.stage.advance(to: 3)

    for frame in frames {
      #expect(frame.joined().ranges(of: "two").count == 1, "\(frame)")
    }
    #expect(it.list.hidden.isEmpty && it.page.hidden.isEmpty)
  }
}

@MainActor @Suite struct CrossFadingMatchTests {
  private let it: RowsStack
  init() {
    it = RowsStack()
    it.page.targetText = "TWO"
    it.list.targetText = "two"
  }

  /// The presented looks of the element on the source and on the target.
  private func looks() throws -> [LayerState] {
    _ = it.stage.tick(at: it.stage.now)
    let element = try #require(it.stack.layer.sublayers.last { $0.identity == TransitionID("two") })
    return element.sublayers[0].sublayers.map(\.presentation)
  }

  private func look() -> String { it.stage.picture(at: it.stage.now).joined() }

  @Test func `the look on the source fades into the look on the target`() throws {
    let push = try it.stack.push(it.page, animated: true)
    let looks = [0, 0.25, 0.75, 1].map { fraction in
      push.fractionComplete = fraction
      let text = look()
      return (text.contains("two"), text.contains("TWO"))
    }

    #expect(looks.map(\.0) == [true, true, false, false])
    #expect(looks.map(\.1) == [false, false, true, true])
  }

  @Test func `both looks keep their opacity and size when a pop interrupts the push`() throws {
    try it.stack.push(it.page, animated: true)
    it.stage.advance(to: 0.4)
    let before = try looks()

    it.stack.pop(animated: true)
    let after = try looks()
    it.stage.advance(to: 5)

    #expect(abs(before[0].opacity - 0.6) < 1e-9 && abs(before[1].opacity - 0.4) < 1e-9)
    #expect(abs(after[0].opacity - 0.4) < 1e-9 && abs(after[1].opacity - 0.6) < 1e-9)
    for (old, new) in zip(before, after) { #expect(abs(old.frame.width - new.frame.width) < 1e-9) }
    #expect(look().contains("two") && it.list.hidden.isEmpty && it.page.hidden.isEmpty)
    #expect(it.issues.all == [])
  }

  @Test func `a target layer in use is reported, and the element keeps its look`() throws {
    final class Busy: Screen, TransitionTarget {
      let usedLayer = Layer()
      var targetIDs: [TransitionID] { [TransitionID("two")] }
      override func didLoad() { layer.add(usedLayer) }
      func targetFrame(for id: TransitionID) -> Rect? { Rect(x: 4, y: 0, width: 7, height: 1) }
      func targetLayer(for id: TransitionID) -> Layer? { usedLayer }
    }

    let push = try it.stack.push(Busy(title: "busy"), animated: true)
    push.fractionComplete = 1

    #expect(look().contains("two"))
    #expect(it.issues.all == [.targetLayerInUse(screen: "busy")])
  }

  @Test func `both looks fill the element after a resize during the transition`() throws {
    let push = try it.stack.push(it.page, animated: true)
    push.fractionComplete = 0.5

    it.stage.resize(to: CellSize(columns: 20, rows: 4))
    let element = try #require(it.stack.layer.sublayers.last)

    for look in try looks() { #expect(look.frame == Rect(origin: .zero, size: element.presentation.size)) }
  }
}

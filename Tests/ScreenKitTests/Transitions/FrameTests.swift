import Motion
import Testing
import TextCanvas

@testable import ScreenKit

/// A screen of drawn rows; what is wide in them takes two columns.
@MainActor final class DrawnScreen: Screen, TransitionSource, TransitionTarget {
  let rows: [String]
  let card: Rect

  init(_ rows: [String], card: Rect = .zero) {
    self.rows = rows
    self.card = card
    super.init()
  }

  override func didLoad() {
    layer.fill = .default
    layer.drawing = { [rows] state in
      var surface = Surface(state.cells.size)
      for (row, text) in rows.enumerated() { surface.draw(text, at: CellPoint(column: 0, row: row)) }
      return surface
    }
  }

  var sourceID: TransitionID? { TransitionID("card") }
  var targetIDs: [TransitionID] { [TransitionID("card")] }
  func sourceFrame(for id: TransitionID) -> Rect? { card }
  func targetFrame(for id: TransitionID) -> Rect? { card }

  func sourceLayer(for id: TransitionID) -> Layer? {
    let layer = Layer()
    layer.drawing = { state in
      var surface = Surface(state.cells.size)
      surface.draw("[" + String(repeating: "=", count: max(0, surface.columns - 2)) + "]", at: .zero)
      return surface
    }
    return layer
  }
}

/// The pictures of a transition at 0, ¼, ½, ¾ and 1. Nothing is asked but two screens and fractions.
@MainActor func pictures(
  of animator: any AnimatedTransitioning, from: Screen, to: Screen, going back: Bool = false, columns: Int = 12,
  rows: Int = 3
) throws -> [[String]] {
  @MainActor final class Vendor: TransitionProvider {
    let animator: any AnimatedTransitioning
    init(_ animator: any AnimatedTransitioning) { self.animator = animator }
    func animationController(
      for operation: TransitionOperation, from: Screen, to: Screen
    ) -> (any AnimatedTransitioning)? { animator }
  }
  let vendor = Vendor(animator)
  let stack = StackScreen(root: back ? to : from)
  if back { try stack.push(from, animated: false) }
  stack.transitions = vendor
  let stage = makeStage(stack, columns: columns, rows: rows)
  let transition = try #require(back ? stack.pop(animated: true) : try stack.push(to, animated: true))
  let seen = [0, 0.25, 0.5, 0.75, 1].map { fraction in
    transition.fractionComplete = fraction
    return stage.picture(at: 0)
  }
  return seen
}

@MainActor @Suite struct FrameTests {
  private func makeScreens() -> (DrawnScreen, DrawnScreen) {
    (
      DrawnScreen(["one two 三四 ", "five 六seven", "eight nine"], card: Rect(x: 0, y: 2, width: 4, height: 1)),
      DrawnScreen(["ALPHA BETA", "GAMMA 漢字 D", "E"], card: Rect(x: 2, y: 0, width: 10, height: 1))
    )
  }

  @Test func `a cross-fade`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: CrossFadeTransition(), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          "            ",
          "            ",
          "            ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `a slide`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: SlideTransition(), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          " two 三四ALP",
          "e 六sevenGAM",
          "ht nine  E  ",
        ],
        [
          "o 三四ALPHA ",
          " sevenGAMMA ",
          "nine  E     ",
        ],
        [
          " 四ALPHA BET",
          "venGAMMA 漢 ",
          "e  E        ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `a slide on a spring`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: SpringSlideTransition(gap: 2), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          " two 三四  A",
          "e 六seven  G",
          "ht nine    E",
        ],
        [
          " 三四  ALPHA",
          "seven  GAMMA",
          "ine    E    ",
        ],
        [
          "四  ALPHA BE",
          "en  GAMMA 漢",
          "    E       ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `a zoom`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: ZoomTransition(), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          "ALPHA BETA  ",
          "GAonAto  四D",
          "E eihtnin   ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMAt漢字 D",
          "E  egtnie   ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMAt漢字 D",
          "E           ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `a flip`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: FlipTransition(), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          "  oe wo三   ",
          "  fve六evn  ",
          "  egh nne   ",
        ],
        [
          "            ",
          "            ",
          "            ",
        ],
        [
          "  APH BTA   ",
          "  GMM  字D  ",
          "  E         ",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `a cover`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: CoverTransition(), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "eight nine  ",
        ],
        [
          "one two 三四",
          "five 六seven",
          "ALPHA BETA  ",
        ],
        [
          "one two 三四",
          "five 六seven",
          "ALPHA BETA  ",
        ],
        [
          "one two 三四",
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
        ],
        [
          "ALPHA BETA  ",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `a match`() throws {
    let (from, to) = makeScreens()

    let seen = try pictures(of: #require(MatchedTransition(from: from, to: to)), from: from, to: to)

    #expect(
      seen == [
        [
          "one two 三四",
          "five 六seven",
          "[==]t nine  ",
        ],
        [
          "one two 三四",
          "five 六seven",
          "e[===]nine  ",
        ],
        [
          "            ",
          " [=====]    ",
          "            ",
        ],
        [
          "ALPHA BETA  ",
          "G[=======] D",
          "E           ",
        ],
        [
          "AL[========]",
          "GAMMA 漢字 D",
          "E           ",
        ],
      ])
  }

  @Test func `going back, a slide is the same the other way round`() throws {
    let (from, to) = makeScreens()
    let forward = try pictures(of: SlideTransition(), from: to, to: from)

    #expect(try pictures(of: SlideTransition(), from: from, to: to, going: true) == forward.reversed())
  }

  @Test(arguments: TransitionCatalog.allCases)
  func `every frame is the same on every run, and wide characters stay whole`(kind: TransitionCatalog) throws {
    func draw() throws -> [[String]] {
      let (from, to) = makeScreens()
      return try pictures(of: #require(kind.makeAnimator(from: from, to: to)), from: from, to: to)
    }

    let seen = try draw()

    #expect(try draw() == seen)
    #expect(seen.allSatisfy { picture in picture.allSatisfy { $0.displayWidth == 12 } })
  }
}

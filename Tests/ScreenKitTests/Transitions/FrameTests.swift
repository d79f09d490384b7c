import Snapshots
import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the frames of every animator at the fractions 0, ¼, ½, ¾ and 1.
@MainActor @Suite struct FrameTests {
  private func makeScreens() -> (DrawnScreen, DrawnScreen) {
    (
      DrawnScreen(["one two 三四 ", "five 六seven", "eight nine"], card: Rect(x: 0, y: 2, width: 4, height: 1)),
      DrawnScreen(["ALPHA BETA", "GAMMA 漢字 D", "E"], card: Rect(x: 2, y: 0, width: 10, height: 1))
    )
  }

  /// Makes collections whose items draw their names.
  private func makeCollections() -> (CollectionScreen, CollectionScreen) {
    let items = CollectionItems(["漢字", "two", "iii", "四"].map { TransitionID($0) }) { id in
      let layer = Layer()
      layer.drawing = { state in
        var surface = Surface(state.cells.size)
        surface.draw("\(id)", at: .zero)
        return surface
      }
      return layer
    }
    return (CollectionScreen(items, layout: ListLayout()), CollectionScreen(items, layout: GridLayout(across: 2)))
  }

  @Test(arguments: TransitionCatalog.allCases, [false, true])
  func `the frames show both screens on their way`(kind: TransitionCatalog, goingBack: Bool) throws {
    let name = goingBack ? "\(kind) back" : "\(kind)"
    if kind == .layout {
      let (list, grid) = makeCollections()
      let (from, to) = goingBack ? (grid, list) : (list, grid)
      expectSnapshot(strips(try pictures(of: LayoutTransition(), from: from, to: to, going: goingBack, rows: 4)), name)
    } else {
      let (from, to) = makeScreens()
      let animator: any AnimatedTransitioning =
        try kind == .springSlide ? SpringSlideTransition(gap: 2) : #require(kind.makeAnimator(from: from, to: to))
      expectSnapshot(strips(try pictures(of: animator, from: from, to: to, going: goingBack)), name)
    }
  }

  @Test func `a slide back shows the frames of a slide forward in reverse order`() throws {
    let (from, to) = makeScreens()
    let forward = try pictures(of: SlideTransition(), from: to, to: from)

    #expect(try pictures(of: SlideTransition(), from: from, to: to, going: true) == forward.reversed())
  }

  @Test(arguments: TransitionCatalog.allCases)
  func `frames are reproducible and keep wide characters whole`(kind: TransitionCatalog) throws {
    func draw() throws -> [[String]] {
      let (from, to) = makeScreens()
      return try pictures(of: #require(kind.makeAnimator(from: from, to: to)), from: from, to: to)
    }

    let frames = try draw()

    #expect(try draw() == frames)
    #expect(frames.allSatisfy { picture in picture.allSatisfy { $0.displayWidth == 12 } })
  }
}

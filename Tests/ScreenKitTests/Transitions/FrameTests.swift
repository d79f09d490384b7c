import Testing
import TextCanvas

@testable import ScreenKit

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

  @Test func `a cross-fade dissolves the old screen into the new one`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: CrossFadeTransition(), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四|ALPHA BETA  |ALPHA BETA  |ALPHA BETA  |ALPHA BETA  ",
        "five 六seven|five 六seven|GAMMA 漢字 D|GAMMA 漢字 D|GAMMA 漢字 D",
        "eight nine  |eight nine  |eight nine  |eight nine  |E           ",
      ])
  }

  @Test func `a cross-fade has the same frames when going back`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: CrossFadeTransition(), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|ALPHA BETA  |ALPHA BETA  |ALPHA BETA  |ALPHA BETA  ",
        "five 六seven|five 六seven|GAMMA 漢字 D|GAMMA 漢字 D|GAMMA 漢字 D",
        "eight nine  |eight nine  |eight nine  |eight nine  |E           ",
      ])
  }

  @Test func `a slide moves both screens to the left`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: SlideTransition(), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四| two 三四ALP|o 三四ALPHA | 四ALPHA BET|ALPHA BETA  ",
        "five 六seven|e 六sevenGAM| sevenGAMMA |venGAMMA 漢 |GAMMA 漢字 D",
        "eight nine  |ht nine  E  |nine  E     |e  E        |E           ",
      ])
  }

  @Test func `a slide moves both screens to the right when going back`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: SlideTransition(), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|A  one two  |BETA  one tw|HA BETA  one|ALPHA BETA  ",
        "five 六seven|  Dfive 六se|漢字 Dfive  |MA 漢字 Dfiv|GAMMA 漢字 D",
        "eight nine  |   eight nin|      eight |         eig|E           ",
      ])
  }

  @Test func `a spring slide moves both screens to the left with a gap`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: SpringSlideTransition(gap: 2), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四| two 三四  A| 三四  ALPHA|四  ALPHA BE|ALPHA BETA  ",
        "five 六seven|e 六seven  G|seven  GAMMA|en  GAMMA 漢|GAMMA 漢字 D",
        "eight nine  |ht nine    E|ine    E    |    E       |E           ",
      ])
  }

  @Test func `a spring slide moves both screens to the right when going back`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: SpringSlideTransition(gap: 2), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|    one two |ETA    one t|HA BETA    o|ALPHA BETA  ",
        "five 六seven| D  five 六s| 字 D  five |MA 漢字 D  f|GAMMA 漢字 D",
        "eight nine  |    eight ni|       eight|           e|E           ",
      ])
  }

  @Test func `a zoom shrinks the old screen while the new one dissolves in`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: ZoomTransition(), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四|ALPHA BETA  |ALPHA BETA  |ALPHA BETA  |ALPHA BETA  ",
        "five 六seven|GAonAto  四D|GAMMAt漢字 D|GAMMAt漢字 D|GAMMA 漢字 D",
        "eight nine  |E eihtnin   |E  egtnie   |E           |E           ",
      ])
  }

  @Test func `a zoom going back shrinks the old screen above the new`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: ZoomTransition(), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|ALPHA BETA  |ALPHA BETA  |ALPHA BETA  |ALPHA BETA  ",
        "five 六seven|GAon to  四D|GAMoeto    D|GAMMot  字 D|GAMMA 漢字 D",
        "eight nine  |E eihtnin   |E  egtnie   |E           |E           ",
      ])
  }

  @Test func `a flip narrows the old screen and then widens the new one`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: FlipTransition(), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四|  oe wo三   |            |  APH BTA   |ALPHA BETA  ",
        "five 六seven|  fve六evn  |            |  GMM  字D  |GAMMA 漢字 D",
        "eight nine  |  egh nne   |            |  E         |E           ",
      ])
  }

  @Test func `a flip back shows the same text as a flip forward`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: FlipTransition(), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|  oe wo三   |            |  APH BTA   |ALPHA BETA  ",
        "five 六seven|  fve六evn  |            |  GMM  字D  |GAMMA 漢字 D",
        "eight nine  |  egh nne   |            |  E         |E           ",
      ])
  }

  @Test func `a cover moves the new screen up over the old one`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: CoverTransition(), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四|one two 三四|one two 三四|one two 三四|ALPHA BETA  ",
        "five 六seven|five 六seven|five 六seven|ALPHA BETA  |GAMMA 漢字 D",
        "eight nine  |ALPHA BETA  |ALPHA BETA  |GAMMA 漢字 D|E           ",
      ])
  }

  @Test func `a cover moves the old screen down when going back`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: CoverTransition(), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|ALPHA BETA  |ALPHA BETA  |ALPHA BETA  |ALPHA BETA  ",
        "five 六seven|one two 三四|GAMMA 漢字 D|GAMMA 漢字 D|GAMMA 漢字 D",
        "eight nine  |five 六seven|one two 三四|one two 三四|E           ",
      ])
  }

  @Test func `a matched transition moves the card to its new frame`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: #require(MatchedTransition(from: from, to: to)), from: from, to: to)

    #expect(
      strips(frames) == [
        "one two 三四|one two 三四|            |ALPHA BETA  |AL[========]",
        "five 六seven|five 六seven| [=====]    |G[=======] D|GAMMA 漢字 D",
        "[==]t nine  |e[===]nine  |            |E           |E           ",
      ])
  }

  @Test func `a matched transition has the same frames when going back`() throws {
    let (from, to) = makeScreens()

    let frames = try pictures(of: #require(MatchedTransition(from: from, to: to)), from: from, to: to, going: true)

    #expect(
      strips(frames) == [
        "one two 三四|one two 三四|            |ALPHA BETA  |AL[========]",
        "five 六seven|five 六seven| [=====]    |G[=======] D|GAMMA 漢字 D",
        "[==]t nine  |e[===]nine  |            |E           |E           ",
      ])
  }

  @Test func `a layout transition moves the items from list to grid`() throws {
    let (list, grid) = makeCollections()

    let frames = try pictures(of: LayoutTransition(), from: list, to: grid, rows: 4)

    #expect(
      strips(frames) == [
        "漢字        |漢字        |漢字        |漢字two     |漢字  two   ",
        "two         |  two       |   two      |iii         |iii   四    ",
        "iii         |iii         |iii四       |    四      |            ",
        "四          |  四        |            |            |            ",
      ])
  }

  @Test func `a layout transition moves the items back to the list`() throws {
    let (list, grid) = makeCollections()

    let frames = try pictures(of: LayoutTransition(), from: grid, to: list, going: true, rows: 4)

    #expect(
      strips(frames) == [
        "漢字  two   |漢字 two    |漢字        |漢字        |漢字        ",
        "iii   四    |iii         |   two      |  two       |two         ",
        "            |     四     |iii四       |iii         |iii         ",
        "            |            |            |  四        |四          ",
      ])
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

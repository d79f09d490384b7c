import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the frames of custom presentations at the fractions 0, ¼, ½, ¾ and 1. The presenter stays visible.
@MainActor @Suite struct PresenterFrameTests {
  /// Returns the frames next to each other. The presented screen leaves the second row empty.
  private func seen(_ kind: TransitionCatalog, leaving: Bool = false) throws -> [String] {
    let presenter = DrawnScreen(
      ["one two 三四 ", "five 六seven", "eight nine"], card: Rect(x: 0, y: 2, width: 4, height: 1))
    let modal = DrawnScreen(["ALPHA BETA", "", "漢字 D"], card: Rect(x: 2, y: 0, width: 10, height: 1))
    let animator = try #require(
      leaving ? kind.makeAnimator(from: modal, to: presenter) : kind.makeAnimator(from: presenter, to: modal))
    let provider = TracingProvider()
    provider.animator = { _ in animator }
    modal.presentationStyle = .custom
    modal.transitions = provider
    modal.layer.fill = nil
    let stage = makeStage(presenter, columns: 12, rows: 3)
    if leaving { try presenter.present(modal, animated: false) }
    let transition = leaving ? modal.dismiss(animated: true) : try presenter.present(modal, animated: true)
    return strips(
      [0, 0.25, 0.5, 0.75, 1].map { fraction in
        transition?.fractionComplete = fraction
        return stage.picture(at: 0)
      })
  }
  @Test(.checklist("S2.15")) func `a cross-fade dissolves the modal over its presenter`() throws {
    #expect(
      try seen(.crossFade) == [
        "one two 三四|oneHtwoE三四|ALPHAwBETA四|ALPHAwBETA四|ALPHA BETA四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "eight nine  |eightDnine  |漢字tDnine  |漢字tDnine  |漢字 Dnine  ",
      ])
    #expect(
      try seen(.crossFade, leaving: true) == [
        "ALPHA BETA四|ALPHAwBETA四|ALPHAwBETA四|oneHtwoE三四|one two 三四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "漢字 Dnine  |漢字tDnine  |漢字tDnine  |eightDnine  |eight nine  ",
      ])
  }

  @Test(.checklist("S2.15")) func `a spring slide moves the modal over its presenter`() throws {
    #expect(
      try seen(.springSlide) == [
        "one two 三四|one two 三四|one two 三四|one twoALPHA|ALPHA BETA四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "eight nine  |eight nine  |eight nine  |eight n漢字 |漢字 Dnine  ",
      ])
    #expect(
      try seen(.springSlide, leaving: true) == [
        "ALPHA BETA四|ETA two 三四|one two 三四|one two 三四|one two 三四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "漢字 Dnine  |eight nine  |eight nine  |eight nine  |eight nine  ",
      ])
  }

  @Test(.checklist("S2.15")) func `a zoom dissolves the modal in and shrinks it when dismissed`() throws {
    #expect(
      try seen(.zoom) == [
        "one two 三四|oneHtwoE三四|ALPHAwBETA四|ALPHAwBETA四|ALPHA BETA四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "eight nine  |eightDnine  |漢字tDnine  |漢字tDnine  |漢字 Dnine  ",
      ])
    #expect(
      try seen(.zoom, leaving: true) == [
        "ALPHA BETA四|one two 三四|one two 三四|one two 三四|one two 三四",
        "five 六seven|fiALHABETven|fivAPABEAven|fiveAAEseven|five 六seven",
        "漢字 Dnine  |ei漢  nine  |eig   nine  |eight nine  |eight nine  ",
      ])
  }

  @Test(.checklist("S2.15")) func `a flip turns the modal above its presenter`() throws {
    #expect(
      try seen(.flip) == [
        "one two 三四|one AHBT三四|onAPH BTA 四|oALPHABETA四|ALPHA BETA四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "eight nine  |eigh漢nine  |ei 字Dnine  |e漢字 nine  |漢字 Dnine  ",
      ])
    #expect(
      try seen(.flip, leaving: true) == [
        "ALPHA BETA四|oALPHABETA四|onAPH BTA 四|one AHBT三四|one two 三四",
        "five 六seven|five 六seven|five 六seven|five 六seven|five 六seven",
        "漢字 Dnine  |e漢字 nine  |ei 字Dnine  |eigh漢nine  |eight nine  ",
      ])
  }

  @Test(.checklist("S2.15")) func `a matched transition moves the card above the presenter`() throws {
    #expect(
      try seen(.matched) == [
        "one two 三四|oneHtwoE三四|ALPHAwBETA四|ALPHAwBETA四|AL[========]",
        "five 六seven|five 六seven|f[=====]even|f[=======]en|five 六seven",
        "[==]t nine  |e[===]nine  |漢字tDnine  |漢字tDnine  |漢字 Dnine  ",
      ])
    #expect(
      try seen(.matched, leaving: true) == [
        "AL[========]|ALPHAwBETA四|ALPHAwBETA四|oneHtwoE三四|one two 三四",
        "five 六seven|fi[======]en|f[=====]even|f[===] seven|five 六seven",
        "漢字 Dnine  |漢字tDnine  |漢字tDnine  |eightDnine  |[==]t nine  ",
      ])
  }

  @Test(arguments: TransitionCatalog.allCases)
  func `the first frame shows the presenter alone, the last one also the modal`(
    kind: TransitionCatalog
  ) throws {
    let (arriving, leaving) = (try seen(kind), try seen(kind, leaving: true))
    let frames = (arriving + leaving).flatMap { $0.split(separator: "|") }

    #expect(frames.count == 30)
    #expect(frames.allSatisfy { $0.displayWidth == 12 })
    #expect(arriving[1].hasPrefix("five 六seven|") && leaving[1].hasSuffix("|five 六seven"))
  }
}

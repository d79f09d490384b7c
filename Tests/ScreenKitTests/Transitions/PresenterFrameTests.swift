import Snapshots
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

  @Test(.checklist("S2.15"), arguments: [TransitionCatalog.crossFade, .springSlide, .zoom, .flip, .matched])
  func `the frames show the modal above its presenter`(kind: TransitionCatalog) throws {
    expectSnapshot(try seen(kind), "\(kind)")
    expectSnapshot(try seen(kind, leaving: true), "\(kind) leaving")
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

import Foundation
import ScreenKit
import Testing
import TextCanvas

/// Uses all public types in a file that imports Foundation. An ambiguous name does not compile.
@MainActor @Suite struct FoundationNamesTests {
  private static let types: [Any.Type] = [
    (any AnimatedTransitioning).self, Animator.self, AppearanceCall.self, AppearanceState.self, CollectionItems.self,
    (any CollectionLayout).self, CollectionScreen.self, ContainmentError.self, ContentScreen.self,
    CoverTransition.self, CrossFadeTransition.self, FlipTransition.self, GridLayout.self,
    (any InteractiveTransitioning).self, Keyframe.self, Layer.self, LayerKey.self, LayerProperty.self,
    LayerState.self, LayoutTransition.self, ListLayout.self, MatchedTransition.self, MotionError.self,
    MotionPreference.self, PanRecogniser.self, PercentDrivenCompletion.self, PercentDrivenInteractiveTransition.self,
    PresentationStyle.self, RubberBand.self, ScheduledCall.self, Screen.self, ScreenIssue.self, SkipReason.self,
    SlideTransition.self, Spring.self, SpringSlideTransition.self, StackScreen.self, Stage.self, StageClock.self,
    TabScreen.self, TimingCurve.self, Transition.self, TransitionCatalog.self, (any TransitionContext).self,
    (any TransitionCoordinator).self, (any TransitionEndpoint).self, TransitionID.self, TransitionOperation.self,
    TransitionOutcome.self, (any TransitionProvider).self, (any TransitionSource).self, (any TransitionTarget).self,
    Tween.self, UnitBezier.self, ZoomTransition.self, Attributes.self, Cell.self, CellPoint.self, CellRect.self,
    CellSize.self, Colour.self, ColourDepth.self, Compositor.self, DisplayWidth.self, Dissolve.self, FadeRamp.self,
    Fading.self, Frame.self, Glyph.self, Hyperlink.self, InputEvent.self, Key.self, KeyEvent.self, KeyModifiers.self,
    MouseEvent.self, OpacityLevels.self, PageColours.self, Point.self, Rect.self, RegionShift.self, RenderNode.self,
    Size.self, Style.self, StyledLine.self, StyledRun.self, StyledText.self, Surface.self, Transform.self,
  ]

  @Test(arguments: ["ScreenKit", "TextCanvas"]) func `all public types can be used in a file that imports Foundation`(
    module: String
  ) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/\(module)")
    var declared: Set<String> = []

    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where line.contains("public") || line.contains("open") {
        let declaration = /^(?:@\w+ )*(?:public|open) (?:final )?(?:class|struct|enum|protocol|typealias) (\w+)/
        if let name = line.firstMatch(of: declaration)?.output.1 { declared.insert(String(name)) }
      }
    }

    #expect(declared.count > 10)
    #expect(declared.subtracting(Self.types.map { "\($0)".replacing("any ", with: "") }).sorted() == [])
    #expect(!declared.contains(module))
  }
}

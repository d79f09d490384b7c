import CourseKit
import Foundation
import LearningModel
import LearningStore
import NavigationKit
import Images
import ScreenKit
import TerminalIO
import Testing
import TextCanvas

/// Uses all public types of the libraries in a file that imports Foundation. An ambiguous name does not compile.
@MainActor @Suite struct FoundationNamesTests {
  private static let types: [String: [Any.Type]] = [
    "CourseKit": [
      CourseRow.self, CourseLibrary.self, CourseLibraryError.self, FormatDescription.self, CourseSnapshot.self,
      FoundPlace.self, ImportCancellation.self, ImportOptions.self, ImportProgress.self, ImportRefusal.self,
      ImportReport.self, JoinedPlace.self, JoinEvidence.self, RemovedPlace.self, RenamingObstacle.self, SearchHit.self,
      SearchInterruption.self,
      SearchResult.self,
      SourceWatch.self, PlaceRow.self,
    ],
    "LearningModel": [
      ActivityContent.self, ActivityEventKind.self, ActivityType.self, Admonition.self, AnchoredText.self, Block.self,
      ColumnAlignment.self, ContentCounts.self, ContentKind.self, ContentNode.self, ContentTab.self, CourseOrigin.self,
      DatabaseContents.self, DatabaseProblem.self, Definition.self, Diagnostic.self, DifferenceCounts.self,
      Exercise.self, ExerciseFile.self, (any ExplainedError).self, FailureKind.self, Flashcard.self, Inline.self,
      StoredImage.self, Learner.self,
      LearnerID.self, LearningProgress.self, ListItem.self, Loss.self, NavigationCause.self, NavigationOperation.self,
      NodeChange.self, NodeID.self, Note.self, NoteAnchor.self, (any OpenVocabulary).self, Place.self, PlaceKind.self,
      PlacePath.self, PlaceRecord.self, PlaceReference.self, QuizQuestion.self, Remedy.self, RestoredDatabase.self,
      KeptRecords.self,
      Session.self,
      SessionID.self, Snippet.self, TextMatches.self, TextPassage.self, Timestamp.self, TransitionChoice.self,
      TransitionDirection.self, TransitionKind.self, TransitionReason.self, CardFaces.self, CardInterval.self,
      CardMemory.self, CardOutcome.self, CardPhase.self, CardRating.self, CardState.self, IntervalFuzz.self,
      MemoryModel.self, ReviewDay.self, ReviewRules.self, ReviewScheduler.self,
    ],
    "LearningStore": [
      LearningDatabase.self, LearningDatabaseError.self,
    ],
    "NavigationKit": [
      CardAnswer.self, CardID.self, CardRow.self, ForecastDay.self, MonthRetention.self,
      ReviewCard.self, ReviewDaySummary.self, ReviewFit.self, ReviewLogRow.self, ReviewOverview.self, ReviewPeriod.self,
      ReviewSettings.self, ReviewSettingsChange.self, WaitingReviews.self, ActivityAttempt.self, ActivityState.self,
      ChildSummaries.self, CourseEnd.self, CoursePlaces.self, CurrentLocation.self,
      DatabaseChanges.self, Erasure.self, ExerciseCheck.self, EventStamp.self, HistoryCriteria.self,
      HistoryCriterion<Int>.self,
      HistoryCursor.self, HistoryFilter.self, HistoryPage.self, HistoryRow.self, HistoryTime.self, LastAnswers.self,
      LearnerCards.self, LearnerChanges.self, LearnerHistory.self, LearnerImport.self, LearnerNotes.self,
      LearnerProgress.self,
      LearnerReviews.self, LearnerScope.self, Learners.self, SessionChoice.self, ActivityEventContent.self,
      LearningStatement.self, LeavingRow.self,
      NamedPlace.self,
      NavigationError.self, NavigationRequest.self, NavigationService.self, NavigationStep.self, NextPlace.self,
      NextStep.self, PageChanges.self, PastLocation.self, PlaceName.self, PlacePage.self, PlaceSummary.self,
      PlacedNote.self, ProgressRow.self, QuizAttempt.self, QuizResult.self, ReadingPosition.self, RecentPlace.self,
      ResumePoint.self, SiblingPosition.self, StatisticsGroup.self, StatisticsRow.self, StepTransition.self,
      TransitionTable.self, UndoneChange.self, UnfinishedQuiz.self, VisitOutcome.self,
    ],
    "Images": [
      CellPixels.self, KittyImage.self, PixelImage.self, ImageError.self, ImageHeader.self, ImageFormat.self,
      ImageLimits.self, SixelImage.self,
    ],
    "ScreenKit": [
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
      Tween.self, UnitBezier.self, ZoomTransition.self,
    ],
    "TerminalIO": [
      AnsiDrawing.self, Capabilities.self, EndingSignal.self, MonotonicClock.self, PlainTextDrawing.self,
      SvgDrawing.self, TerminalEnvironment.self, TerminalError.self, TerminalEvent.self, TerminalOptions.self,
      TerminalImage.self, TerminalSession.self,
    ],
    "TextCanvas": [
      Attributes.self, Cell.self, CellPoint.self, CellRect.self, CellSize.self, Colour.self, ColourDepth.self,
      Compositor.self, DisplayWidth.self, Dissolve.self, FadeRamp.self, Fading.self, Frame.self, Glyph.self,
      Hyperlink.self, InputEvent.self, Key.self, KeyEvent.self, KeyModifiers.self, MouseEvent.self, OpacityLevels.self,
      PageColours.self, Point.self, Rect.self, RegionShift.self, RenderNode.self, Size.self, Style.self,
      StyledLine.self, StyledRun.self, StyledText.self, Surface.self, Transform.self,
    ],
  ]

  @Test(arguments: [
    "CourseKit", "LearningModel", "LearningStore", "NavigationKit", "Images", "ScreenKit", "TerminalIO", "TextCanvas",
  ]) func `all public types can be used in a file that imports Foundation`(
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
        let declaration =
          /^(?:@\w+ )*(?:public|open) (?:final |indirect )?(?:class|struct|enum|protocol|typealias) (\w+)/
        if let name = line.firstMatch(of: declaration)?.output.1 { declared.insert(String(name)) }
      }
    }
    let used = Self.types[module, default: []].map { "\($0)".replacing("any ", with: "").prefix { $0 != "<" } }

    #expect(!declared.isEmpty)
    #expect(declared.subtracting(used.map(String.init)).sorted() == [])
    #expect(!declared.contains(module))
  }
}

import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A page on which a card opens, and which a card becomes: the two ends of a level that opens or closes.
@MainActor protocol OpeningPage: TransitionSource, TransitionTarget {
  var metrics: PageMetrics { get }
  /// The page taken apart, as it is now.
  var picture: PagePicture { get }
  /// The places whose cards are on it, as far as it knows them.
  var nodesOfCards: [NodeID] { get }
}

extension OpeningPage {
  var sourceID: TransitionID? { picture.place.node.map { TransitionID($0) } }
  var sourceIDs: [TransitionID] { nodesOfCards.map { TransitionID($0) } }
  var targetIDs: [TransitionID] { sourceIDs }

  func sourceLayer(for id: TransitionID) -> Layer? {
    picture.body.first { part in part.node.map { TransitionID($0) } == id }?.makeLayer()
  }

  func sourceFrame(for id: TransitionID) -> Rect? {
    picture.frames.first { TransitionID($0.key) == id }.map { Rect($0.value) }
  }

  func targetFrame(for id: TransitionID) -> Rect? { sourceFrame(for: id) }
}

/// A page that lies beside others, and slides apart from the trail above it.
@MainActor protocol SlidingPage: Screen {
  /// The first row: it stays where it is when the page slides.
  var trailLayer: Layer { get }
  /// Everything below the trail.
  var sheet: Layer { get }
  /// Shows what another page has said in the trail, for some seconds.
  func keepTrail(_ picture: Layer, for seconds: Double)
  /// Shows what it still does of that for some seconds from now on.
  func keepTrail(for seconds: Double)
  /// Seconds for which it still does so; `nil` where it says its own.
  var trailTimeLeft: Double? { get }
}

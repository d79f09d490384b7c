import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The content of a page, divided into the fragments that a transition animates.
struct PagePicture {
  /// A fragment of the page, such as a card, with its rectangle on the page.
  struct Part {
    var surface: Surface
    var rect: CellRect
    var node: NodeID?
    /// The column of the surface at which a card's title begins. A symbol or a date can precede it.
    var titleColumn = 0
    /// Whether the fragment is a frame. A screen shows one frame at a time, so it appears when the opening card's frame
    /// disappears.
    var isBox = false
    /// Whether the fragment is the preview below a list. The page of the opening card repeats its content.
    var isPreview = false
    /// Continues the fragment's running animation in another layer that shows it. `nil` if nothing is animated.
    var goOn: (@MainActor (Layer) -> Void)?

    /// Returns a layer that shows the fragment in its rectangle.
    @MainActor func makeLayer() -> Layer {
      let layer = Layer(frame: Rect(rect), content: surface)
      goOn?(layer)
      return layer
    }

    /// Returns the fragment moved down by a number of rows.
    func lower(by rows: Int) -> Part {
      var part = self
      part.rect = rect.offset(rows: rows)
      return part
    }
  }

  var drawing: PageDrawing
  var place: Place
  var kind: PlaceKind
  var trail: PageModel.Trail
  var header: PageModel.Header
  /// The texts of the header next to the title. They fade as a card opens.
  var headerRows: [Part]
  /// The title, if it becomes a breadcrumb of the page that opens. `nil` on a page that is not its ancestor, such as
  /// Find.
  var crumb: String?
  var titleRow: Int
  var ruleRow: Int
  /// The rows in which the body is visible.
  var bodyRows: Range<Int>
  var body: [Part]
  /// The frames of the cards by node, also of cards that are not visible.
  var frames: [NodeID: CellRect]
  var cards: [NodeID: CardModel]
  /// The frame around the selected card, or `nil` if there is none.
  var choice: Part?
  /// The offset of the frame around the selected card from its final position while it moves, in rows.
  var choiceLag = 0.0
  /// The offsets of the header and the body while they move.
  var lag = Lag()
  /// The earlier title row that is fading out, its progress, and the remaining seconds.
  var titleBefore: (surface: Surface, dissolved: Double, left: Double)?
  /// Continues to show the content that currently covers the breadcrumb in another layer. `nil` if there is none.
  var trailGoesOn: (@MainActor (Layer) -> Void)?

  /// The offsets of parts of the page from their final positions while they move, in rows.
  struct Lag: Hashable {
    var title = 0.0
    var rule = 0.0
    var body = 0.0
    /// The fraction by which the progress shown by the rule exceeds the actual progress.
    var done = 0.0
  }
}

/// A page on which a card opens, or that a card becomes: the two ends of an opening or closing.
@MainActor protocol OpeningPage: TransitionSource, TransitionTarget {
  var metrics: PageMetrics { get }
  /// The page's current fragments.
  var picture: PagePicture { get }
  /// The nodes of the cards that have been read.
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

/// A page with neighbours. It slides separately from the breadcrumb above it.
@MainActor protocol SlidingPage: Screen {
  /// The first row. It does not move while the page slides.
  var trailLayer: Layer { get }
  /// Everything below the breadcrumb.
  var sheet: Layer { get }
  /// Shows a snapshot of another page's breadcrumb for some seconds.
  func keepTrail(_ picture: Layer, for seconds: Double)
  /// Extends the time for which the other breadcrumb is shown.
  func keepTrail(for seconds: Double)
  /// The remaining seconds for which another breadcrumb is shown, or `nil` if the page shows its own.
  var trailTimeLeft: Double? { get }
}

import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The content of a page, divided into the fragments that a transition animates.
struct PageFragments {
  /// A fragment of the page, such as a card, with its rectangle on the page.
  struct Fragment {
    var surface: Surface
    var rect: CellRect
    var node: NodeID?
    /// The column of the surface at which a card's title begins. A symbol or a date can precede the title.
    var titleColumn = 0
    /// Whether the fragment is a frame. A screen shows only one frame at a time, so this fragment appears when the
    /// frame of the opening card disappears.
    var isBox = false
    /// Whether the fragment is the preview below a list. The page that opens shows the same content as the preview.
    var isPreview = false
    /// The places that the rows of a preview show, by row. Empty if the preview shows a text.
    var places: [Int: NodeID] = [:]
    /// Continues the running animation of the fragment in another layer that shows the fragment. `nil` if nothing is
    /// animated.
    var continueAnimations: (@MainActor (Layer) -> Void)?

    /// Returns a layer that shows the fragment in its rectangle.
    @MainActor func makeLayer() -> Layer {
      let layer = Layer(frame: Rect(rect), content: surface)
      continueAnimations?(layer)
      return layer
    }

    /// Returns a copy of the fragment that is moved down by a number of rows, or up if the number is negative.
    func movedUp(by rows: Int) -> Fragment {
      var fragment = self
      fragment.rect = rect.offset(rows: rows)
      return fragment
    }
  }

  var drawing: PageDrawing
  var place: Place
  var kind: PlaceKind
  var breadcrumb: PageModel.Breadcrumb
  var header: PageModel.Header
  /// The texts of the header next to the title. They fade as a card opens.
  var headerRows: [Fragment]
  /// The title, if it becomes a breadcrumb of the opening page. `nil` if this page is not an ancestor of the opening
  /// page, as with Find.
  var breadcrumbTitle: String?
  var titleRow: Int
  var ruleRow: Int
  /// The rows in which the body is visible.
  var bodyRows: Range<Int>
  var body: [Fragment]
  /// The frames of the cards by node. Cards that are scrolled out are included.
  var frames: [NodeID: CellRect]
  var cards: [NodeID: CardModel]
  /// The frame around the selected card, or `nil` if there is none.
  var chosenFrame: Fragment?
  /// The offset of the frame around the selected card from its final position, in rows. 0 unless the frame is moving.
  var choiceOffset = 0.0
  /// The offsets of the header and the body from their final positions. 0 unless they are moving.
  var offsets = Offsets()
  /// The earlier title row that is fading out, with the progress of the fade and the remaining seconds. `nil` if no
  /// title row is fading out.
  var fadingTitle: (surface: Surface, dissolved: Double, left: Double)?
  /// Continues to show, in another layer, the content that currently covers the breadcrumb. `nil` if nothing covers it.
  var continueBreadcrumb: (@MainActor (Layer) -> Void)?

  /// The offsets of the title, the rule and the body from their final positions during a motion, in rows.
  struct Offsets: Hashable {
    var title = 0.0
    var rule = 0.0
    var body = 0.0
    /// The difference between the progress that the rule shows and the actual progress, as a fraction.
    var done = 0.0
  }
}

/// A page on which a card opens, or the page that a card becomes.
@MainActor protocol OpeningPage: TransitionSource, TransitionTarget {
  var metrics: PageMetrics { get }
  /// The page's current fragments.
  var fragments: PageFragments { get }
  /// The nodes of the cards that have been read.
  var nodesOfCards: [NodeID] { get }
}

extension OpeningPage {
  var sourceID: TransitionID? { fragments.place.node.map { TransitionID($0) } }
  var sourceIDs: [TransitionID] { nodesOfCards.map { TransitionID($0) } }
  var targetIDs: [TransitionID] { sourceIDs }

  func sourceLayer(for id: TransitionID) -> Layer? {
    fragments.body.first { fragment in fragment.node.map { TransitionID($0) } == id }?.makeLayer()
  }

  func sourceFrame(for id: TransitionID) -> Rect? {
    fragments.frames.first { TransitionID($0.key) == id }.map { Rect($0.value) }
  }

  func targetFrame(for id: TransitionID) -> Rect? { sourceFrame(for: id) }
}

/// A page with neighbours. When it slides, the breadcrumb above it does not move.
@MainActor protocol SlidingPage: Screen {
  /// The first row, with the breadcrumb. It does not move while the page slides.
  var breadcrumbLayer: Layer { get }
  /// Everything below the breadcrumb.
  var sheet: Layer { get }
  /// Shows a snapshot of another page's breadcrumb for some seconds, in place of this page's breadcrumb.
  func holdBreadcrumb(_ snapshot: Layer, for seconds: Double)
  /// Sets the number of seconds for which the other page's breadcrumb is still shown.
  func holdBreadcrumb(for seconds: Double)
  /// The number of seconds for which another page's breadcrumb is still shown, or `nil` if the page shows its own.
  var remainingBreadcrumbTime: Double? { get }
}

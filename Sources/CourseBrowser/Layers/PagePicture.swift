import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A page as it stands at one moment, taken apart: what a transition is made of.
struct PagePicture {
  /// A piece of the page's body, such as a card, where it stands on the page.
  struct Part {
    var surface: Surface
    var rect: CellRect
    var node: NodeID?
    /// The column of the surface that a card's title begins in: before it stands a mark, or when it was.
    var titleColumn = 0
    /// Whether it is a box around something: there is one frame on a screen, so it comes when the opening card's goes.
    var isBox = false
    /// Whether it is what stands below a list: what the opening card becomes says the same again.
    var isPreview = false
    /// Lets what still moves of it on the page continue in another layer that shows it; `nil` where nothing does.
    var goOn: (@MainActor (Layer) -> Void)?

    /// A layer that shows it where it stands.
    @MainActor func makeLayer() -> Layer {
      let layer = Layer(frame: Rect(rect), content: surface)
      goOn?(layer)
      return layer
    }

    /// The same in rows that count from further up.
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
  /// What the header says beside the title; it fades as something opens.
  var headerRows: [Part]
  /// The title, where it becomes a crumb of what opens; `nil` on a page that is no ancestor of it, such as Find.
  var crumb: String?
  var titleRow: Int
  var ruleRow: Int
  /// The rows that the body is seen in.
  var bodyRows: Range<Int>
  var body: [Part]
  /// The cards by their nodes, with the frames that they have or would have.
  var frames: [NodeID: CellRect]
  var cards: [NodeID: CardModel]
  /// The frame around the chosen card; `nil` where there is none.
  var choice: Part?
  /// Rows that it still is below its place.
  var choiceLag = 0.0
  /// What of the header and the body moves.
  var lag = Lag()
  /// What still gives way in the title's row, how far it has, and the seconds in which it will have.
  var titleBefore: (surface: Surface, dissolved: Double, left: Double)?
  /// Lets what is still seen in place of the trail stay in sight in another layer that shows the trail.
  var trailGoesOn: (@MainActor (Layer) -> Void)?

  /// Rows that parts of the page still are below their places while they move there.
  struct Lag: Hashable {
    var title = 0.0
    var rule = 0.0
    var body = 0.0
    /// The share by which the rule shows more than is done.
    var done = 0.0
  }
}

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

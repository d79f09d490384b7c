internal import LearningModel
internal import TextCanvas

/// A page as it stands at one moment, taken apart: what a transition is made of.
struct PagePicture {
  /// A piece of the page's body, such as a card, where it stands on the page.
  struct Part {
    var surface: Surface
    var rect: CellRect
    var node: NodeID?
  }

  var drawing: PageDrawing
  var place: Place
  var kind: PlaceKind
  var trail: PageModel.Trail
  var header: PageModel.Header
  var titleRow: Int
  var ruleRow: Int
  /// The rows that the body is seen in.
  var bodyRows: Range<Int>
  var body: [Part]
  /// The cards by their nodes, with the frames that they have or would have.
  var frames: [NodeID: CellRect]
  var cards: [NodeID: CardModel]
}

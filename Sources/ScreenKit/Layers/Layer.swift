public import TextCanvas

/// A rectangle of a screen that can be moved, faded, resized and turned, with other layers in it.
///
/// A layer has a *model*, what your code set, and a *presentation*, what is seen. They are the same until a property is
/// changed inside ``animate(duration:delay:curve:_:completion:)``: then the model has its final value at once, and the
/// presentation moves there. What is drawn and what the mouse hits is the presentation.
///
/// ```swift
/// let card = Layer(frame: Rect(x: 1, y: 8, width: 78, height: 4))
/// card.drawing = { state in drawFrame(size: state.cells.size) }   // again for each size it passes through
/// card.clipsToBounds = true
/// animate(duration: 0.28, curve: .spring(duration: 0.28, bounce: 0)) { card.frame = page }
/// ```
@MainActor open class Layer {
  /// What tells this layer's render nodes from all others, as long as it lives.
  public let id: Int

  /// What was set: the values everything moves towards.
  public internal(set) var model: LayerState

  /// Whether sublayers are cut off at its edges.
  public var clipsToBounds = false {
    didSet { if clipsToBounds != oldValue { setNeedsDisplay() } }
  }

  /// Whether it and its sublayers are left out, without losing their place.
  public var isHidden = false {
    didSet { if isHidden != oldValue { setNeedsDisplay() } }
  }

  /// Whether the mouse can hit it or anything in it.
  public var isUserInteractionEnabled = true

  /// Where it stands among its siblings: higher is nearer; equal ones stand in the order they were added.
  public var zPosition = 0.0 {
    didSet { if zPosition != oldValue { setNeedsDisplay() } }
  }

  /// What tells that this layer continues another one: when a transition is interrupted and the next one makes a layer
  /// of the same identity, the new layer starts from where the old one was seen.
  public var identity: TransitionID?

  /// The colour of its whole frame, drawn under everything; nil shows what lies below.
  public var fill: Colour? {
    didSet { setNeedsDisplay() }
  }

  /// How it gives way to what lies below it, as far as ``dissolved`` says; nil where it lies over that as layers do. A
  /// layer that gives way covers what is below its whole frame until then.
  public var dissolve: Dissolve? {
    didSet { if dissolve != oldValue { setNeedsDisplay() } }
  }

  /// A name for descriptions.
  public var name = ""

  /// A drawing that does not depend on the size; shown at the top left corner.
  public var content: Surface? {
    didSet { setNeedsDisplay() }
  }

  /// Draws the layer for what is presented of it; asked again when its size in cells or one of its values changed.
  /// Takes the place of ``content``.
  public var drawing: (@MainActor (LayerState) -> Surface?)? {
    didSet { setNeedsDisplay() }
  }

  /// Places the sublayers for the model's size; runs inside the animation that changed the size, so that they move
  /// along.
  public var layout: (@MainActor (Layer) -> Void)? {
    didSet { setNeedsLayout() }
  }

  /// Places the sublayers for what is presented, without animation; runs before each frame in which that has changed.
  public var presentedLayout: (@MainActor (Layer, LayerState) -> Void)? {
    didSet { laidOutState = nil }
  }

  /// The layers in it, from back to front, apart from ``zPosition``.
  public internal(set) var sublayers: [Layer] = []
  /// The layer it is in.
  public internal(set) weak var superlayer: Layer?

  weak var hostClock: StageClock?
  weak var owner: (any LayerOwner)?
  var animations: [PropertyAnimation] = []
  var settlings: [Settling] = []
  var recognisers: [PanRecogniser] = []
  /// What a snapshot shows.
  var still: RenderNode?
  /// Whether it is a snapshot of a whole layer that dissolves over that layer.
  var isDissolvingSnapshot = false
  var needsLayout = true
  var needsDrawing = true
  var drawn: Surface?
  var drawnState: LayerState?
  var laidOutState: LayerState?

  static var lastID = 0

  /// Makes a layer.
  public init(frame: Rect = .zero, content: Surface? = nil) {
    Layer.lastID += 1
    id = Layer.lastID
    model = LayerState(frame: frame)
    self.content = content
  }

  /// Draws the layer for what is presented of it; override it, or set ``drawing``.
  ///
  /// - Parameter state: What is presented. The surface is shown at its top left corner, cut off at its edges.
  open func draw(_ state: LayerState) -> Surface? {
    if let drawing { return drawing(state) }
    return content
  }

  /// Places the sublayers for the model's size; override it, or set ``layout``.
  open func layOutSublayers() {
    layout?(self)
    owner?.layerDidLayOut()
  }

  /// Places the sublayers for what is presented, without animation; override it, or set ``presentedLayout``.
  open func layOutSublayers(presented state: LayerState) {
    presentedLayout?(self, state)
  }
}

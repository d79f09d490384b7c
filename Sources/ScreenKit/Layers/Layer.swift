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
  private var needsDrawing = true
  var drawn: Surface?
  private var drawnState: LayerState?
  private var laidOutState: LayerState?

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

extension Layer {
  /// Adds a layer at the front; one that is in a layer already is moved.
  public func add(_ layer: Layer) {
    insert(layer, at: sublayers.count)
  }

  /// Adds a layer behind one of the sublayers; at the front where that is not one.
  public func add(_ layer: Layer, below sibling: Layer) {
    insert(layer, at: sublayers.firstIndex { $0 === sibling } ?? sublayers.count)
  }

  /// Adds a layer in front of one of the sublayers; at the front where that is not one.
  public func add(_ layer: Layer, above sibling: Layer) {
    insert(layer, at: sublayers.firstIndex { $0 === sibling }.map { $0 + 1 } ?? sublayers.count)
  }

  /// Takes it out of its superlayer. What moves in it keeps moving unseen.
  public func removeFromSuperlayer() {
    guard let superlayer else { return }
    let stage = stage
    owner?.layerWillLeave(stage)
    superlayer.sublayers.removeAll { $0 === self }
    self.superlayer = nil
    stage?.needsFrame = true
    owner?.layerDidLeave(stage)
  }

  /// Whether a layer is this one or somewhere in it.
  public func contains(_ layer: Layer) -> Bool {
    sequence(first: layer, next: \.superlayer).contains { $0 === self }
  }

  private func insert(_ layer: Layer, at index: Int) {
    guard !layer.contains(self) else { return ScreenIssue.layerInItself(layer: layer.name).report(on: stage) }
    var index = index
    if layer.superlayer === self, let place = sublayers.firstIndex(where: { $0 === layer }) {
      sublayers.remove(at: place)
      sublayers.insert(layer, at: place < index ? index - 1 : index)
      setNeedsFrame()
      return
    }
    if layer.superlayer != nil {
      layer.detachQuietly()
      index = min(index, sublayers.count)
    }
    sublayers.insert(layer, at: index)
    layer.superlayer = self
    setNeedsFrame()
    layer.owner?.layerDidEnter(stage)
  }

  private func detachQuietly() {
    superlayer?.sublayers.removeAll { $0 === self }
    superlayer = nil
  }

  /// Where it lies in its superlayer, in cells, before the transform. Animatable.
  public var frame: Rect {
    get { model.frame }
    set {
      set(.x, to: newValue.x)
      set(.y, to: newValue.y)
      set(.width, to: newValue.width)
      set(.height, to: newValue.height)
    }
  }

  /// Its own rectangle in its own coordinates: the frame's size at the origin.
  public var bounds: Rect { Rect(origin: .zero, size: model.frame.size) }

  /// How much of it is seen, 0…1. Animatable.
  public var opacity: Double {
    get { model.opacity }
    set { set(.opacity, to: newValue) }
  }

  /// How far it has given way to what lies below it, 0…1, where it has a ``dissolve``. Animatable.
  public var dissolved: Double {
    get { model.dissolved }
    set { set(.dissolved, to: newValue) }
  }

  /// How it is moved, scaled and turned about its frame's middle. Animatable.
  public var transform: Transform {
    get { model.transform }
    set {
      set(.translationX, to: newValue.translation.x)
      set(.translationY, to: newValue.translation.y)
      set(.scaleX, to: newValue.scaleX)
      set(.scaleY, to: newValue.scaleY)
      set(.flip, to: newValue.flip)
    }
  }

  /// How far it is moved from its frame, in cells: the translation of ``transform``. Animatable.
  public var offset: Point {
    get { model.transform.translation }
    set {
      set(.translationX, to: newValue.x)
      set(.translationY, to: newValue.y)
    }
  }

  /// Numbers of its own, for its drawing. Animatable; one that was never set counts as 0.
  public var values: [LayerKey: Double] {
    get { model.values }
    set {
      for key in model.values.keys where newValue[key] == nil { set(.value(key), to: 0) }
      for (key, value) in newValue.sorted(by: { $0.key.name < $1.key.name }) { set(.value(key), to: value) }
    }
  }

  /// Sets one number of the model, and animates it where an animation is being recorded.
  public func set(_ property: LayerProperty, to value: Double) {
    let old = model[property]
    guard old != value, value == value else { return }
    model[property] = value
    if property == .width || property == .height { needsLayout = true }
    if let recording = AnimationRecording.current {
      recording.record(property, of: self, change: old - value)
    }
    setNeedsFrame()
  }

  /// Asks for the content to be drawn again in the next frame.
  public func setNeedsDisplay() {
    needsDrawing = true
    setNeedsFrame()
  }

  /// Asks for the sublayers to be placed again before the next frame.
  public func setNeedsLayout() {
    needsLayout = true
    setNeedsFrame()
  }

  /// Places the sublayers of this layer and of those in it now, where something asked for it.
  public func layOutIfNeeded() {
    if needsLayout {
      needsLayout = false
      layOutSublayers()
    }
    for sublayer in sublayers { sublayer.layOutIfNeeded() }
  }

  func setNeedsFrame() {
    stage?.needsFrame = true
  }

  /// The stage it is on, as far as time goes, if any.
  public var stage: StageClock? {
    var layer = self
    while let next = layer.superlayer { layer = next }
    return layer.hostClock
  }

  /// What is seen of it now: the model, and what its animations add to it.
  public var presentation: LayerState {
    guard !animations.isEmpty || !settlings.isEmpty else { return model }
    var state = model
    for animation in animations {
      state[animation.property] += animation.addition(at: animation.animator.fraction)
    }
    for settling in settlings { state[settling.property] += settling.addition }
    state.opacity = max(0, min(1, state.opacity))
    state.frame.width = max(0, state.frame.width)
    state.frame.height = max(0, state.frame.height)
    return state
  }

  /// How fast a number of it changes now, in its units a second.
  public func velocity(of property: LayerProperty) -> Double {
    var sum = 0.0
    for animation in animations where animation.property == property {
      guard animation.moves(at: animation.animator.fraction) else { continue }
      sum -= animation.change / animation.length * animation.animator.velocity
    }
    for settling in settlings where settling.property == property { sum += settling.velocity }
    return sum
  }

  /// Whether anything of it moves.
  public var isAnimating: Bool { !animations.isEmpty || !settlings.isEmpty }

  /// Takes away everything that still moves on it: it is seen as its model says.
  ///
  /// An animation that moved nothing else is over at once, and its completions get `false`; one that moves other layers too
  /// still moves those.
  public func removeAllAnimations() {
    let moving = animations
    animations = []
    for settling in settlings { settling.stop() }
    setNeedsFrame()
    for animation in moving { animation.animator.forget(self) }
  }

  /// Lets go of what moves it and everything in it, also of what is only held; no completion is called.
  func abandonAnimators() {
    for animation in animations { animation.animator.abandon() }
    for sublayer in sublayers { sublayer.abandonAnimators() }
  }

  /// Where it is seen in the coordinates of another layer of the same tree, or of the outermost one.
  ///
  /// Scaling and turning of the layers on the way are left out.
  public func presentedFrame(in other: Layer? = nil) -> Rect {
    let state = presentation
    var rect = state.frame
    rect.x += state.transform.translation.x
    rect.y += state.transform.translation.y
    var next = superlayer
    while let layer = next, layer !== other {
      let outer = layer.presentation
      rect.x += outer.frame.x + outer.transform.translation.x
      rect.y += outer.frame.y + outer.transform.translation.y
      next = layer.superlayer
    }
    return rect
  }

  /// Returns the render tree of the layer and everything in it as presented now.
  ///
  /// Draws changed contents, and places the sublayers of layers that place them by their presentation.
  ///
  /// - Parameter flattensSnapshots: Whether snapshots in the tree are flattened, because the result becomes a snapshot
  ///   itself. Otherwise snapshots of snapshots would grow with each one.
  func renderNode(flattensSnapshots: Bool = false) -> RenderNode {
    if needsLayout {
      needsLayout = false
      withoutAnimation { layOutSublayers() }
    }
    let state = presentation
    if laidOutState != state {
      laidOutState = state
      withoutAnimation { layOutSublayers(presented: state) }
    }
    let size = state.cells.size
    if needsDrawing || drawnState?.cells.size != size || drawnState?.values != state.values {
      needsDrawing = false
      drawnState = state
      drawn = draw(state)
    }
    var node = RenderNode(
      id: RenderNode.ID(UInt64(id)), frame: state.frame, opacity: state.opacity, transform: state.transform)
    if clipsToBounds { node.clip = Rect(origin: .zero, size: state.size) }
    node.fill = fill
    node.dissolve = dissolve.map { Dissolve(state.dissolved, share: $0.share, turn: $0.turn) }
    node.surface = drawn
    if let still { node.children.append(flattensSnapshots && !still.isFlat ? still.flattened() : still) }
    for layer in inOrder where !layer.isHidden && !layer.isUnseen {
      node.children.append(layer.renderNode(flattensSnapshots: flattensSnapshots))
    }
    return node
  }

  /// The sublayers from back to front.
  var inOrder: [Layer] {
    guard sublayers.contains(where: { $0.zPosition != 0 }) else { return sublayers }
    return sublayers.enumerated()
      .sorted { ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset) }
      .map(\.element)
  }

  private var isUnseen: Bool { !isAnimating && model.opacity <= 0 }

  /// Returns a copy that looks as the layer and everything in it look now, in the same place, and never changes.
  ///
  /// Snapshots in the layer become a bounded number of surfaces in the copy, so the cost of a snapshot does not depend
  /// on how many were taken before.
  public func snapshot() -> Layer {
    let state = presentation
    let copy = Layer()
    copy.model = state
    copy.name = name
    copy.clipsToBounds = true
    copy.dissolve = dissolve
    var node = renderNode(flattensSnapshots: true)
    node.frame = Rect(origin: .zero, size: state.size)
    node.opacity = 1
    node.transform = .identity
    node.dissolve = nil
    copy.still = node.renamed()
    return copy
  }

  /// Returns one flat snapshot of several sublayers of one layer.
  ///
  /// - Parameters:
  ///   - layers: From back to front.
  ///   - bounds: The frame of the snapshot, in the coordinates of their superlayer.
  static func snapshot(of layers: [Layer], in bounds: Rect) -> Layer {
    let copy = Layer(frame: bounds)
    copy.isUserInteractionEnabled = false
    var node = RenderNode(id: RenderNode.ID(UInt64(copy.id)), frame: Rect(origin: .zero, size: bounds.size))
    node.children = layers.filter { !$0.isHidden }.map { layer in
      var child = layer.renderNode(flattensSnapshots: true)
      (child.frame.x, child.frame.y) = (child.frame.x - bounds.x, child.frame.y - bounds.y)
      return child
    }
    copy.still = node.flattened().renamed()
    return copy
  }
}

extension RenderNode {
  /// The same picture under other names, for a tree that has the original too.
  @MainActor func renamed() -> RenderNode {
    Layer.lastID += 1
    var node = self
    node.id = ID(UInt64(Layer.lastID))
    node.children = children.map { $0.renamed() }
    return node
  }
}

extension Layer {
  /// The innermost layer in it that is seen at a place, by what is presented now; nil where none is.
  ///
  /// A layer that is turned is hit in the rectangle it is seen in.
  ///
  /// - Parameter point: In the coordinates of its superlayer.
  public func hitTest(_ point: Point) -> Layer? {
    let state = presentation
    guard isUserInteractionEnabled, !isHidden, state.opacity > 0.01, let inside = state.inward(point) else {
      return nil
    }
    let isInside = Rect(origin: .zero, size: state.size).contains(inside)
    if clipsToBounds && !isInside { return nil }
    for sublayer in inOrder.reversed() {
      if let hit = sublayer.hitTest(inside) { return hit }
    }
    return isInside ? self : nil
  }
}

extension LayerState {
  /// A place of the superlayer in the layer's own coordinates, through the transform; nil where that shows nothing.
  func inward(_ point: Point) -> Point? {
    let scaleX = transform.scaleX * cosine(transform.flip)
    guard scaleX > 0.001, transform.scaleY > 0.001 else { return nil }
    return Point(
      x: (point.x - transform.translation.x - frame.midX) / scaleX + frame.width / 2,
      y: (point.y - transform.translation.y - frame.midY) / transform.scaleY + frame.height / 2)
  }
}

/// What a layer belongs to, and tells of what happens to it: a screen.
@MainActor protocol LayerOwner: AnyObject {
  /// Its sublayers were placed.
  func layerDidLayOut()
  /// It was put into another layer.
  func layerDidEnter(_ stage: StageClock?)
  /// It is about to be taken out of another layer.
  func layerWillLeave(_ stage: StageClock?)
  /// It was taken out of another layer.
  func layerDidLeave(_ stage: StageClock?)
}

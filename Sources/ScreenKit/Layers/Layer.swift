public import TextCanvas

/// A rectangle of a screen that can be moved, resized, faded, scaled and flipped, and contains other layers.
///
/// A layer has a *model*, the values that were set, and a *presentation*, the values that are visible. They are equal
/// until a property is changed inside ``animate(duration:delay:curve:_:completion:)``: then the model has its final
/// value immediately, and the presentation moves there. Drawing and hit testing use the presentation.
///
/// ```swift
/// let card = Layer(frame: Rect(x: 1, y: 8, width: 78, height: 4))
/// card.drawing = { state in drawFrame(size: state.cells.size) }   // called for each presented size
/// card.clipsToBounds = true
/// animate(duration: 0.28, curve: .spring(duration: 0.28, bounce: 0)) { card.frame = page }
/// ```
@MainActor open class Layer {
  /// Identifies the layer's render nodes. It is unique while the process runs.
  public let id: Int

  /// The values that were set, towards which animations move.
  public internal(set) var model: LayerState

  /// Whether sublayers are clipped to the layer's bounds.
  public var clipsToBounds = false {
    didSet { if clipsToBounds != oldValue { setNeedsDisplay() } }
  }

  /// Whether the layer and its sublayers are invisible. A hidden layer keeps its position in the layer tree.
  public var isHidden = false {
    didSet { if isHidden != oldValue { setNeedsDisplay() } }
  }

  /// Whether hit tests can return the layer or its sublayers.
  public var isUserInteractionEnabled = true

  /// The position among sibling layers: higher values are in front. Layers with equal values are ordered by their
  /// position in ``sublayers``.
  public var zPosition = 0.0 {
    didSet { if zPosition != oldValue { setNeedsDisplay() } }
  }

  /// Identifies the content of the layer across transitions. If a transition is interrupted and the next one adds a
  /// layer with the same identity, that layer starts at the presented position of the old one.
  public var identity: TransitionID?

  /// The background colour of the whole frame. If `nil`, the content below is visible.
  public var fill: Colour? {
    didSet { setNeedsDisplay() }
  }

  /// How the layer dissolves into the content below it, in proportion to ``dissolved``. If `nil`, the layer does not
  /// dissolve. A layer that dissolves hides everything below its frame at first.
  public var dissolve: Dissolve? {
    didSet { if dissolve != oldValue { setNeedsDisplay() } }
  }

  /// A name for error messages and debugging.
  public var name = ""

  /// A drawing that does not depend on the size. It is drawn at the top left corner.
  public var content: Surface? {
    didSet { setNeedsDisplay() }
  }

  /// Draws the layer for the presented state, and replaces ``content``. Called when the presented size in whole cells
  /// or one of the presented ``values`` has changed.
  public var drawing: (@MainActor (LayerState) -> Surface?)? {
    didSet { setNeedsDisplay() }
  }

  /// Sets the frames of the sublayers for the model's size. Called inside the animation that changed the size, so that
  /// the sublayers are animated too.
  public var layout: (@MainActor (Layer) -> Void)? {
    didSet { setNeedsLayout() }
  }

  /// Sets the frames of the sublayers for the presented state, without animation. Called before each frame in which the
  /// presented state has changed.
  public var presentedLayout: (@MainActor (Layer, LayerState) -> Void)? {
    didSet { laidOutState = nil }
  }

  /// The sublayers from back to front, ignoring ``zPosition``.
  public internal(set) var sublayers: [Layer] = []
  /// The layer that contains this one.
  public internal(set) weak var superlayer: Layer?

  weak var hostClock: StageClock?
  weak var owner: (any LayerOwner)?
  var animations: [PropertyAnimation] = []
  var residualAnimations: [ResidualAnimation] = []
  var recognisers: [PanRecogniser] = []
  /// The content of a snapshot.
  var snapshotTree: RenderNode?
  /// Whether the layer is a snapshot of another layer and dissolves over it.
  var isDissolvingSnapshot = false
  var needsLayout = true
  private var needsDrawing = true
  var drawn: Surface?
  private var drawnState: LayerState?
  private var laidOutState: LayerState?

  static var lastID = 0

  /// Creates a layer.
  ///
  /// - Parameters:
  ///   - frame: The frame in the superlayer, in cells.
  ///   - content: A drawing that does not depend on the size.
  public init(frame: Rect = .zero, content: Surface? = nil) {
    Layer.lastID += 1
    id = Layer.lastID
    model = LayerState(frame: frame)
    self.content = content
  }

  /// Draws the layer. Override this method or set ``drawing``.
  ///
  /// - Parameter state: The presented state.
  /// - Returns: A surface that is drawn at the top left corner and clipped to the layer's bounds, or `nil` to draw
  ///   nothing.
  open func draw(_ state: LayerState) -> Surface? {
    if let drawing { return drawing(state) }
    return content
  }

  /// Sets the frames of the sublayers for the model's size. Override this method or set ``layout``.
  open func layOutSublayers() {
    layout?(self)
    owner?.layerDidLayOut()
  }

  /// Sets the frames of the sublayers for the presented state, without animation. Override this method or set
  /// ``presentedLayout``.
  ///
  /// - Parameter state: The presented state.
  open func layOutSublayers(presented state: LayerState) {
    presentedLayout?(self, state)
  }
}

extension Layer {
  /// Adds a layer in front of the other sublayers. Removes it from its previous superlayer first.
  ///
  /// A layer cannot be added to itself or to one of its sublayers: this is reported and has no effect.
  ///
  /// - Parameter layer: The layer to add.
  public func add(_ layer: Layer) {
    insert(layer, at: sublayers.count)
  }

  /// Adds a layer behind a sublayer. If `sibling` is not a sublayer, adds it in front of all sublayers.
  ///
  /// - Parameters:
  ///   - layer: The layer to add.
  ///   - sibling: The sublayer that will be in front of it.
  public func add(_ layer: Layer, below sibling: Layer) {
    insert(layer, at: sublayers.firstIndex { $0 === sibling } ?? sublayers.count)
  }

  /// Adds a layer in front of a sublayer. If `sibling` is not a sublayer, adds it in front of all sublayers.
  ///
  /// - Parameters:
  ///   - layer: The layer to add.
  ///   - sibling: The sublayer that will be behind it.
  public func add(_ layer: Layer, above sibling: Layer) {
    insert(layer, at: sublayers.firstIndex { $0 === sibling }.map { $0 + 1 } ?? sublayers.count)
  }

  /// Removes the layer from its superlayer. Its animations continue.
  public func removeFromSuperlayer() {
    guard let superlayer else { return }
    let stage = stage
    owner?.layerWillLeave(stage)
    superlayer.sublayers.removeAll { $0 === self }
    self.superlayer = nil
    stage?.needsFrame = true
    owner?.layerDidLeave(stage)
  }

  /// Returns whether a layer is this layer or one of its sublayers at any depth.
  public func contains(_ layer: Layer) -> Bool {
    sequence(first: layer, next: \.superlayer).contains { $0 === self }
  }

  private func insert(_ layer: Layer, at index: Int) {
    guard !layer.contains(self) else { return ScreenIssue.layerInItself(layer: layer.name).report(on: stage) }
    var index = index
    if layer.superlayer === self, let oldIndex = sublayers.firstIndex(where: { $0 === layer }) {
      sublayers.remove(at: oldIndex)
      sublayers.insert(layer, at: oldIndex < index ? index - 1 : index)
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

  /// The frame in the superlayer, in cells, before the transform is applied. Animatable.
  public var frame: Rect {
    get { model.frame }
    set {
      set(.x, to: newValue.x)
      set(.y, to: newValue.y)
      set(.width, to: newValue.width)
      set(.height, to: newValue.height)
    }
  }

  /// The layer's rectangle in its own coordinates: the size of ``frame`` at the origin.
  public var bounds: Rect { Rect(origin: .zero, size: model.frame.size) }

  /// The opacity, 0…1. Animatable.
  public var opacity: Double {
    get { model.opacity }
    set { set(.opacity, to: newValue) }
  }

  /// The progress of dissolving into the content below, 0…1. Has an effect only with a ``dissolve``. Animatable.
  public var dissolved: Double {
    get { model.dissolved }
    set { set(.dissolved, to: newValue) }
  }

  /// The translation, scale and flip about the centre of the frame. Animatable.
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

  /// The offset from the frame in cells: the translation of ``transform``. Animatable.
  public var offset: Point {
    get { model.transform.translation }
    set {
      set(.translationX, to: newValue.x)
      set(.translationY, to: newValue.y)
    }
  }

  /// Additional values for the layer's own drawing. Animatable. The default of a value is 0.
  public var values: [LayerKey: Double] {
    get { model.values }
    set {
      for key in model.values.keys where newValue[key] == nil { set(.value(key), to: 0) }
      for (key, value) in newValue.sorted(by: { $0.key.name < $1.key.name }) { set(.value(key), to: value) }
    }
  }

  /// Sets a property of the model, and animates the change if an animation is being recorded. A value that is not a
  /// number is ignored.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: The new value.
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

  /// Requests that the content is drawn again in the next frame.
  public func setNeedsDisplay() {
    needsDrawing = true
    setNeedsFrame()
  }

  /// Requests that the sublayers are laid out before the next frame.
  public func setNeedsLayout() {
    needsLayout = true
    setNeedsFrame()
  }

  /// Lays out the sublayers now, at any depth, if a layout was requested.
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

  /// The clock of the stage that shows the layer, or `nil` if the layer is on no stage.
  public var stage: StageClock? {
    var layer = self
    while let next = layer.superlayer { layer = next }
    return layer.hostClock
  }

  /// The presented state: the model plus the values that the running animations add.
  public var presentation: LayerState {
    guard !animations.isEmpty || !residualAnimations.isEmpty else { return model }
    var state = model
    for animation in animations {
      state[animation.property] += animation.addition(at: animation.animator.fraction)
    }
    for spring in residualAnimations { state[spring.property] += spring.addition }
    state.opacity = max(0, min(1, state.opacity))
    state.frame.width = max(0, state.frame.width)
    state.frame.height = max(0, state.frame.height)
    return state
  }

  /// Returns the presented velocity of a property, in its units per second.
  ///
  /// - Parameter property: The property, such as ``LayerProperty/x``, whose velocity is in cells per second.
  public func velocity(of property: LayerProperty) -> Double {
    var sum = 0.0
    for animation in animations where animation.property == property {
      guard animation.moves(at: animation.animator.fraction) else { continue }
      sum -= animation.change / animation.length * animation.animator.velocity
    }
    for spring in residualAnimations where spring.property == property { sum += spring.velocity }
    return sum
  }

  /// Whether the layer has animations. Animations of its sublayers do not count.
  public var isAnimating: Bool { !animations.isEmpty || !residualAnimations.isEmpty }

  /// Removes all animations of the layer, so that it presents its model.
  ///
  /// An animation of this layer only ends immediately, and its completions receive `false`. An animation of several
  /// layers continues for the other layers.
  public func removeAllAnimations() {
    let moving = animations
    animations = []
    for spring in residualAnimations { spring.stop() }
    setNeedsFrame()
    for animation in moving { animation.animator.removeLayer(self) }
  }

  /// Discards the animators of the layer and its sublayers, including paused ones. No completion is called.
  func abandonAnimators() {
    for animation in animations { animation.animator.abandon() }
    for sublayer in sublayers { sublayer.abandonAnimators() }
  }

  /// Returns the presented frame in the coordinates of another layer.
  ///
  /// Scaling and flipping of intermediate layers are ignored.
  ///
  /// - Parameter other: A layer that contains this one. If `nil`, the outermost layer.
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

  /// Returns the render tree of the layer and its sublayers, as presented now.
  ///
  /// Draws changed contents, and calls the layout methods that depend on the presentation.
  ///
  /// - Parameter flattensSnapshots: Whether snapshots in the tree are flattened. Required if the result becomes a
  ///   snapshot itself, because otherwise snapshots of snapshots would grow each time.
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
    node.dissolve = dissolve.map {
      Dissolve(state.dissolved, rowShare: $0.rowShare, crossoverFraction: $0.crossoverFraction)
    }
    node.surface = drawn
    if let snapshotTree {
      node.children.append(flattensSnapshots && !snapshotTree.isFlat ? snapshotTree.flattened() : snapshotTree)
    }
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

  /// Returns a copy that shows the presented content of the layer and its sublayers in the same frame, and never
  /// changes.
  ///
  /// Snapshots in the layer become a bounded number of surfaces in the copy, so the cost does not depend on the number
  /// of earlier snapshots.
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
    copy.snapshotTree = node.renamed()
    return copy
  }

  /// Returns one flat snapshot of several sublayers of the same layer.
  ///
  /// - Parameters:
  ///   - layers: The sublayers from back to front.
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
    copy.snapshotTree = node.flattened().renamed()
    return copy
  }
}

extension RenderNode {
  /// Returns a copy with new identifiers, for a tree that also contains the original.
  @MainActor func renamed() -> RenderNode {
    Layer.lastID += 1
    var node = self
    node.id = ID(UInt64(Layer.lastID))
    node.children = children.map { $0.renamed() }
    return node
  }
}

extension Layer {
  /// Returns the innermost visible layer at a point, according to the presentation, or `nil` if there is none.
  ///
  /// A flipped layer is hit in the rectangle in which it is visible.
  ///
  /// - Parameter point: In the coordinates of the superlayer.
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
  /// Converts a point of the superlayer to the layer's coordinates, applying the inverse transform. Returns `nil` if
  /// the layer is scaled or flipped to nothing.
  func inward(_ point: Point) -> Point? {
    let scaleX = transform.scaleX * cosine(transform.flip)
    guard scaleX > 0.001, transform.scaleY > 0.001 else { return nil }
    return Point(
      x: (point.x - transform.translation.x - frame.midX) / scaleX + frame.width / 2,
      y: (point.y - transform.translation.y - frame.midY) / transform.scaleY + frame.height / 2)
  }
}

/// The owner of a layer, such as a screen. It is notified of layout and hierarchy changes of the layer.
@MainActor protocol LayerOwner: AnyObject {
  /// The sublayers were laid out.
  func layerDidLayOut()
  /// The layer was added to another layer.
  func layerDidEnter(_ stage: StageClock?)
  /// The layer will be removed from its superlayer.
  func layerWillLeave(_ stage: StageClock?)
  /// The layer was removed from its superlayer.
  func layerDidLeave(_ stage: StageClock?)
}

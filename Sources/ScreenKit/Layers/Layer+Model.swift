public import TextCanvas

extension Layer {
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
}

public import TextCanvas

/// The name of a number of a layer's own that animates with the rest: `layer.values["progress"] = 1`.
public struct LayerKey: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let name: String

  /// Makes a key from its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Makes a key from its name, written down.
  public init(stringLiteral name: String) {
    self.name = name
  }
}

/// One animatable number of a layer.
public enum LayerProperty: Hashable, Sendable {
  /// The parts of ``LayerState/frame``.
  case x, y, width, height
  /// ``LayerState/opacity``.
  case opacity
  /// ``LayerState/dissolved``.
  case dissolved
  /// The parts of ``LayerState/transform``.
  case translationX, translationY, scaleX, scaleY, flip
  /// A number of the layer's own.
  case value(LayerKey)
}

/// Everything about a layer that animates, at one moment: its model, or what is presented of it.
public struct LayerState: Hashable, Sendable {
  /// Where it lies in its superlayer, in cells, before the transform.
  public var frame: Rect
  /// How much of it is seen, 0…1.
  public var opacity: Double
  /// How far a layer that gives way to what is below has done so, 0…1; see ``Layer/dissolve``.
  public var dissolved = 0.0
  /// How it is moved, scaled and turned, about its middle.
  public var transform: Transform
  /// Its own numbers; one that was never set counts as 0.
  public var values: [LayerKey: Double]

  /// Makes a state.
  public init(
    frame: Rect = .zero, opacity: Double = 1, transform: Transform = .identity, values: [LayerKey: Double] = [:]
  ) {
    self.frame = frame
    self.opacity = opacity
    self.transform = transform
    self.values = values
  }

  /// Width and height, in cells.
  public var size: Size { frame.size }

  /// The whole cells it is drawn in: a rectangle of whole size keeps its size wherever it stands.
  public var cells: CellRect { frame.cells }

  /// One number of it.
  public subscript(property: LayerProperty) -> Double {
    get {
      switch property {
      case .x: frame.x
      case .y: frame.y
      case .width: frame.width
      case .height: frame.height
      case .opacity: opacity
      case .dissolved: dissolved
      case .translationX: transform.translation.x
      case .translationY: transform.translation.y
      case .scaleX: transform.scaleX
      case .scaleY: transform.scaleY
      case .flip: transform.flip
      case .value(let key): values[key] ?? 0
      }
    }
    set {
      switch property {
      case .x: frame.x = newValue
      case .y: frame.y = newValue
      case .width: frame.width = newValue
      case .height: frame.height = newValue
      case .opacity: opacity = newValue
      case .dissolved: dissolved = newValue
      case .translationX: transform.translation.x = newValue
      case .translationY: transform.translation.y = newValue
      case .scaleX: transform.scaleX = newValue
      case .scaleY: transform.scaleY = newValue
      case .flip: transform.flip = newValue
      case .value(let key): values[key] = newValue
      }
    }
  }

  /// Those that say where it lies.
  static let placeProperties: Set<LayerProperty> = [.x, .y, .translationX, .translationY]
  static let fixedProperties: [LayerProperty] = [
    .x, .y, .width, .height, .opacity, .dissolved, .translationX, .translationY, .scaleX, .scaleY, .flip,
  ]
}

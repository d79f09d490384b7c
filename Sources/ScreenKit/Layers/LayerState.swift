public import TextCanvas

/// The name of an additional animatable value of a layer, as in `layer.values["progress"] = 1`.
public struct LayerKey: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the value, unique in its layer.
  public let name: String

  /// Creates a key from a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a key from a string literal.
  public init(stringLiteral name: String) {
    self.name = name
  }
}

/// An animatable property of a layer.
public enum LayerProperty: Hashable, Sendable {
  /// A component of ``LayerState/frame``.
  case x, y, width, height
  /// ``LayerState/opacity``.
  case opacity
  /// ``LayerState/dissolved``.
  case dissolved
  /// A component of ``LayerState/transform``.
  case translationX, translationY, scaleX, scaleY, flip
  /// One of the layer's additional ``LayerState/values``.
  case value(LayerKey)
}

/// All animatable properties of a layer at one time: its model or its presentation.
public struct LayerState: Hashable, Sendable {
  /// The frame in the superlayer, in cells, before the transform is applied.
  public var frame: Rect
  /// The opacity, 0…1.
  public var opacity: Double
  /// The progress of dissolving into the content below, 0…1. See ``Layer/dissolve``.
  public var dissolved = 0.0
  /// The translation, scale and flip about the centre of the frame.
  public var transform: Transform
  /// Additional values for the layer's own drawing. The default of a value is 0.
  public var values: [LayerKey: Double]

  /// Creates a state.
  ///
  /// - Parameters:
  ///   - frame: The frame in the superlayer, in cells.
  ///   - opacity: The opacity, 0…1.
  ///   - transform: The translation, scale and flip about the centre of the frame.
  ///   - values: Additional values for the layer's own drawing.
  public init(
    frame: Rect = .zero, opacity: Double = 1, transform: Transform = .identity, values: [LayerKey: Double] = [:]
  ) {
    self.frame = frame
    self.opacity = opacity
    self.transform = transform
    self.values = values
  }

  /// The width and height of the frame, in cells.
  public var size: Size { frame.size }

  /// The whole cells in which the layer is drawn. A frame with a whole-number size keeps its size at each position.
  public var cells: CellRect { frame.cells }

  /// The value of one property.
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

  /// The properties that determine the position.
  static let placeProperties: Set<LayerProperty> = [.x, .y, .translationX, .translationY]
  static let fixedProperties: [LayerProperty] = [
    .x, .y, .width, .height, .opacity, .dissolved, .translationX, .translationY, .scaleX, .scaleY, .flip,
  ]
}

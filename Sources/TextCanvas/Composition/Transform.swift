/// How a node is drawn away from its frame: moved, scaled, turned about its vertical axis; about the frame's middle.
public struct Transform: Hashable, Sendable {
  /// Moves by so many cells, after everything else.
  public var translation: Point
  /// Horizontal scale; 1 leaves it alone, 0 shows nothing.
  public var scaleX: Double
  /// Vertical scale; 1 leaves it alone, 0 shows nothing.
  public var scaleY: Double
  /// Turn about the vertical axis, in radians: at π/2 the card is seen from its edge, beyond it from behind.
  public var flip: Double

  /// Draws a node where its frame is.
  public static let identity = Transform()

  /// Makes a transform.
  public init(translation: Point = .zero, scaleX: Double = 1, scaleY: Double = 1, flip: Double = 0) {
    self.translation = translation
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.flip = flip
  }

  /// Whether it only moves.
  public var isTranslation: Bool { scaleX == 1 && scaleY == 1 && flip == 0 }
}

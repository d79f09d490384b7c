/// One thing to be drawn, with what lies on it: what a tree of layers becomes for one frame. A value.
///
/// Drawn in this order: the fill, the surface, the children, each later one over the earlier. Opacity and transform
/// apply to all of them together, as to one picture.
public struct RenderNode: Hashable, Sendable {
  /// Who it is, the same from frame to frame.
  public struct ID: Hashable, Sendable {
    /// A number that no other node of the tree has.
    public let rawValue: UInt64

    /// Makes an identity.
    public init(_ rawValue: UInt64) {
      self.rawValue = rawValue
    }
  }

  /// Who it is; what moved between two frames is found by it.
  public var id: ID
  /// Where it is in its parent, in cells and parts of cells.
  public var frame: Rect
  /// How much of it is seen, 0…1; the compositor takes the nearest of its levels.
  public var opacity: Double
  /// How it is drawn away from its frame.
  public var transform: Transform
  /// Where its surface and children are seen, in its own cells; everywhere when `nil`. Turned and scaled with it.
  public var clip: Rect?
  /// How far it has given way to what lies below its frame; `nil` for what lies over that as usual. What gives way covers
  /// its whole frame, and counts its opacity towards that.
  public var dissolve: Dissolve?
  /// The colour of the whole frame, drawn under the surface; edges between cells are drawn in eighths.
  public var fill: Colour?
  /// What is written on it, from its top left corner; its size does not follow the frame.
  public var surface: Surface?
  /// What lies on it, from the lowest to the highest.
  public var children: [RenderNode]

  /// Makes a node.
  public init(
    id: ID, frame: Rect, opacity: Double = 1, transform: Transform = .identity, clip: Rect? = nil, fill: Colour? = nil,
    surface: Surface? = nil, children: [RenderNode] = []
  ) {
    self.id = id
    self.frame = frame
    self.opacity = opacity
    self.transform = transform
    self.clip = clip
    self.fill = fill
    self.surface = surface
    self.children = children
  }
}

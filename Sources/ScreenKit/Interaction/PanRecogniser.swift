public import TextCanvas

/// Recognises a drag of the mouse, with its velocity.
///
/// ```swift
/// let pan = PanRecogniser { pan in
///   switch pan.state {
///   case .began: stack.pop(animated: true)
///   case .changed: hand.update(pan.translation.x / 80)
///   case .ended: pan.translation.x > 20 ? hand.finish(velocity: pan.velocity.x / 80) : hand.cancel()
///   case .possible, .cancelled: hand.cancel()
///   }
/// }
/// layer.add(pan)
/// ```
@MainActor public final class PanRecogniser {
  /// Where it stands.
  public enum State: Hashable, Sendable {
    /// A button may be down; it has not moved far enough.
    case possible
    /// It has just moved far enough.
    case began
    /// It moves.
    case changed
    /// The button was released.
    case ended
    /// It was taken away.
    case cancelled
  }

  /// The directions it answers to.
  public struct Axes: OptionSet, Hashable, Sendable {
    /// One bit for each.
    public let rawValue: UInt8
    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Left and right.
    public static let horizontal = Axes(rawValue: 1)
    /// Up and down.
    public static let vertical = Axes(rawValue: 2)
    /// Both.
    public static let all: Axes = [.horizontal, .vertical]
  }

  /// Where it stands.
  public private(set) var state = State.possible
  /// How far the mouse is from where the button went down, in cells.
  public private(set) var translation = Point.zero
  /// Where the mouse is, on the stage, in cells.
  public private(set) var location = Point.zero
  /// The directions it answers to.
  public var axes: Axes
  /// How many cells it takes to begin.
  public var threshold: Double

  private let action: @MainActor (PanRecogniser) -> Void
  private var start: Point?
  private var track: [(time: Double, point: Point)] = []

  /// How far back the velocity looks, in seconds.
  static let memory = 0.1

  /// Makes a recogniser; add it to a layer.
  ///
  /// - Parameters:
  ///   - axes: The directions it answers to.
  ///   - threshold: How many cells it takes to begin, above 0.
  ///   - action: Called at each change.
  public init(
    axes: Axes = .all, threshold: Double = 1, action: @escaping @MainActor (PanRecogniser) -> Void
  ) {
    self.axes = axes
    self.threshold = threshold
    self.action = action
  }

  /// How fast the mouse moves, in cells a second, over the last tenth of a second, and no longer ago than it last turned
  /// round; 0 where it has stood still since.
  public var velocity: Point { Point(x: velocity(along: \.x), y: velocity(along: \.y)) }

  private func velocity(along axis: KeyPath<Point, Double>) -> Double {
    guard let last = track.last else { return 0 }
    var first = last
    var way = 0.0
    for sample in track.dropLast().reversed() {
      let step = first.point[keyPath: axis] - sample.point[keyPath: axis]
      if way * step < 0 { break }
      if step != 0 { way = step }
      first = sample
    }
    return last.time > first.time
      ? (last.point[keyPath: axis] - first.point[keyPath: axis]) / (last.time - first.time) : 0
  }

  /// Gives up the drag.
  public func cancel() {
    guard state == .began || state == .changed else { return }
    state = .cancelled
    action(self)
    reset()
  }

  func handle(_ event: MouseEvent, at time: Double) -> Bool {
    let point = Point(x: Double(event.position.column), y: Double(event.position.row))
    switch event.action {
    case .press(.left):
      reset()
      start = point
      remember(point, at: time)
      return false
    case .drag(.left):
      guard let start else { return false }
      remember(point, at: time)
      return move(Point(x: point.x - start.x, y: point.y - start.y))
    case .release(.left):
      guard start != nil else { return false }
      remember(point, at: time)
      let wasMoving = state == .began || state == .changed
      if wasMoving {
        state = .ended
        action(self)
      }
      reset()
      return wasMoving
    default:
      return false
    }
  }

  private func move(_ translation: Point) -> Bool {
    self.translation = translation
    switch state {
    case .possible:
      let columns = axes.contains(.horizontal) ? abs(translation.x) : 0
      let rows = axes.contains(.vertical) ? abs(translation.y) : 0
      guard max(columns, rows) >= threshold else { return false }
      state = .began
    default:
      state = .changed
    }
    action(self)
    return true
  }

  private func remember(_ point: Point, at time: Double) {
    location = point
    track.append((time, point))
    track.removeAll { $0.time < time - PanRecogniser.memory }
  }

  private func reset() {
    state = .possible
    start = nil
    translation = .zero
    track = []
  }
}

extension Layer {
  /// Lets a recogniser see the mouse over the layer and everything in it.
  public func add(_ recogniser: PanRecogniser) {
    recognisers.append(recogniser)
  }

  /// Takes a recogniser away.
  public func remove(_ recogniser: PanRecogniser) {
    recognisers.removeAll { $0 === recogniser }
  }
}

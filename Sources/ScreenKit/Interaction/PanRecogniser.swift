public import TextCanvas

/// A recogniser for drags of the mouse, with their velocity.
///
/// ```swift
/// let pan = PanRecogniser { pan in
///   switch pan.state {
///   case .began: stack.pop(animated: true)
///   case .changed: interaction.update(pan.translation.x / 80)
///   case .ended: pan.translation.x > 20 ? interaction.finish(velocity: pan.velocity.x / 80) : interaction.cancel()
///   case .possible, .cancelled: interaction.cancel()
///   }
/// }
/// layer.add(pan)
/// ```
@MainActor public final class PanRecogniser {
  /// The state of a recogniser.
  public enum State: Hashable, Sendable {
    /// No drag. A button may be pressed, but the mouse has not reached the threshold.
    case possible
    /// The drag has just reached the threshold.
    case began
    /// The mouse has moved since the drag began.
    case changed
    /// The button was released.
    case ended
    /// The drag was cancelled.
    case cancelled
  }

  /// The directions in which a drag can begin.
  public struct Axes: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Left and right.
    public static let horizontal = Axes(rawValue: 1)
    /// Up and down.
    public static let vertical = Axes(rawValue: 2)
    /// Both directions.
    public static let all: Axes = [.horizontal, .vertical]
  }

  /// The current state.
  public private(set) var state = State.possible
  /// The distance in cells from the position where the button was pressed.
  public private(set) var translation = Point.zero
  /// The position of the mouse on the stage, in cells.
  public private(set) var location = Point.zero
  /// The directions in which a drag can begin.
  public var axes: Axes
  /// The distance in cells at which the drag begins.
  public var threshold: Double

  private let action: @MainActor (PanRecogniser) -> Void
  private var start: Point?
  private var track: [(time: Double, point: Point)] = []

  /// The interval, in seconds, over which the velocity is measured.
  static let memory = 0.1

  /// Creates a recogniser. Add it to a layer with `Layer.add(_:)`.
  ///
  /// - Parameters:
  ///   - axes: The directions in which a drag can begin.
  ///   - threshold: The distance in cells at which the drag begins, greater than 0.
  ///   - action: Called at each change of the state or position.
  public init(
    axes: Axes = .all, threshold: Double = 1, action: @escaping @MainActor (PanRecogniser) -> Void
  ) {
    self.axes = axes
    self.threshold = threshold
    self.action = action
  }

  /// The velocity of the mouse in cells per second, measured over the last tenth of a second or since the last change
  /// of direction, whichever is shorter. 0 if the mouse has not moved during that time.
  public var velocity: Point { Point(x: velocity(along: \.x), y: velocity(along: \.y)) }

  private func velocity(along axis: KeyPath<Point, Double>) -> Double {
    guard let last = track.last else { return 0 }
    var first = last
    var direction = 0.0
    for sample in track.dropLast().reversed() {
      let offset = first.point[keyPath: axis] - sample.point[keyPath: axis]
      if direction * offset < 0 { break }
      if offset != 0 { direction = offset }
      first = sample
    }
    return last.time > first.time
      ? (last.point[keyPath: axis] - first.point[keyPath: axis]) / (last.time - first.time) : 0
  }

  /// Cancels a drag. Has no effect if there is none.
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
  /// Adds a recogniser, which receives the mouse events over the layer and its sublayers.
  public func add(_ recogniser: PanRecogniser) {
    recognisers.append(recogniser)
  }

  /// Removes a recogniser.
  public func remove(_ recogniser: PanRecogniser) {
    recognisers.removeAll { $0 === recogniser }
  }
}

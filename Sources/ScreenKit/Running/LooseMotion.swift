import TextCanvas

/// What is left of an interrupted motion where no transition took it over: it comes to its end by itself, unless something
/// begins that takes it over.
@MainActor final class LooseMotion {
  /// Seconds in which it dies away where it has no end of its own.
  static let duration = 0.25

  private(set) weak var container: Layer?
  /// What leaves the container with it.
  private(set) var stills: [Layer]
  /// The animations that go back to their beginning; nil where all move to their ends.
  let takenBack: AnimationGroup?
  /// What moves as one.
  let piece: MovingPiece?
  private let size: Size
  private var finish: (@MainActor () -> Void)?
  private var timer: TimelineTimer?

  /// - Parameters:
  ///   - time: When it has come to its end.
  ///   - pictures: What leaves with it.
  ///   - takenBack: The animations that go back to their beginning; nil where all move to their ends.
  ///   - piece: What moves as one.
  ///   - finish: Brings it to its end, and takes the pictures away.
  init(
    until time: Double, in container: Layer, on timeline: Timeline, pictures: [Layer],
    takenBack: AnimationGroup? = nil, piece: MovingPiece? = nil, finish: @escaping @MainActor () -> Void
  ) {
    self.container = container
    size = container.bounds.size
    stills = pictures
    self.takenBack = takenBack
    self.piece = piece
    self.finish = finish
    timer = TimelineTimer(at: time, on: timeline) { [weak self] in self?.end() }
  }

  /// Lets settlings die away; nil where there are none, and what leaves is gone.
  convenience init?(_ settlings: [Settling], _ stills: [Layer], in container: Layer, on timeline: Timeline) {
    let finish: @MainActor () -> Void = {
      for settling in settlings { settling.stop() }
      for still in stills { still.removeFromSuperlayer() }
    }
    guard let end = settlings.compactMap(\.eventTime).max() else {
      finish()
      return nil
    }
    self.init(until: end, in: container, on: timeline, pictures: stills, finish: finish)
  }

  /// Whether it still moves.
  var isMoving: Bool { finish != nil }

  /// Is over at once.
  func end() {
    timer?.cancel()
    timer = nil
    let finish = finish
    self.finish = nil
    finish?()
    stills = []
  }

  /// Is over where its container has another size now: it was moving to other places.
  func containerWasLaidOut() {
    if container?.bounds.size != size { end() }
  }
}

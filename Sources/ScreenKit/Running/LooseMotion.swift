/// What is left of an interrupted motion where no transition took it over: it dies away by itself, unless something begins
/// that does.
@MainActor final class LooseMotion {
  /// Seconds in which it dies away.
  static let duration = 0.25

  private(set) weak var container: Layer?
  private(set) var stills: [Layer]
  private var settlings: [Settling]
  private var timer: TimelineTimer?

  init?(_ settlings: [Settling], _ stills: [Layer], in container: Layer, on timeline: Timeline) {
    guard let end = settlings.compactMap(\.eventTime).max() else {
      // What leaves without moving is gone.
      for still in stills { still.removeFromSuperlayer() }
      return nil
    }
    self.container = container
    self.stills = stills
    self.settlings = settlings
    timer = TimelineTimer(at: end, on: timeline) { [weak self] in self?.end() }
  }

  /// Is over at once.
  func end() {
    timer?.cancel()
    timer = nil
    for settling in settlings { settling.stop() }
    for still in stills { still.removeFromSuperlayer() }
    settlings = []
    stills = []
  }
}

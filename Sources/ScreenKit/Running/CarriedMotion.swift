import TextCanvas

/// What is seen of the layers of a container at the moment a transition is interrupted, so that the next one starts
/// from there: every layer keeps its place and velocity, and the difference to what the next transition shows dies away
/// while that runs. What the interruption sends away leaves as a still picture.
@MainActor struct CarriedMotion {
  fileprivate struct Seen {
    let layer: Layer
    /// Whether it was a screen's layer, or moved: what only stood in one counts where the next transition moves it.
    let counts: Bool
    let state: LayerState
    let velocities: [LayerProperty: Double]
    /// How long the ways are that it is on.
    let spans: [LayerProperty: Double]
  }

  /// What of that continues, by the layers that were seen.
  private struct Continued {
    var layers: Set<ObjectIdentifier> = []
    /// Those that a layer of the next animator continues: a screen has only its own place from what stood for it.
    var inAnimator: Set<ObjectIdentifier> = []
  }

  private var layers: [ObjectIdentifier: Seen] = [:]
  private var identities: [TransitionID: Seen] = [:]
  /// The originals of a matched element, which appear with the next transition unless they continue the element.
  private var originals: [ObjectIdentifier: Seen] = [:]
  private let container: Layer
  private let stills: DepartingStills
  /// A snapshot of the container, which dissolves over the next transition if that does not continue all that moved.
  private let picture: Layer
  /// The picture of an earlier interruption that still dissolves. It lies over everything, and ``picture`` shows it.
  private let afterimage: Layer?
  /// What an animator has shown in place of the screens; empty where the screens themselves are seen.
  private let substitutes: [Layer]
  /// What moved, by the layer in the container that it is in.
  private var moving: [(layer: Layer, parts: [ObjectIdentifier])] = []
  /// What moved as one piece.
  private let interrupted: InterruptedPiece?
  /// What moves as one piece now.
  private var piece: [Layer] = []
  /// Whether what moved is faded over: screens that fade into each other cannot continue, and where one of them is cut
  /// off by its place it would cover the other.
  private var isFadedOver = false
  /// What stays under the screen that comes now; its moving layers continue, and so do those that come over them.
  private var presenter: Layer?

  /// - Parameter run: The transition that is about to be interrupted.
  init(of run: TransitionRun) {
    let stills = DepartingStills(
      of: run.layersLeaving, in: run.plan.container, takenBackBy: run.goesBackWhenInterrupted ? run.group : nil)
    self.init(in: run.plan.container, stills: stills, shown: run.strays, left: run.stills, piece: run.piece)
    for layer in (run.animator as? MatchedTransition)?.hidden?.hiddenLayers ?? [] {
      originals[ObjectIdentifier(layer)] = Seen(hidden: layer)
    }
  }

  /// - Parameter loose: What is about to be interrupted after its transition is over.
  init?(of loose: LooseMotion?) {
    guard let loose, let container = loose.container else { return nil }
    let stills = DepartingStills(of: loose.stills, in: container, takenBackBy: loose.takenBack)
    self.init(in: container, stills: stills, shown: loose.stills, left: [], piece: loose.piece)
  }

  /// - Parameters:
  ///   - layers: Those that an animator has put there.
  ///   - pictures: Those that are left of an earlier interruption.
  ///   - piece: What moves as one.
  private init(
    in container: Layer, stills: DepartingStills, shown layers: [Layer], left pictures: [Layer], piece: MovingPiece?
  ) {
    interrupted = piece.map { InterruptedPiece(of: $0, in: container) }
    self.container = container
    self.stills = stills
    let shown = layers.filter { layer in !layer.isHidden && !pictures.contains { $0 === layer } }
    let screens = container.sublayers.filter { layer in !(layers + pictures).contains { $0 === layer } }
    substitutes = screens.allSatisfy(\.isHidden) ? shown : []
    picture = container.pictureOfPlace()
    afterimage = container.sublayers.last { $0.isDissolvingSnapshot && $0.timeToGiveWay != nil }
    for layer in container.sublayers {
      var parts: [ObjectIdentifier] = []
      look(at: layer, isAtTheTop: true, moving: &parts)
      if !parts.isEmpty { moving.append((layer, parts)) }
    }
  }

  /// What stands still in the container is seen as well: the next transition may want to begin it elsewhere.
  private mutating func look(at layer: Layer, isAtTheTop: Bool = false, moving parts: inout [ObjectIdentifier]) {
    if layer.isHidden { return }
    if layer.isAnimating { parts.append(ObjectIdentifier(layer)) }
    var velocities: [LayerProperty: Double] = [:]
    var spans: [LayerProperty: Double] = [:]
    for property in layer.movingProperties {
      velocities[property] = layer.velocity(of: property)
      spans[property] = layer.span(of: property)
    }
    let counts = isAtTheTop || layer.isAnimating
    let seen = Seen(layer: layer, counts: counts, state: layer.presentation, velocities: velocities, spans: spans)
    layers[ObjectIdentifier(layer)] = seen
    if counts, let identity = layer.identity { identities[identity] = seen }
    for sublayer in layer.sublayers { look(at: sublayer, moving: &parts) }
  }

  /// Lets the differences die away in the time of the transition that has begun.
  mutating func settle(into run: TransitionRun) {
    guard run.phase == .running, let stage = run.stage else { return }
    presenter = run.plan.keepsFromLayer ? run.plan.from.loadedLayer : nil
    piece = run.piece?.layers ?? []
    isFadedOver = run.animator is CrossFadeTransition && !moving.isEmpty
    let duration = run.group.map { $0.animators.isEmpty ? run.duration : $0.duration } ?? run.duration
    let screens = [run.plan.from, run.plan.to].compactMap(\.loadedLayer)
    let (settlings, stills, riders) = settle(
      in: run.plan.container, of: screens, for: max(duration, 0.05), on: stage.timeline)
    run.carried += settlings
    run.stills += stills
    run.piece?.riders = riders
    run.stills += riders.map(\.picture)
    if let shown = [picture, afterimage].compactMap({ $0 }).first(where: { $0.superlayer != nil }) {
      run.stills.append(shown)
    }
  }

  /// Lets the differences die away by themselves: what interrupted came to nothing, since the interruption alone has led
  /// where it wanted to go.
  func settleAlone() -> LooseMotion? {
    guard let stage = container.stage else { return nil }
    let (settlings, stills, _) = settle(
      in: container, of: container.sublayers, for: LooseMotion.duration, on: stage.timeline)
    return LooseMotion(settlings, stills, in: container, on: stage.timeline)
  }

  private func settle(
    in container: Layer, of screens: [Layer], for duration: Double, on timeline: Timeline
  ) -> (settlings: [Settling], stills: [Layer], riders: [MovingPiece.Rider]) {
    var all: [Settling] = []
    var continued = Continued()
    for layer in container.sublayers {
      var seen: Set<ObjectIdentifier> = []
      all += settlings(of: layer, for: duration, on: timeline, continuing: &seen)
      continued.layers.formUnion(seen)
      if !screens.contains(where: { $0 === layer }) { continued.inAnimator.formUnion(seen) }
    }
    if let mover = piece.first(where: { seen(of: $0) != nil }) {
      let others = piece.filter { seen(of: $0) == nil }
      let places = mover.settlings.filter { LayerState.placeProperties.contains($0.property) }
      all += others.flatMap { other in places.map { $0.alike(of: other) } }
      continued.layers.insert(ObjectIdentifier(mover))
      continued.inAnimator.insert(ObjectIdentifier(mover))
    }
    let ride = interrupted.map { $0.ride(with: piece, besides: continued.layers) } ?? ([], [], [])
    all += ride?.settlings ?? []
    continued.layers.formUnion(ride?.departed.map { ObjectIdentifier($0) } ?? [])
    if ride == nil || isCutOff(continuing: continued) {
      afterimage?.removeAllAnimations()
      container.cover(with: picture)
      continued.layers.formUnion(substitutes.map { ObjectIdentifier($0) })
    }
    let departed = stills.insert(into: container, besides: continued.layers)
    for (still, original) in departed {
      let known = layers[ObjectIdentifier(original)]
      guard let seen = still === stills.merged ? Seen(appearanceOf: still) : known else { continue }
      all += settlings(of: still, from: seen, for: duration, on: timeline)
    }
    // The old picture keeps dissolving if no new one was needed.
    if let afterimage, picture.superlayer == nil { container.add(afterimage) }
    return (all, departed.map(\.still), ride?.riders ?? [])
  }

  private func settlings(
    of layer: Layer, for duration: Double, on timeline: Timeline, hidden isHidden: Bool = false,
    continuing: inout Set<ObjectIdentifier>
  ) -> [Settling] {
    let isHidden = isHidden || layer.isHidden
    var settlings: [Settling] = []
    if let seen = seen(of: layer) {
      if !isHidden { continuing.insert(ObjectIdentifier(seen.layer)) }
      settlings = self.settlings(of: layer, from: seen, for: duration, on: timeline)
    }
    for sublayer in layer.sublayers {
      settlings += self.settlings(
        of: sublayer, for: duration, on: timeline, hidden: isHidden, continuing: &continuing)
    }
    return settlings
  }

  /// What leads one layer from what was seen to where it is now.
  private func settlings(
    of layer: Layer, from seen: Seen, for duration: Double, on timeline: Timeline
  ) -> [Settling] {
    let now = layer.presentation
    var properties = LayerState.fixedProperties
    properties += Set(seen.state.values.keys).union(now.values.keys).sorted { $0.name < $1.name }.map { .value($0) }
    var settlings: [Settling] = []
    for property in properties {
      let distance = seen.state[property] - now[property]
      let velocity = (seen.velocities[property] ?? 0) - layer.velocity(of: property)
      guard abs(distance) > 1e-9 || abs(velocity) > 1e-6 else { continue }
      let span = max(seen.spans[property] ?? 0, layer.span(of: property))
      settlings.append(
        Settling(
          property, of: layer, distance: distance, velocity: velocity, duration: duration, span: span, on: timeline))
    }
    layer.settlings += settlings
    return settlings
  }
}

@MainActor extension CarriedMotion.Seen {
  /// A layer that appears where it is.
  fileprivate init(hidden layer: Layer) {
    var state = layer.presentation
    state.opacity = 0
    self.init(layer: layer, counts: true, state: state, velocities: [:], spans: [:])
  }

  /// A snapshot that stays where it is and fades out.
  fileprivate init(appearanceOf still: Layer) {
    var state = still.model
    state.opacity = 1
    self.init(layer: still, counts: false, state: state, velocities: [:], spans: [:])
  }
}

extension CarriedMotion {
  /// Whether something that was seen is neither there nor gone on with: what stood for screens that are seen again, or a
  /// moving screen for which something else stands now.
  private func isCutOff(continuing continued: Continued) -> Bool {
    isFadedOver || substitutes.contains { !continued.inAnimator.contains(ObjectIdentifier($0)) }
      || moving.contains { layer, parts in layer.isHidden && !parts.contains(where: continued.layers.contains) }
  }

  /// What was seen of a layer that moved. One that was not seen at all starts where another one of its identity was,
  /// which is seen no more.
  private func seen(of layer: Layer) -> Seen? {
    if let seen = layers[ObjectIdentifier(layer)] { return seen.counts || layer.isAnimating ? seen : nil }
    guard let other = layer.identity.flatMap({ identities[$0] }) else { return originals[ObjectIdentifier(layer)] }
    let isHidden = sequence(first: other.layer, next: \.superlayer).contains { $0.isHidden }
    let isSeenNoMore = isHidden || other.layer.stage == nil
    return isSeenNoMore || presenter?.contains(other.layer) == true ? other : originals[ObjectIdentifier(layer)]
  }
}

extension Layer {
  var movingProperties: Set<LayerProperty> {
    Set(animations.map(\.property)).union(settlings.map(\.property))
  }

  /// How long the way is that a property is on.
  fileprivate func span(of property: LayerProperty) -> Double {
    let animated = animations.filter { $0.property == property }.reduce(0) { $0 + abs($1.change) }
    return settlings.filter { $0.property == property }.reduce(animated) { max($0, $1.span) }
  }
}

/// Layers that a transition moves as one piece, such as pages side by side, and the pictures of earlier ones that go along.
@MainActor struct MovingPiece {
  /// A picture of a layer that has left, which moves as the first layer of the piece.
  struct Rider {
    let picture: Layer
    let identity: TransitionID?
  }

  let layers: [Layer]
  var riders: [Rider] = []

}

/// What is seen of a piece in the moment in which its transition is cut short.
@MainActor struct InterruptedPiece {
  private struct Part {
    let layer: Layer
    /// The layer in the container that it is in.
    let top: Layer
    let rider: MovingPiece.Rider
    /// Where it is seen in the container.
    let place: Rect

    @MainActor func continues(in other: Layer) -> Bool {
      other === layer || other.identity != nil && other.identity == rider.identity
    }
  }

  private let parts: [Part]
  private let container: Layer

  /// - Parameter container: The transition's, in which all of it is seen.
  init(of piece: MovingPiece, in container: Layer) {
    self.container = container
    let layers = piece.layers.map { ($0, nil as MovingPiece.Rider?) } + piece.riders.map { ($0.picture, $0) }
    parts = layers.compactMap { layer, rider in
      let way = Array(sequence(first: layer, next: \.superlayer).prefix { $0 !== container })
      let isSeen = !way.contains { $0.isHidden || $0.presentation.opacity <= 0 }
      guard isSeen, let top = way.last else { return nil }
      return Part(
        layer: layer, top: top, rider: rider ?? MovingPiece.Rider(picture: layer.snapshot(), identity: layer.identity),
        place: layer.presentedFrame(in: container))
    }
  }

  /// Lets what has left go along with the piece that moves now, if that continues it.
  ///
  /// - Parameters:
  ///   - piece: The layers that move now, as they are seen.
  ///   - continued: Layers that other ones continue.
  /// - Returns: The pictures that go along with what leads them to their places, and the layers in the container that need
  ///   no other picture; `nil` if one would lie over what comes now, or there are too many.
  func ride(
    with piece: [Layer], besides continued: Set<ObjectIdentifier>
  ) -> (riders: [MovingPiece.Rider], settlings: [Settling], departed: [Layer])? {
    guard let carrier = piece.first, piece.contains(where: { layer in parts.contains { $0.continues(in: layer) } })
    else { return ([], [], []) }
    let gone = parts.filter { part in
      !continued.contains(ObjectIdentifier(part.layer)) && !piece.contains(where: part.continues)
    }
    let seen = gone.filter { !$0.place.cells.intersection(container.bounds.cells).isEmpty }
    let others = piece.dropFirst().map { $0.presentedFrame(in: container).cells }
    guard seen.count <= DepartingStills.mostStills,
      !seen.contains(where: { part in others.contains { !$0.intersection(part.place.cells).isEmpty } })
    else { return nil }
    let settlings = seen.flatMap { part in
      container.add(part.rider.picture)
      return part.rider.picture.goAlong(with: carrier, from: part.place)
    }
    return (seen.map(\.rider), settlings, gone.map(\.top))
  }
}

extension Layer {
  /// Moves as another layer does, from where it is seen.
  fileprivate func goAlong(with carrier: Layer, from place: Rect) -> [Settling] {
    removeAllAnimations()
    isUserInteractionEnabled = false
    animations = carrier.animations.filter { LayerState.placeProperties.contains($0.property) }
    for animation in animations { animation.animator.adopt(self) }
    let settlings = carrier.settlings.filter { LayerState.placeProperties.contains($0.property) }
    let own = settlings.map { $0.alike(of: self) }
    withoutAnimation {
      (frame, transform) = (place, .identity)
      let seen = presentation
      frame.x -= seen.frame.x + seen.transform.translation.x - place.x
      frame.y -= seen.frame.y + seen.transform.translation.y - place.y
    }
    return own
  }
}

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

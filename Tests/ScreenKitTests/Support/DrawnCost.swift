import TextCanvas

@testable import ScreenKit

/// The cost of a frame as counts, which do not depend on the machine.
struct DrawnCost: Hashable, CustomStringConvertible {
  var nodes = 0
  var layers = 0
  /// The animations and residual springs of all layers.
  var animations = 0
  /// The entries of the stage's timeline.
  var entries = 0

  /// Counts the costs without advancing the stage.
  @MainActor init(of stage: Stage) {
    nodes = stage.tick(at: stage.now).count
    count(stage.layer)
    entries = stage.timeline.entries.count
  }

  @MainActor private mutating func count(_ layer: Layer) {
    layers += 1
    animations += layer.animations.count + layer.residualAnimations.count
    for sublayer in layer.sublayers { count(sublayer) }
  }

  var total: Int { nodes + layers + animations + entries }

  var description: String {
    "\(nodes) nodes, \(layers) layers, \(animations) animations, \(entries) entries"
  }
}

extension RenderNode {
  fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }
}

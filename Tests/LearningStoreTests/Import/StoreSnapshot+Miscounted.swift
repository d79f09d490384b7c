import LearningModel

@testable import LearningStore

extension StoreSnapshot {
  /// Returns a description of each place whose number of children, or the positions of its children, are wrong.
  func miscounted() throws -> [String] {
    let places = try [Place.root] + subtree(from: .root).map { .node($0.node.id) }
    return try places.flatMap { place in
      let children = try children(of: place)
      let time = Timestamp(milliseconds: 0)
      let cards = try cards(under: place.node, for: nil, in: 0..<children.count + 1, at: time).map(\.node)
      let last = try cards.indices.last.map {
        try self.cards(under: place.node, for: nil, in: $0..<$0 + 1, at: time).map(\.node)
      }
      let positions = try children.map { try siblingPosition(of: $0) }
      let isRight =
        try childCount(of: place.node) == children.count && cards == children && last ?? [] == children.suffix(1)
        && positions.map(\.number) == Array(children.indices.map { $0 + 1 })
        && positions.allSatisfy { $0.count == children.count }
        && children.indices.allSatisfy { try index(of: children[$0].id, in: place.node) == $0 }
      return isRight ? [] : ["\(place) is said to hold \(try childCount(of: place.node)) of \(children.count)"]
    }
  }
}

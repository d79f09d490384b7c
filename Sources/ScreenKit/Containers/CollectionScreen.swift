public import TextCanvas

/// Says where the items of a collection lie.
public protocol CollectionLayout: Sendable {
  /// The frames of so many items, in a screen of a size.
  func frames(count: Int, in size: Size) -> [Rect]
}

/// Items one below the other.
public struct ListLayout: CollectionLayout {
  /// Rows of one item.
  public var rows: Double
  /// Rows between two items.
  public var gap: Double

  /// Makes a layout.
  public init(rows: Double = 1, gap: Double = 0) {
    self.rows = rows
    self.gap = gap
  }

  /// One below the other, as wide as the screen.
  public func frames(count: Int, in size: Size) -> [Rect] {
    (0..<count).map { Rect(x: 0, y: Double($0) * (rows + gap), width: size.width, height: rows) }
  }
}

/// Items side by side, in rows.
public struct GridLayout: CollectionLayout {
  /// How many items stand side by side; less than 1 counts as 1.
  public var across: Int
  /// Rows of one item.
  public var rows: Double

  /// Makes a layout.
  public init(across: Int, rows: Double = 1) {
    self.across = across
    self.rows = rows
  }

  /// From left to right, then down.
  public func frames(count: Int, in size: Size) -> [Rect] {
    let across = max(1, across)
    let width = (size.width / Double(across)).rounded(.down)
    return (0..<count).map {
      Rect(x: Double($0 % across) * width, y: Double($0 / across) * rows, width: width, height: rows)
    }
  }
}

/// The items of collections: several screens can show the same ones, each in its own layout.
@MainActor public final class CollectionItems {
  /// Their identities, in order; screens that show them are laid out again when it changes.
  public var ids: [TransitionID] {
    didSet { for observer in observers { observer.screen?.reload() } }
  }

  /// Makes the layer of an item; each screen asks for its own.
  public let makeLayer: @MainActor (TransitionID) -> Layer
  private var observers: [Observer] = []

  private struct Observer { weak var screen: CollectionScreen? }

  /// Makes items.
  public init(_ ids: [TransitionID], makeLayer: @escaping @MainActor (TransitionID) -> Layer) {
    self.ids = ids
    self.makeLayer = makeLayer
  }

  func observe(_ screen: CollectionScreen) {
    observers.removeAll { $0.screen == nil }
    observers.append(Observer(screen: screen))
  }
}

/// Shows items in a layout.
///
/// Pushed on another collection screen of the same items with ``usesLayoutToLayoutTransitions`` set, its items move from
/// the places they have there to the places they have here, and back when it is popped.
@MainActor open class CollectionScreen: Screen {
  /// What it shows.
  public let items: CollectionItems
  /// Where the items lie.
  let collectionLayout: any CollectionLayout
  /// Whether it is pushed and popped layout to layout; set it before the push. The root's stays false.
  public var usesLayoutToLayoutTransitions = false

  private var itemLayers: [TransitionID: Layer] = [:]

  /// Makes a screen.
  public init(_ items: CollectionItems, layout: any CollectionLayout, title: String = "") {
    self.items = items
    collectionLayout = layout
    super.init(title: title)
    items.observe(self)
  }

  open override func didLoad() {
    reload()
  }

  open override func layOut(in size: Size) {
    for (id, frame) in zip(items.ids, collectionLayout.frames(count: items.ids.count, in: size)) {
      itemLayers[id]?.frame = frame
    }
  }

  /// Returns the layer of an item on this screen; `nil` before the screen's layer is loaded, and for other identifiers.
  public func itemLayer(for id: TransitionID) -> Layer? { itemLayers[id] }

  /// Takes the items as they are now.
  func reload() {
    guard let loadedLayer else { return }
    let ids = Set(items.ids)
    for (id, layer) in itemLayers where !ids.contains(id) {
      layer.removeFromSuperlayer()
      itemLayers[id] = nil
    }
    for id in items.ids {
      let layer = itemLayers[id] ?? items.makeLayer(id)
      layer.identity = layer.identity ?? id
      itemLayers[id] = layer
      loadedLayer.add(layer)
    }
    loadedLayer.setNeedsLayout()
  }

  /// Whether a transition between two screens goes from layout to layout.
  static func goesLayoutToLayout(_ operation: TransitionOperation, from: Screen, to: Screen) -> Bool {
    guard let from = from as? CollectionScreen, let to = to as? CollectionScreen, from.items === to.items else {
      return false
    }
    return operation.isForward ? to.usesLayoutToLayoutTransitions : from.usesLayoutToLayoutTransitions
  }
}

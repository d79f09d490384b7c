public import TextCanvas

/// The arrangement of the items of a collection.
public protocol CollectionLayout: Sendable {
  /// Returns the frames of all items, in order.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - size: The size of the screen in cells.
  func frames(count: Int, in size: Size) -> [Rect]
}

/// A layout with one item below the other.
public struct ListLayout: CollectionLayout {
  /// The height of an item in rows.
  public var rows: Double
  /// The number of rows between two items.
  public var gap: Double

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - rows: The height of an item in rows.
  ///   - gap: The number of rows between two items.
  public init(rows: Double = 1, gap: Double = 0) {
    self.rows = rows
    self.gap = gap
  }

  /// Returns frames one below the other, each as wide as the screen.
  public func frames(count: Int, in size: Size) -> [Rect] {
    (0..<count).map { Rect(x: 0, y: Double($0) * (rows + gap), width: size.width, height: rows) }
  }
}

/// A layout with several items in each row.
public struct GridLayout: CollectionLayout {
  /// The number of items in a row. Values less than 1 count as 1.
  public var across: Int
  /// The height of an item in rows.
  public var rows: Double

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - across: The number of items in a row. Values less than 1 count as 1.
  ///   - rows: The height of an item in rows.
  public init(across: Int, rows: Double = 1) {
    self.across = across
    self.rows = rows
  }

  /// Returns frames from left to right, then from top to bottom. All have the same width, in whole columns.
  public func frames(count: Int, in size: Size) -> [Rect] {
    let across = max(1, across)
    let width = (size.width / Double(across)).rounded(.down)
    return (0..<count).map {
      Rect(x: Double($0 % across) * width, y: Double($0 / across) * rows, width: width, height: rows)
    }
  }
}

/// The items of a collection. Several screens can show the same items, each in its own layout.
@MainActor public final class CollectionItems {
  /// The identifiers of the items, in order. Screens that show the items are updated when it changes.
  public var ids: [TransitionID] {
    didSet { for observer in observers { observer.screen?.reload() } }
  }

  /// Creates the layer of an item. Each screen has its own layers.
  public let makeLayer: @MainActor (TransitionID) -> Layer
  private var observers: [Observer] = []

  private struct Observer { weak var screen: CollectionScreen? }

  /// Creates a list of items.
  ///
  /// - Parameters:
  ///   - ids: The identifiers of the items, in order.
  ///   - makeLayer: Creates the layer of an item. Called for each item on each screen.
  public init(_ ids: [TransitionID], makeLayer: @escaping @MainActor (TransitionID) -> Layer) {
    self.ids = ids
    self.makeLayer = makeLayer
  }

  func observe(_ screen: CollectionScreen) {
    observers.removeAll { $0.screen == nil }
    observers.append(Observer(screen: screen))
  }
}

/// A screen that shows a collection of items.
///
/// If ``usesLayoutToLayoutTransitions`` is set and the screen is pushed onto another collection screen of the same
/// items, the items move from their frames on that screen to their frames on this one, and back when the screen is
/// popped.
@MainActor open class CollectionScreen: Screen {
  /// The items of the collection.
  public let items: CollectionItems
  /// The arrangement of the items.
  let collectionLayout: any CollectionLayout
  /// Whether the screen is pushed and popped by moving its items between both layouts. Set it before the push. It has
  /// no effect on the root of a stack.
  public var usesLayoutToLayoutTransitions = false

  private var itemLayers: [TransitionID: Layer] = [:]

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - items: The items, which other screens can show too.
  ///   - layout: The arrangement of the items.
  ///   - title: The title of the screen.
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

  /// Returns the layer of an item on this screen, or `nil` if the screen's layer is not loaded or the item does not exist.
  public func itemLayer(for id: TransitionID) -> Layer? { itemLayers[id] }

  /// Adds and removes layers for the current items.
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

  /// Returns whether the transition between two screens moves the items between both layouts.
  static func usesLayoutTransition(_ operation: TransitionOperation, from: Screen, to: Screen) -> Bool {
    guard let from = from as? CollectionScreen, let to = to as? CollectionScreen, from.items === to.items else {
      return false
    }
    return operation.isForward ? to.usesLayoutToLayoutTransitions : from.usesLayoutToLayoutTransitions
  }
}

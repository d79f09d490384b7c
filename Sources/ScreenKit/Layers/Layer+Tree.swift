extension Layer {
  /// Adds a layer at the front; one that is in a layer already is moved.
  public func add(_ layer: Layer) {
    insert(layer, at: sublayers.count)
  }

  /// Adds a layer behind one of the sublayers; at the front where that is not one.
  public func add(_ layer: Layer, below sibling: Layer) {
    insert(layer, at: sublayers.firstIndex { $0 === sibling } ?? sublayers.count)
  }

  /// Adds a layer in front of one of the sublayers; at the front where that is not one.
  public func add(_ layer: Layer, above sibling: Layer) {
    insert(layer, at: sublayers.firstIndex { $0 === sibling }.map { $0 + 1 } ?? sublayers.count)
  }

  /// Takes it out of its superlayer. What moves in it keeps moving unseen.
  public func removeFromSuperlayer() {
    guard let superlayer else { return }
    let stage = stage
    owner?.layerWillLeave(stage)
    superlayer.sublayers.removeAll { $0 === self }
    self.superlayer = nil
    stage?.needsFrame = true
    owner?.layerDidLeave(stage)
  }

  /// Whether a layer is this one or somewhere in it.
  public func contains(_ layer: Layer) -> Bool {
    sequence(first: layer, next: \.superlayer).contains { $0 === self }
  }

  private func insert(_ layer: Layer, at index: Int) {
    guard !layer.contains(self) else { return ScreenIssue.layerInItself(layer: layer.name).report(on: stage) }
    var index = index
    if layer.superlayer === self, let place = sublayers.firstIndex(where: { $0 === layer }) {
      sublayers.remove(at: place)
      sublayers.insert(layer, at: place < index ? index - 1 : index)
      setNeedsFrame()
      return
    }
    if layer.superlayer != nil {
      layer.detachQuietly()
      index = min(index, sublayers.count)
    }
    sublayers.insert(layer, at: index)
    layer.superlayer = self
    setNeedsFrame()
    layer.owner?.layerDidEnter(stage)
  }

  private func detachQuietly() {
    superlayer?.sublayers.removeAll { $0 === self }
    superlayer = nil
  }
}

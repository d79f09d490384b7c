import CoursePages
import ScreenKit
import TextCanvas

/// The cards where they lie, and while they move from one layout to another.
extension ListScreen {
  /// Whether the cards move from layout to layout.
  var isChangingLayout: Bool { cardLayers.values.contains { $0.isAnimating } }

  func addCard(_ index: Int) -> Layer {
    let layer = Layer()
    layer.drawing = { [weak self] state in
      guard let self, cards.indices.contains(index) else { return nil }
      guard geometry.layout != .rows else { return surface(of: index, in: .rows) }
      return surface(of: index, in: (state.values[Self.asCard] ?? 0) < 0.5 ? .list : .cards)
    }
    cardLayers[index] = layer
    body.add(layer)
    return layer
  }

  func dropUnseenCards() {
    for (index, layer) in cardLayers where !geometry.visible.contains(index) {
      layer.removeFromSuperlayer()
      cardLayers[index] = nil
    }
  }

  func place(of index: Int, in geometry: ListGeometry) -> Rect {
    let (row, rows) = geometry.text(of: index)
    return Rect(x: Double(metrics.textLeft), y: Double(row), width: Double(metrics.textWidth), height: Double(rows))
  }

  /// Changes the layout without motion: a picture of the old one gives way to the new one.
  func fadeToLayout() {
    let picture = sheet.pictureOfPlace()
    layOutPage()
    sheet.cover(with: picture, within: CrossFadeTransition.reducedMotionDuration)
  }

  /// From layout to layout: every card goes from its place in the one to its place in the other; those that only one of
  /// them has room for come from where they would have stood, or go to where they would stand.
  ///
  /// - Parameter isCut: Whether each shows only as many rows as it has come to: where they move already, one
  ///   that makes room would stand on the next.
  func moveToLayout(cut isCut: Bool = false) {
    let old = geometry
    layOutGeometry()
    let new = geometry
    for index in new.visible where cardLayers[index] == nil {
      let layer = addCard(index)
      layer.frame = place(of: index, in: old)
      layer.opacity = 0
      layer.values[Self.asCard] = old.layout == .cards ? 1 : 0
    }
    for layer in cardLayers.values { layer.clipsToBounds = isCut }
    let rest = [moreLayer, addLayer]
    let seen = rest.map { (isHidden: $0.isHidden, frame: $0.frame, content: $0.content) }
    let leavingPreview = preview.isHidden ? nil : preview.snapshot()
    showRest()
    // What stands below the list moves with its end: what there was goes, and what there is then comes.
    let distance = Double(new.contentHeight - old.contentHeight)
    leavingPreview.map { body.add($0) }
    withoutAnimation { (preview.offset.y, preview.opacity) = (-distance, 0) }
    let coming = zip(rest, seen).filter { !$0.isHidden && $1.isHidden }.map(\.0)
    let leaving = zip(rest, seen).filter { $0.isHidden && !$1.isHidden }
    for (layer, seen) in leaving { (layer.isHidden, layer.frame, layer.content) = seen }
    for layer in coming { layer.opacity = 0 }
    let move = Keyframe(start: 0, duration: 1) { [self] in
      for (index, layer) in cardLayers {
        layer.frame = place(of: index, in: new)
        layer.values[Self.asCard] = new.layout == .cards ? 1 : 0
        layer.setNeedsDisplay()
      }
      placeFrame()
      preview.offset.y = 0
      leavingPreview?.offset.y = distance
    }
    // What goes is gone before what comes is there: two texts in one place cannot be read.
    let out = Keyframe(start: 0, duration: 0.5) { [self] in
      for (layer, _) in leaving { layer.opacity = 0 }
      leavingPreview?.opacity = 0
      for (index, layer) in cardLayers where !new.visible.contains(index) { layer.opacity = 0 }
    }
    let into = Keyframe(start: 0.5, duration: 0.5) { [self] in
      for layer in coming + [preview] { layer.opacity = 1 }
      for index in new.visible { cardLayers[index]?.opacity = 1 }
    }
    let curve = TimingCurve.spring(duration: Self.layoutTime, dampingRatio: 1)
    animateKeyframes(duration: Self.layoutTime, curve: curve, [move, out, into]) { [weak self] _ in
      leavingPreview?.removeFromSuperlayer()
      guard let self else { return }
      dropUnseenCards()
      if !isChangingLayout { for layer in cardLayers.values { layer.clipsToBounds = false } }
      withoutAnimation { for layer in rest { layer.opacity = 1 } }
      showRest()
    }
    frameLayer.setNeedsDisplay()
    host.observer.pageChanged(self)
  }
}

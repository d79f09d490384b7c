import CoursePages
import ScreenKit
import TextCanvas

/// The layers of the cards, and their motion between two layouts.
extension ListScreen {
  /// Whether cards are moving from one layout to another.
  var isChangingLayout: Bool { cardLayers.values.contains { $0.isAnimating } }

  func addCard(_ index: Int) -> Layer {
    let layer = Layer()
    layer.drawing = { [weak self] state in
      guard let self, cards.indices.contains(index) else { return nil }
      guard layout != .rows else { return surface(of: index, in: .rows) }
      return surface(of: index, in: (state.values[Self.asCard] ?? 0) < 0.5 ? .list : .cards)
    }
    cardLayers[index] = layer
    body.add(layer)
    return layer
  }

  func dropUnseenCards() {
    for (index, layer) in cardLayers where !list.visible.contains(index) {
      layer.removeFromSuperlayer()
      cardLayers[index] = nil
    }
  }

  func place(of index: Int, in list: SelectionList) -> Rect {
    let rows = list.text(of: index)
    return Rect(
      CellRect(column: metrics.textColumn, row: rows.lowerBound, columns: metrics.textWidth, rows: rows.count))
  }

  /// Changes the layout without motion: a snapshot of the old layout fades out.
  func fadeToLayout() {
    let snapshot = sheet.visibleSnapshot()
    layOutPage()
    sheet.cover(with: snapshot, within: CrossFadeTransition.reducedMotionDuration)
  }

  /// Animates the change to another layout: every card moves to its new frame. Cards that are visible in only one
  /// layout move from, or to, the frame that they would have in the other one.
  ///
  /// - Parameter earlier: The list before a change of the selection while cards are already moving. The cards are then
  ///   clipped to their animated frames, which prevents a card from covering the next one.
  func moveToLayout(from earlier: SelectionList? = nil) {
    let (old, oldLayout) = (earlier ?? list, layout)
    layOutList()
    let new = list
    for index in new.visible where cardLayers[index] == nil {
      let layer = addCard(index)
      layer.frame = place(of: index, in: old)
      layer.opacity = 0
      layer.values[Self.asCard] = oldLayout == .cards ? 1 : 0
    }
    for layer in cardLayers.values { layer.clipsToBounds = earlier != nil }
    let footerLayers = [moreLayer, addLayer]
    let states = footerLayers.map { (isHidden: $0.isHidden, frame: $0.frame, content: $0.content) }
    let leavingPreview = preview.isHidden ? nil : preview.snapshot()
    showOverflow()
    // The content below the list moves with the end of the list. The old preview fades out completely before the new
    // preview fades in.
    let distance = Double(new.contentHeight - old.contentHeight)
    leavingPreview.map { body.add($0) }
    withoutAnimation { (preview.offset.y, preview.opacity) = (-distance, 0) }
    let arriving = zip(footerLayers, states).filter { !$0.isHidden && $1.isHidden }.map(\.0)
    let leaving = zip(footerLayers, states).filter { $0.isHidden && !$1.isHidden }
    for (layer, state) in leaving { (layer.isHidden, layer.frame, layer.content) = state }
    for layer in arriving { layer.opacity = 0 }
    let move = Keyframe(start: 0, duration: 1) { [self] in
      for (index, layer) in cardLayers {
        layer.frame = place(of: index, in: new)
        layer.values[Self.asCard] = layout == .cards ? 1 : 0
        layer.setNeedsDisplay()
      }
      placeFrame()
      preview.offset.y = 0
      leavingPreview?.offset.y = distance
    }
    // Content that leaves fades out completely before other content fades in, so that two texts never overlap.
    let fadeOut = Keyframe(start: 0, duration: 0.5) { [self] in
      for (layer, _) in leaving { layer.opacity = 0 }
      leavingPreview?.opacity = 0
      for (index, layer) in cardLayers where !new.visible.contains(index) { layer.opacity = 0 }
    }
    let fadeIn = Keyframe(start: 0.5, duration: 0.5) { [self] in
      for layer in arriving + [preview] { layer.opacity = 1 }
      for index in new.visible { cardLayers[index]?.opacity = 1 }
    }
    let curve = TimingCurve.spring(duration: Self.layoutTime, dampingRatio: 1)
    animateKeyframes(duration: Self.layoutTime, curve: curve, [move, fadeOut, fadeIn]) { [weak self] _ in
      leavingPreview?.removeFromSuperlayer()
      guard let self else { return }
      dropUnseenCards()
      if !isChangingLayout { for layer in cardLayers.values { layer.clipsToBounds = false } }
      withoutAnimation { for layer in footerLayers { layer.opacity = 1 } }
      showOverflow()
    }
    frameLayer.setNeedsDisplay()
    host.observer.pageChanged(self)
  }
}

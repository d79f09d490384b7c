public import TextCanvas

extension Layer {
  /// The innermost layer in it that is seen at a place, by what is presented now; nil where none is.
  ///
  /// A layer that is turned is hit in the rectangle it is seen in.
  ///
  /// - Parameter point: In the coordinates of its superlayer.
  public func hitTest(_ point: Point) -> Layer? {
    let state = presentation
    guard isUserInteractionEnabled, !isHidden, state.opacity > 0.01, let inside = state.inward(point) else {
      return nil
    }
    let isInside = Rect(origin: .zero, size: state.size).contains(inside)
    if clipsToBounds && !isInside { return nil }
    for sublayer in inOrder.reversed() {
      if let hit = sublayer.hitTest(inside) { return hit }
    }
    return isInside ? self : nil
  }
}

extension LayerState {
  /// A place of the superlayer in the layer's own coordinates, through the transform; nil where that shows nothing.
  func inward(_ point: Point) -> Point? {
    let scaleX = transform.scaleX * elementaryCosine(transform.flip)
    guard scaleX > 0.001, transform.scaleY > 0.001 else { return nil }
    return Point(
      x: (point.x - transform.translation.x - frame.midX) / scaleX + frame.width / 2,
      y: (point.y - transform.translation.y - frame.midY) / transform.scaleY + frame.height / 2)
  }
}

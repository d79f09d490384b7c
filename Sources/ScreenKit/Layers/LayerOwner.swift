/// What a layer belongs to, and tells of what happens to it: a screen.
@MainActor protocol LayerOwner: AnyObject {
  /// Its sublayers were placed.
  func layerDidLayOut()
  /// It was put into another layer.
  func layerDidEnter(_ stage: StageClock?)
  /// It is about to be taken out of another layer.
  func layerWillLeave(_ stage: StageClock?)
  /// It was taken out of another layer.
  func layerDidLeave(_ stage: StageClock?)
}

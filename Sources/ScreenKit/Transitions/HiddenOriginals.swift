/// The layers that an animator has hidden on both screens. The first call of ``show()`` shows them again.
@MainActor final class HiddenOriginals {
  private struct Reference<Object: AnyObject> { weak var object: Object? }

  private var layers: [Reference<Layer>] = []
  private var onShow: (@MainActor () -> Void)?

  /// - Parameter onShow: Called after the layers are shown. It must not keep a screen alive.
  init(onShow: @escaping @MainActor () -> Void) {
    self.onShow = onShow
  }

  /// Hides layers until ``show()``, except for those that are hidden already.
  func hide(_ layers: [Layer]) {
    guard onShow != nil else { return }
    for layer in layers where !layer.isHidden {
      layer.isHidden = true
      self.layers.append(Reference(object: layer))
    }
  }

  /// The layers that are hidden.
  var hiddenLayers: [Layer] { layers.compactMap(\.object) }

  /// Shows the layers again.
  func show() {
    guard let onShow else { return }
    self.onShow = nil
    for layer in layers { layer.object?.isHidden = false }
    layers = []
    onShow()
  }
}

extension HiddenOriginals {
  /// Creates an object that restores the given layers when ``show()`` is called.
  ///
  /// - Parameters:
  ///   - faded: Layers that become opaque again.
  ///   - arranged: Layers that are laid out again.
  convenience init(faded: [Layer], arranged: [Layer]) {
    let faded = faded.map { Reference(object: $0) }
    let arranged = arranged.map { Reference(object: $0) }
    self.init {
      withoutAnimation {
        for layer in faded.compactMap(\.object) { layer.opacity = 1 }
        for layer in arranged.compactMap(\.object) {
          layer.setNeedsLayout()
          layer.layOutIfNeeded()
        }
      }
    }
  }
}

/// An animator that hides layers of the screens while it runs.
@MainActor protocol HidingOriginals: AnyObject {
  /// The hidden layers; `nil` before the animation begins.
  var hidden: HiddenOriginals? { get }
  /// The hidden layers from whose state an interrupting transition continues.
  var continuedOriginals: [Layer] { get }

  /// Called after the motion of an interrupted transition was added to that of the animator.
  func motionWasContinued()
}

extension HidingOriginals {
  var continuedOriginals: [Layer] { [] }

  func motionWasContinued() {}
}

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

  /// Shows the layers when one of the screens appears again. Used if the stage was deallocated, because the objects
  /// that callbacks refer to may be deallocated too.
  func showWhenVisible(in screens: [Screen]) {
    for screen in screens { screen.hiddenOriginals.append(self) }
  }
}

extension HiddenOriginals {
  /// Creates an object that restores the given layers and screens when ``show()`` is called.
  ///
  /// - Parameters:
  ///   - faded: Layers that become opaque again.
  ///   - screens: Screens that are laid out again.
  convenience init(faded: [Layer], screens: [Screen]) {
    let faded = faded.map { Reference(object: $0) }
    let screens = screens.map { Reference(object: $0) }
    self.init {
      withoutAnimation {
        for layer in faded.compactMap(\.object) { layer.opacity = 1 }
        for layer in screens.compactMap(\.object?.layer) {
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
}

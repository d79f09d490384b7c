/// What an animator has hidden on the two screens, and shows again when it is over: once, at the first call.
@MainActor final class HiddenOriginals {
  private var showing: (@MainActor () -> Void)?

  /// - Parameter showing: Shows them again; it must keep no screen alive.
  init(_ showing: @escaping @MainActor () -> Void) {
    self.showing = showing
  }

  /// Shows them again.
  func show() {
    let showing = showing
    self.showing = nil
    showing?()
  }

  /// Shows them when one of the screens is seen again: the stage is gone, and perhaps everyone whom to call.
  func showWhenSeen(in screens: [Screen]) {
    for screen in screens { screen.leftHidden.append(self) }
  }
}

extension HiddenOriginals {
  private struct Kept<Object: AnyObject> { weak var object: Object? }

  /// Layers of the screens that are hidden or faded, while others move out of their places.
  convenience init(hidden: [Layer], faded: [Layer], screens: [Screen]) {
    let hidden = hidden.map { Kept(object: $0) }
    let faded = faded.map { Kept(object: $0) }
    let screens = screens.map { Kept(object: $0) }
    self.init {
      withoutAnimation {
        for layer in hidden.compactMap(\.object) { layer.isHidden = false }
        for layer in faded.compactMap(\.object) { layer.opacity = 1 }
        for layer in screens.compactMap(\.object?.layer) {
          layer.setNeedsLayout()
          layer.layOutIfNeeded()
        }
      }
    }
  }
}

/// An animator that hides something on the screens while it runs.
@MainActor protocol HidingOriginals: AnyObject {
  /// What it has hidden; nil before it begins.
  var hidden: HiddenOriginals? { get }
}

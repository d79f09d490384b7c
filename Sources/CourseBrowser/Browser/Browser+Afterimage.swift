internal import LearningModel
internal import Motion
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// What is left to be seen of a motion that something else has interrupted: nothing that was in sight is gone from one
/// frame to the next.
extension Browser {
  /// Seconds in which it fades.
  static let afterimageTime = 0.12

  /// What is seen now, where a step is about to begin with something else.
  ///
  /// A card that goes back the way it came needs no such picture, and pages that slide carry the one before along.
  ///
  /// - Parameter pages: Those that there will be.
  func afterimage(before step: Step, to pages: [PageScreen]) -> Layer? {
    guard hasBegun, motion != .none, tabs.selectedIndex == 0 else { return nil }
    if let tabFlight, tabFlight.isRunning {
      // What opened from a result would go on covering the page.
      defer { if tabTransitions.isOpening { tabFlight.skip() } }
      return picture()
    }
    guard let flight, flight.transition.isRunning else {
      let isMoving = (page as? ListScreen)?.isChangingLayout == true && step.transition?.choice.kind != .siblingSlide
      return isMoving || opensAnotherCard(to: pages) ? picture() : nil
    }
    let (old, new) = (flight.step.transition?.choice, step.transition?.choice)
    if motion == .full, old?.kind == .siblingSlide, new?.kind == .siblingSlide {
      leaveTrace(of: flight)
      return nil
    }
    let turnsBack = old?.node == new?.node && pages.last?.place == flight.before.last?.place
    return turnsBack && old?.kind != .siblingSlide && motion == .full ? nil : picture()
  }

  /// Whether a card opens that is not the chosen one: it is chosen first, and a list may move by that.
  private func opensAnotherCard(to pages: [PageScreen]) -> Bool {
    guard let list = page as? ListScreen, let index = pages.firstIndex(where: { $0 === list }),
      index + 1 < pages.count
    else { return false }
    return list.chosenCard?.node != pages[index + 1].place.node
  }

  /// A picture of the pages as they are seen now.
  func picture() -> Layer {
    let picture = tabs.layer.snapshot()
    picture.fill = .default
    return picture
  }

  /// Lets the page that has not left yet go along with the one that was to take its place.
  private func leaveTrace(of flight: Flight) {
    guard let leaving = flight.before.last, let staying = flight.after.last, leaving.isLayerLoaded else { return }
    let trace = leaving.sheet.snapshot()
    let distance =
      leaving.sheet.presentation.transform.translation.x - staying.sheet.presentation.transform.translation.x
    withoutAnimation {
      trace.transform = .identity
      trace.frame.x = distance
    }
    transitions.trace = trace
  }

  /// Lets what was seen fade over what is there now.
  func fade(_ afterimage: Layer?) {
    guard let afterimage else { return }
    screen.cover(with: afterimage)
    animate(duration: Self.afterimageTime, curve: .linear) {
      afterimage.opacity = 0
    } completion: { _ in
      afterimage.removeFromSuperlayer()
    }
  }

  // MARK: - Pages that change on their way

  /// The cards that open or close now.
  var openings: [OpeningLayer] {
    (stack.layer.sublayers + tabs.layer.sublayers).compactMap { $0 as? OpeningLayer }
  }

  /// What a page looks like has changed; where it is on its way, it goes on looking as it does now.
  func retakePictures() {
    for opening in openings { opening.retake() }
  }
}

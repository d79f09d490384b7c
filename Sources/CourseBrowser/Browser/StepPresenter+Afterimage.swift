import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// What is left to be seen of a motion that something else has interrupted: nothing that was in sight is gone from one
/// frame to the next.
extension StepPresenter {
  /// What is seen now, where a step is about to begin with something else.
  ///
  /// A card that goes back the way it came needs no such picture, and pages that slide carry the one before along.
  ///
  /// - Parameter pages: Those that there will be.
  func afterimage(before step: Step, to pages: [PageScreen]) -> Layer? {
    guard browser.hasBegun, motion != .none, tabs.selectedIndex == 0 else { return nil }
    if let tabFlight, tabFlight.isRunning {
      // What opened from a result would still cover the page.
      defer { if tabTransitions.isOpening { tabFlight.skip() } }
      return lastPicture()
    }
    let isMoving = (page as? ListScreen)?.isChangingLayout == true && step.transition?.choice.kind != .siblingSlide
    return isMoving && flight?.transition.isRunning != true || opensAnotherCard(to: pages) ? picture() : nil
  }

  /// The pages that a running step is leaving: those before it, or those after it where it is taken back.
  var pagesLeaving: [PageScreen] {
    guard let flight, flight.transition.isRunning else { return [] }
    return hand?.flight === flight && hand?.isPerformed == false ? flight.after : flight.before
  }

  /// Whether a card opens that is not the chosen one: it is chosen first, and a list may move by that.
  private func opensAnotherCard(to pages: [PageScreen]) -> Bool {
    guard let list = page as? ListScreen, let index = pages.firstIndex(where: { $0 === list }),
      index + 1 < pages.count
    else { return false }
    return list.chosenCard?.node != pages[index + 1].place.node
  }

  /// A picture of the pages as they are seen now, also dimmed.
  func picture() -> Layer { screen.pictureOfPages() }

  /// A picture that stands for the cards that open or close now: nothing else of them needs to continue.
  func lastPicture() -> Layer {
    let picture = picture()
    for moving in movingCards { moving.isHidden = true }
    return picture
  }

  /// A picture of the pages where their tab is left and still seen: what a step changes there gives way on the way out.
  ///
  /// - Returns: `nil` where the tab is there, or not to be seen at all.
  func pictureOfLeavingTab() -> Layer? {
    guard motion != .none, tabs.selectedIndex != 0, let tabFlight, tabFlight.isRunning else { return nil }
    return stack.layer.pictureOfPlace()
  }

  /// Lets a picture of the pages give way to what is there now, also while that moves.
  func fade(_ afterimage: Layer?) {
    guard let afterimage else { return }
    screen.cover(with: afterimage)
    afterimage.giveWay(within: Layer.afterimageTime)
  }

  // MARK: - Pages that change while they move

  /// What stands for pages while cards open or close on them.
  private var movingCards: [OpeningLayer] {
    (stack.layer.sublayers + tabs.layer.sublayers).compactMap { $0 as? OpeningLayer }
  }

  /// The cards that open or close now; those that others lie in before those.
  var openings: [OpeningLayer] {
    movingCards.flatMap(\.nested)
  }

  /// What a page looks like has changed; where it moves, it keeps looking as it does now.
  func retakePictures() {
    for opening in openings { opening.retake() }
  }
}

import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

@testable import CourseBrowser

/// What tests ask of a browser's parts, in one word.
extension Browser {
  var size: CellSize { stage.size }
  var pages: [PageScreen] { steps.pages }
  var page: PageScreen? { steps.page }
  var hand: HandStep? { steps.hand }
  var flight: Flight? { steps.flight }
  var tabFlight: Transition? { steps.tabFlight }
  var openings: [OpeningLayer] { steps.openings }
  var transitions: BrowserTransitions { steps.transitions }
  var wayUp: NavigationRequest { steps.wayUp }
  var overlay: OverlayScreen? { overlays.overlay }
  var picturesInView: [PictureInView] { overlays.picturesInView }
  var focusedPane: (any ChoosablePane)? { asides.focusedPane }

  func readAgain() { steps.readAgain() }
  func selectTab(_ index: Int) { steps.selectTab(index) }
  func takeInHand(_ request: NavigationRequest) -> Bool { steps.takeInHand(request) }
  @discardableResult func moveHand(by distance: Double, gliding: Bool = false) -> Double {
    steps.moveHand(by: distance, gliding: gliding)
  }
  func letGoOfHand(velocity: Double = 0) { steps.letGoOfHand(velocity: velocity) }
  func navigate(_ request: NavigationRequest, cause: NavigationCause) { commands.navigate(request, cause: cause) }
  func go(to place: Place) { commands.go(to: place) }
  func find(_ words: String) { commands.find(words) }
  func showAround() { commands.showAround() }
  func notify(_ words: String) { screen.notify(words) }
  func show(_ step: Step, animated: Bool) throws { try steps.show(step, animated: animated) }
  func show(_ picture: ReadingText.Picture, from place: @escaping () -> CellRect) {
    overlays.show(picture, from: place)
  }
}

import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// Shows what lies on top of the page: help, info, the palette, a course to add.
@MainActor final class OverlayPresenter: BrowserPart {
  /// What was begun to be written, and left, by what it is about.
  var drafts: [NoteDraft.Subject: NoteDraft] = [:]
  /// Shows the pictures of a page when the overlay over it is gone.
  private var picturesCall: ScheduledCall?

  func present(_ overlay: OverlayScreen) {
    // What was said of the page below is read no more.
    screen.endNotice()
    trying { try screen.present(overlay, animated: motion != .none) }
    dim(true, along: overlay)
  }

  /// Takes the overlay away; what was below it wakes up.
  func dismissOverlay() {
    guard let overlay else { return }
    overlay.dismiss(animated: motion != .none)
    dim(false, along: overlay)
  }

  private func dim(_ isDimmed: Bool, along overlay: OverlayScreen) {
    let coordinator = overlay.transitionCoordinator
    let framed: (any FramedPage)? = tabs.selectedScreen as? TabPage ?? page as? ListScreen
    func change() {
      screen.dim(isDimmed)
      framed?.hideFrame(cutBy: isDimmed ? overlay.panelFrame : nil)
    }
    let isAlongside = coordinator?.animate(alongside: { _ in change() }) ?? false
    if !isAlongside { change() }
    recorder.attentionHasChanged()
    footer.show(alongside: coordinator)
    // Under an overlay that closes, pictures are visible again when it is gone.
    guard let page = page as? any PicturedText else { return }
    if isDimmed {
      page.lookAtPictures()
    } else {
      picturesCall?.cancel()
      picturesCall = stage.schedule(after: GrowTransition.duration) { page.lookAtPictures() }
    }
  }
}

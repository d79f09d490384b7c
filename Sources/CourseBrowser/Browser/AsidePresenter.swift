import CoursePages
import ScreenKit

/// Shows beside the page, and below a list, what is in what is chosen.
@MainActor final class AsidePresenter: BrowserPart {
  /// What will be shown there.
  var call: ScheduledCall?
  /// Whether anything was shown there yet.
  var hasShown = false
}

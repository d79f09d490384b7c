import CoursePages
import Foundation
package import NavigationService
import ScreenKit
package import TextCanvas

/// What keys show: anything that a learner can bring about, at any moment after.
///
/// The keys are pressed, so what they do is done and written: to only look, give services that stand on a
/// copy of the database.
extension BrowserPicture {
  /// Seconds between two keys: whatever the first moved has come to rest, and nobody has waited long.
  package static let pace = 1.0

  /// Draws what is seen some time after the last of some keys.
  ///
  /// - Parameters:
  ///   - place: Where the learner is before the first key.
  ///   - keys: What is pressed there, ``pace`` apart.
  ///   - seconds: How long after the last key; less than 0 counts as 0.
  /// - Throws: What the services throw.
  package func surface(of place: PlaceName, pressing keys: [KeyEvent], after seconds: Double) throws -> Surface {
    let browser = browser()
    try browser.begin(at: place)
    var time = 0.0
    for key in keys {
      time += Self.pace
      play(browser, until: time)
      browser.handle(.key(key), at: time)
    }
    play(browser, until: time + max(0, seconds))
    return picture(of: browser)
  }

  /// Shows every frame until a time, as a terminal would: what one frame brings about, the next one finds done.
  private func play(_ browser: Browser, until time: Double) {
    while let due = browser.stage.nextFrameTime, due < time {
      _ = browser.stage.tick(at: min(time, max(due, browser.stage.now + 1.0 / 60)))
    }
    _ = browser.stage.tick(at: time)
  }
}

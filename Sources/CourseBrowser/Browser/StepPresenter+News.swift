import CoursePages
import NavigationService

/// What has changed meanwhile: another process may have imported a course, or marked something.
extension StepPresenter {
  /// Another process may have imported a course, or marked something: what is shown is read again.
  func lookForChanges() {
    guard let version = try? navigation.dataVersion(), version != dataVersion else { return }
    defer { dataVersion = version }
    guard dataVersion != nil else { return }
    trying { try showEdition() }
    recorder.showNotesOfPage()
    readAgain()
  }

  /// Shows what is new, as somebody has imported or removed a course.
  func followImport() {
    hasNews = flight != nil
    guard !hasNews else { return }
    lookForChanges()
    browser.onChange?()
  }

  /// Shows what is known of the page now.
  func readAgain() {
    guard let page else { return }
    trying { page.show(try model(of: page)) }
    footer.show()
  }
}

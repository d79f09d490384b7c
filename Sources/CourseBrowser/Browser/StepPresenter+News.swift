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

  /// Shows what is new, as a course was imported or removed.
  func followImport() {
    hasNews = flight != nil
    guard !hasNews else { return }
    lookForChanges()
    browser.onChange?()
  }

  /// Shows what has come from another database.
  func followSync() {
    // A number that no version has: those that this process writes by itself change none.
    dataVersion = dataVersion.map { _ in -1 }
    followImport()
  }

  /// Shows what is known of the page now.
  func readAgain() {
    guard let page else { return }
    trying { page.show(try model(of: page)) }
    footer.show()
  }
}

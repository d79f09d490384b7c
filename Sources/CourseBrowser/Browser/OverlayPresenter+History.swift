import CoursePages
import ScreenKit
import TextCanvas

/// What can be asked of the history, where it is seen.
extension OverlayPresenter {
  private var history: HistoryScreen? { tabs.selectedScreen as? HistoryScreen }

  func showHistoryFilter() {
    guard let history else { return }
    let filter = HistoryFilterScreen(history, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .filter) ?? .zero
    }
    filter.lookAgain()
    present(filter)
  }

  func showHistoryExport() {
    guard let history else { return }
    guard let export = browser.export else { return notify("There is nothing here that writes files.") }
    let asking = HistoryExportScreen(history.choice, to: export, shell: shell, listing: browser.folders) {
      [weak self] in
      self?.screen.place(ofKeyFor: .export) ?? .zero
    }
    asking.lookAgain()
    present(asking)
  }
}

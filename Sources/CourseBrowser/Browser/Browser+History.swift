import CoursePages
import ScreenKit
import TextCanvas

/// What can be asked of the history, where it is seen.
extension Browser {
  private var history: HistoryScreen? { tabs.selectedScreen as? HistoryScreen }

  func showHistoryFilter() {
    guard let history else { return }
    let filter = HistoryFilterScreen(history, shell: self) { [weak self] in
      self?.screen.place(ofKeyFor: .filter) ?? .zero
    }
    filter.lookAgain()
    present(filter)
  }

  func showHistoryExport() {
    guard let history else { return }
    guard let export else { return notify("There is nothing here that writes files.") }
    let asking = HistoryExportScreen(history.choice, to: export, shell: self, listing: folders) { [weak self] in
      self?.screen.place(ofKeyFor: .note) ?? .zero
    }
    asking.lookAgain()
    present(asking)
  }
}

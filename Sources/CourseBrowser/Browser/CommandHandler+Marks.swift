import CoursePages
import LearningModel
import NavigationService
import ScreenKit

/// Marks: the places that the learner wants to find again.
extension CommandHandler {
  /// The place that keys such as `m` and `i` are about: the chosen card's, or the history's chosen step's, else the
  /// page's own.
  var placeInMind: Place? {
    if let history = tabs.selectedScreen as? HistoryScreen {
      return history.chosenPlace == .root ? nil : history.chosenPlace
    }
    if let list = page as? ListScreen, let card = list.chosenCard { return card.node.map(Place.node) }
    return page?.place == .root ? nil : page?.place
  }

  /// Marks the place in mind, or takes its mark away.
  func toggleMark() {
    guard let place = placeInMind else { return notify("There is nothing to mark here.") }
    waiting.write { [self] milliseconds in
      let card = try navigation.card(of: .place(place))
      try navigation.setBookmark(!card.isBookmarked, at: .place(place), waitingAtMost: milliseconds)
      steps.readAgain()
      let (quotes, key) = (appearance.symbols.quotes, label(of: .marks))
      let title = quotes.around(card.place.title)
      notify(
        card.isBookmarked
          ? "\(title) is not marked any more." : "Marked \(title)." + (key.map { " \($0) shows all marks." } ?? ""))
    }
  }

  /// Shows the marks: Find, before anything is typed, begins with them. Says how many notes there are, which are listed
  /// elsewhere.
  func showMarks() {
    trying {
      let notes = try navigation.notes().count
      guard try navigation.bookmarks().contains(where: { !$0.isRemoved }) else {
        let mark = label(of: .mark).map { " \($0) marks what is chosen." } ?? ""
        let key = notes == 0 ? nil : label(of: .notes)
        return notify("Nothing is marked." + mark + (key.map { " \(Words.count(notes, "note")): \($0)" } ?? ""))
      }
      steps.selectTab(1)
      (tabs.selectedScreen as? FindScreen)?.showMarks(notes: notes)
    }
  }
}

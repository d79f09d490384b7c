import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

extension CommandHandler {
  /// Asks for another name of the place in mind.
  func askForName() {
    guard let place = placeInMind else { return notify("There is nothing here to rename.") }
    trying {
      // What has the frame is meant first, then the page that it is on.
      let page = tabs.selectedIndex == 0 ? self.page?.place : nil
      let places = [place] + [page].compactMap { $0 }.filter { $0 != place && $0 != .root }
      let candidates = try places.map {
        RenameScreen.Candidate(
          place: try navigation.place(named: .place($0)),
          authorTitle: try $0.node.flatMap { try library.authorTitle(of: $0) })
      }
      let asking = RenameScreen(candidates, shell: shell) { [weak self] in
        self?.screen.place(ofKeyFor: .goTo) ?? .zero
      }
      asking.write(candidates[0].place.title)
      overlays.present(asking)
    }
  }

  /// Gives a place a name, its author's where `nil`, and offers to take that back, until something else can be.
  func rename(_ place: NamedPlace, to title: String?) {
    did(nil)
    trying {
      let (before, now) = try library.rename(place.path, to: title)
      showNames()
      guard before != now else { return }
      let quotes = appearance.symbols.quotes
      offer("It is called \(quotes.around(now)) now.", undoing: "takes it back")
      undoable = .name(place, before: before)
    }
  }

  /// Gives the place that was renamed last the name that it had.
  func takeBackName(of place: NamedPlace, _ before: String) {
    trying {
      try library.rename(place.path, to: before)
      showNames()
      let quotes = appearance.symbols.quotes
      notify("It is called \(quotes.around(before)) again.")
    }
  }

  /// A name may stand on every page: as its title, on a card, in the trail.
  private func showNames() {
    for case let page as PageScreen in stack.screens { trying { page.show(try steps.model(of: page)) } }
    (tabs.selectedScreen as? TabPage)?.lookHasChanged()
    footer.show()
  }
}

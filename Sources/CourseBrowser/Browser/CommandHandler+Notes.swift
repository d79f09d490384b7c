import CoursePages
import LearningModel
import NavigationService
import ScreenKit

extension CommandHandler {
  /// Goes to a note's words, or to its text where their place is gone.
  func go(to placed: PlacedNote) {
    let show = { [self] in
      let reading = page as? ReadingScreen
      reading?.show(note: placed.note.id)
      guard let reading, !reading.marks.marks.contains(where: { $0.note.id == placed.note.id }) else { return }
      let (quotes, ellipsis) = (appearance.symbols.quotes, appearance.symbols.ellipsis)
      let quote = placed.note.anchor.quote
      let words = quote.count > 40 ? quote.prefix(38) + ellipsis : quote[...]
      notify("Its place is gone: \(quotes.around(words)).")
    }
    guard tabs.selectedIndex != 0 || page?.place != placed.place.place else { return show() }
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(placed.place.place)), cause: .bookmark, then: show)
    } else {
      openFound(placed.place.place, cause: .bookmark, then: show)
    }
  }
}

import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// What the learner writes beside texts.
extension Browser {
  func askForNote(_ note: Note?, at anchor: NoteAnchor) {
    let asking = NoteScreen(note, at: anchor, shell: self) { [weak self] in
      self?.screen.place(ofKeyFor: .note) ?? .zero
    }
    asking.write((note?.text ?? "").inOneLine)
    present(asking)
  }

  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?) {
    guard isAttended, let place = page?.place else { return }
    waiting.write { [self] milliseconds in
      try navigation.write(note: text, at: anchor, replacing: id, in: .place(place), waitingAtMost: milliseconds)
      showNotesOfPage()
    }
  }

  func remove(_ note: Note) {
    guard isAttended else { return }
    waiting.write { [self] milliseconds in
      try navigation.removeNote(note.id, waitingAtMost: milliseconds)
      showNotesOfPage()
    }
  }

  /// Shows on the page what its notes are now.
  func showNotesOfPage() {
    guard let page = page as? ReadingScreen else { return }
    trying { page.show(try navigation.notes(in: page.place)) }
  }

  /// Lists all of them.
  func showNotes() {
    let notes = NotesScreen(title: "Notes", shell: self) { [weak self] in
      self?.screen.place(ofKeyFor: .notes) ?? .zero
    }
    notes.read()
    notes.lookAgain()
    present(notes)
  }

  /// Goes to a note's words, or to its text where their place is gone.
  func go(to placed: PlacedNote) {
    let show = { [self] in
      let reading = page as? ReadingScreen
      reading?.show(note: placed.note.id)
      guard let reading, !reading.marks.marks.contains(where: { $0.note.id == placed.note.id }) else { return }
      let (quotes, ellipsis) = (appearance.symbols.quotes, appearance.symbols.ellipsis)
      let quote = placed.note.anchor.quote
      let words = quote.count > 40 ? quote.prefix(38) + ellipsis : quote[...]
      notify("Its place is gone: \(quotes.open)\(words)\(quotes.close).")
    }
    guard tabs.selectedIndex != 0 || page?.place != placed.place.place else { return show() }
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(placed.place.place)), cause: .bookmark, then: show)
    } else {
      openFound(placed.place.place, cause: .bookmark)
      show()
    }
  }
}

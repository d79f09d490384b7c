import LearningModel
import NavigationService

/// What the learner writes beside texts.
extension ActivityRecorder {
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?) {
    guard browser.isAttended, let place = page?.place else { return }
    waiting.write { [self] milliseconds in
      try navigation.write(note: text, at: anchor, replacing: id, in: .place(place), waitingAtMost: milliseconds)
      showNotesOfPage()
    }
  }

  func remove(_ note: Note) {
    guard browser.isAttended else { return }
    waiting.write { [self] milliseconds in
      let placed = try navigation.notes().first { $0.note.id == note.id }
      try navigation.removeNote(note.id, waitingAtMost: milliseconds)
      showNotesOfPage()
      guard let placed else { return }
      commands.did(placed.place.isRemoved ? nil : .notes([placed]))
      let words = note.isHighlight ? "Not highlighted any more." : "The note is taken away."
      // Where letters are typed, the list says its own key.
      if placed.place.isRemoved || overlay != nil {
        notify(words)
      } else {
        commands.offer(words, undoing: "brings it back")
      }
    }
  }

  /// Writes a note again that was taken away.
  func bringBack(_ placed: PlacedNote) {
    let note = placed.note
    waiting.write { [self] milliseconds in
      try navigation.write(
        note: note.text, at: note.anchor, replacing: note.id, in: .place(placed.place.place),
        waitingAtMost: milliseconds)
      showNotesOfPage()
      notify(note.isHighlight ? "Highlighted again." : "The note is there again.")
    }
  }

  /// Shows on the page what its notes are now.
  func showNotesOfPage() {
    guard let page = page as? ReadingScreen else { return }
    trying { page.show(try navigation.notes(in: page.place)) }
  }
}

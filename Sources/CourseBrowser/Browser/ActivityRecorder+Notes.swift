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
      try navigation.removeNote(note.id, waitingAtMost: milliseconds)
      showNotesOfPage()
    }
  }

  /// Shows on the page what its notes are now.
  func showNotesOfPage() {
    guard let page = page as? ReadingScreen else { return }
    trying { page.show(try navigation.notes(in: page.place)) }
  }
}

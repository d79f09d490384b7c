import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The notes that the learner writes beside texts: the line that asks for one, and their list.
extension OverlayPresenter {
  func askForNote(_ note: Note?, at anchor: NoteAnchor) {
    let asking = NoteScreen(note, at: anchor, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .note) ?? .zero
    }
    asking.write((note?.text ?? "").inOneLine)
    present(asking)
  }

  /// Lists all notes.
  func showNotes() {
    let notes = NotesScreen(title: "Notes", shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .notes) ?? .zero
    }
    notes.read()
    notes.lookAgain()
    present(notes)
  }
}

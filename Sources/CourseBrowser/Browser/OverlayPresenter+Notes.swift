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
    let subject = NoteDraft.Subject(page?.place, note, anchor)
    asking.onLeaving = { [weak self] text in
      self?.keep(NoteDraft(note: note, anchor: anchor, text: text), of: subject)
    }
    asking.write(drafts.removeValue(forKey: subject)?.text ?? (note?.text ?? "").inOneLine)
    present(asking)
  }

  /// What was begun to be written in a text, and left.
  func draft(in place: Place) -> NoteDraft? { drafts.first { $0.key.place == place }?.value }

  /// Keeps what was written and is left without being a note: who asks for a note there again goes on with it.
  private func keep(_ draft: NoteDraft, of subject: NoteDraft.Subject) {
    guard draft.text != (draft.note?.text ?? "").inOneLine, !draft.text.allSatisfy(\.isWhitespace) else { return }
    drafts[subject] = draft
    notify("Put aside, and not kept yet." + (label(of: .note).map { " \($0) goes on with it." } ?? ""))
  }

  /// What was begun to be written and is not kept, for whoever leaves without it.
  var wordsOfDrafts: [String] {
    let quotes = appearance.symbols.quotes
    return drafts.map { "Not kept, at \(quotes.around($0.key.quote)): \($0.value.text.inOneRow)" }.sorted()
  }

  /// Lists the questions to go over.
  func showWrongAnswers() {
    let answers = WrongAnswersScreen(title: "Wrong answers", shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    answers.read()
    answers.lookAgain()
    present(answers)
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

/// What was begun to be written beside a text, and left.
struct NoteDraft {
  let note: Note?
  let anchor: NoteAnchor
  let text: String

  /// What it is about.
  struct Subject: Hashable {
    let place: Place?
    let note: String?
    let digest: String
    let quote: String

    init(_ place: Place?, _ note: Note?, _ anchor: NoteAnchor) {
      (self.place, self.note, digest, quote) = (place, note?.id, anchor.digest, anchor.quote)
    }
  }
}

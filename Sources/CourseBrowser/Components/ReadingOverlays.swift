import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Opens overlays about texts: notes and their list, pictures, wrong answers.
@MainActor final class ReadingOverlays: BrowserComponent {
  private let overlays: OverlayPresenter
  private let recorder: ActivityRecorder
  private let navigator: Navigator
  /// The notes that were begun and not saved.
  private var drafts: [NoteDraft.Subject: NoteDraft] = [:]

  init(
    _ openPages: OpenPages, overlays: OverlayPresenter, recorder: ActivityRecorder,
    navigator: Navigator
  ) {
    (self.overlays, self.recorder, self.navigator) = (overlays, recorder, navigator)
    super.init(openPages)
  }
}

extension ReadingOverlays: CommandResponder {
  func perform(_ command: Command) -> Bool {
    switch command {
    case .notes: showNotes()
    case .wrongAnswers: showWrongAnswers()
    default: return false
    }
    return true
  }
}

extension ReadingOverlays: TextOverlays {
  /// Shows a picture of a text on a page of its own.
  ///
  /// - Parameter place: Where it stands.
  func show(_ picture: ReadingText.Picture, from place: @escaping () -> CellRect) {
    overlays.present(
      PictureScreen(picture, context: context, source: place) { [weak self] in self?.openOutside($0) })
  }

  /// Opens a picture in the system's own program. If there is none, shows the path of its file.
  private func openOutside(_ picture: KeptPicture) {
    trying {
      guard let bytes = try library.picture(picture.digest) else { return notify("This picture is not kept any more.") }
      let file = try OutsideFile.write(bytes)
      notify(context.onOpen?(file) == true ? "Opened \(file)" : "The picture is at \(file)")
    }
  }

  func askForNote(_ note: Note?, at anchor: NoteAnchor) {
    let asking = NoteScreen(note, at: anchor, recorder: recorder, context: context, source: keyPlace(of: .note))
    let subject = NoteDraft.Subject(page?.place, note, anchor)
    asking.onLeaving = { [weak self] text in
      self?.keep(NoteDraft(note: note, anchor: anchor, text: text), of: subject)
    }
    asking.write(drafts.removeValue(forKey: subject)?.text ?? (note?.text ?? "").inOneLine)
    overlays.present(asking)
  }

  func draft(in place: Place) -> NoteDraft? { drafts.first { $0.key.place == place }?.value }

  /// Keeps the text of a note that was not saved, for the next time that a note is asked for there.
  private func keep(_ draft: NoteDraft, of subject: NoteDraft.Subject) {
    guard draft.text != (draft.note?.text ?? "").inOneLine, !draft.text.allSatisfy(\.isWhitespace) else { return }
    drafts[subject] = draft
    notify("Put aside, and not kept yet." + (label(of: .note).map { " \($0) goes on with it." } ?? ""))
  }

  /// The lines about unsaved notes that the program prints at its end.
  var wordsOfDrafts: [String] {
    let quotes = appearance.symbols.quotes
    return drafts.map { "Not kept, at \(quotes.around($0.key.quote)): \($0.value.text.inOneRow)" }.sorted()
  }

  /// Lists the questions that were answered wrongly.
  func showWrongAnswers() {
    let answers = WrongAnswersScreen(here: page?.place, context: context, source: keyPlace(of: .goTo)) {
      [weak navigator] in
      navigator?.openLastAttempt(at: $0.quiz.place, question: $0.number)
    }
    answers.read()
    answers.lookAgain()
    overlays.present(answers)
  }

  /// Lists all notes.
  func showNotes() {
    let notes = NotesScreen(
      here: page?.place, recorder: recorder, navigator: navigator, context: context, source: keyPlace(of: .notes)
    ) { [weak self] in
      self?.showNotesExport()
    } undo: { [weak overlays] in
      overlays?.performOnPage(.undo) ?? false
    }
    notes.read()
    notes.lookAgain()
    overlays.present(notes)
  }

  /// Asks for the file that all notes are written into.
  private func showNotesExport() {
    guard let write = context.courseExport?.writeNotes else {
      return notify("There is nothing here that writes files.")
    }
    let (navigation, library) = (navigation, library)
    overlays.askForFile(
      for: ExportScreen.Thing(
        name: "waymark-notes", words: "all notes",
        forms: [HistoryExport.Form(ending: "md", name: "Markdown, in the order in which they are read")]
      ) { _, path, replaces in
        let notes = try NoteInText.finding(navigation.notes()) { try library.content(of: $0) }
        try write(MarkdownWriter().text(notes.blocks), path, replaces)
        return Words.count(notes.count, "note")
      }, from: .notes)
  }
}

/// A file for another program, in a folder that only its owner may look into.
enum OutsideFile {
  /// Writes a picture. It stays: the program that shows it may read it later; the system empties its temporary folders.
  ///
  /// - Returns: Its path.
  static func write(_ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let file = folder.appending(path: "picture." + CourseLibrary.pictureEnding(of: bytes))
    try Data(bytes).write(to: file, options: .withoutOverwriting)
    return file.path
  }
}

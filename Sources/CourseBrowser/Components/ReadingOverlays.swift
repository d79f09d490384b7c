import CourseKit
import CoursePages
import Exercises
import ExternalPrograms
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Opens overlays about texts: notes and their list, images, wrong answers.
@MainActor final class ReadingOverlays: BrowserComponent {
  private let overlays: OverlayPresenter
  private let recorder: ActivityRecorder
  private let navigator: Navigator
  /// Notes that the learner has begun to write and not saved.
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
  var keyContexts: [KeyContext] { [openPages.review.map { _ in .review }, .everywhere].compactMap { $0 } }

  func offer(_ command: Command) -> Offer? {
    switch command {
    case .notes:
      Offer(openPages.focus is ReadingScreen ? "notes" : "", rank: Offer.helpRank) { [self] in showNotes() }
    case .ownCards: Offer { [self] in showOwnCards() }
    case .editCard:
      openPages.review.flatMap { review in
        guard let card = review.session?.card else {
          return Offer("new card", rank: 2) { [self] in askForCardOfLastActivity() }
        }
        return card.item != nil ? nil : Offer("edit", rank: 2) { [self] in edit(card) }
      }
    case .wrongAnswers: Offer { [self] in showWrongAnswers() }
    default: nil
    }
  }
}

extension ReadingOverlays: TextOverlays {
  /// Shows an image of a text in an overlay.
  ///
  /// - Parameter sourceFrame: Returns the rectangle of the image in the text.
  func show(_ image: ReadingText.Image, from sourceFrame: @escaping () -> CellRect) {
    overlays.present(
      ImageScreen(image, context: context, source: sourceFrame) { [weak self] in self?.openExternally($0) })
  }

  /// Opens an image in the system's program. If there is no such program, shows the path of the image file.
  private func openExternally(_ image: StoredImage) {
    trying {
      guard let bytes = try library.image(image.digest) else {
        return notify("This image is no longer in the database.", .warn)
      }
      let file = try TemporaryImageFile.write(bytes)
      notify(context.onOpen?(file) == true ? "Opened \(file)" : "The image is at \(file)")
    }
  }

  func askForNote(_ note: Note?, at anchor: NoteAnchor) {
    let noteScreen = NoteScreen(note, at: anchor, recorder: recorder, context: context, source: keyPlace(of: .note))
    let subject = NoteDraft.Subject(page?.place, note, anchor)
    noteScreen.onSuspend = { [weak self] text in
      self?.saveDraft(NoteDraft(note: note, anchor: anchor, text: text), of: subject)
    }
    noteScreen.write(drafts.removeValue(forKey: subject)?.text ?? (note?.text ?? "").joinedLines)
    overlays.present(noteScreen)
  }

  func askForCard(question: String, answer: String, at anchor: NoteAnchor?, in place: Place) {
    let card = MakeCardScreen(
      question: question, answer: answer, isNew: true, of: title(of: place), context: context,
      source: keyPlace(of: .makeCard)
    ) { [unowned self] in
      try navigation.cards.make(front: $0, back: $1, at: anchor, in: .place(place))
      cardsDidChange()
      let key = openPages.tab != nil ? "" : label(of: .tab(3)).map { " \($0) opens the review." } ?? ""
      notify(context.stored("The card is in the review") + key)
    }
    overlays.present(card)
  }

  func askToChange(card: Note, in place: Place, another: (() -> Void)?) {
    let cardScreen = MakeCardScreen(
      question: card.text, answer: card.answer ?? "", isNew: false, of: title(of: place), context: context,
      source: keyPlace(of: .makeCard)
    ) { [unowned self] question, answer in
      let id = CardID(place: place, key: card.id)
      let isDeleted = question.allSatisfy(\.isWhitespace)
      if isDeleted {
        try navigation.cards.remove(id)
      } else {
        try navigation.cards.change(id, front: question, back: answer)
      }
      cardsDidChange()
      let old = appearance.symbols.quotes.around(card.text.onSingleRow.truncated(to: 40))
      notify(isDeleted ? "Deleted the card \(old)." : context.stored("Card changed"), undoing: "undoes it")
    }
    cardScreen.onAnother = another
    overlays.present(cardScreen)
  }

  /// Asks for a card without a passage. It belongs to the activity that the learner visited last.
  private func askForCardOfLastActivity() {
    trying {
      guard let activity = try navigation.history.lastActivity() else {
        return notify("A card belongs to an activity. Open one first.", .warn)
      }
      askForCard(question: "", answer: "", at: nil, in: activity.place)
    }
  }

  private func title(of place: Place) -> String { (try? navigation.places.named(.place(place)))?.title ?? "" }

  private func cardsDidChange() {
    recorder.updateNotesOfPage()
    for case let review as ReviewScreen in tabs.screens { review.cardsDidChange() }
  }

  private func edit(_ card: ReviewCard) {
    trying {
      let own = try navigation.cards.own(in: card.id.place).first { $0.note.id == card.id.key }
      if let own { askToChange(card: own.note, in: card.id.place, another: nil) }
    }
  }

  /// Lists the own cards. Enter changes one.
  private func showOwnCards() {
    let cards = NotesScreen(
      currentPlace: page?.place, recorder: recorder, navigator: navigator, context: context,
      source: keyPlace(of: .notes), onExport: {})
    cards.onEdit = { [weak self] in self?.askToChange(card: $0.note, in: $0.place.place, another: nil) }
    cards.onNew = { [weak self] in self?.askForCardOfLastActivity() }
    cards.load()
    cards.reloadEntries()
    overlays.present(cards)
  }

  func askForPermission(
    _ exercise: CourseExercise, under protection: SandboxProtection, done: @escaping () -> Void
  ) throws {
    overlays.present(
      PermissionScreen(
        try exercise.commands(for: .check), exercise.consequences(of: protection), context: context,
        source: keyPlace(of: .runCheck)
      ) { [weak self] in
        self?.trying {
          try exercise.allow(under: protection)
          done()
        }
      })
  }

  func showHints(of exercise: CourseExercise, _ work: ExerciseWork, isPassed: Bool) throws {
    overlays.present(
      HintsScreen(
        exercise.exercise, try exercise.solutionBlocks(), work, isPassed: isPassed, context: context,
        source: keyPlace(of: .hint)))
  }

  func draft(in place: Place) -> NoteDraft? { drafts.first { $0.key.place == place }?.value }

  /// Stores the text of an unsaved note, so that writing can continue when the same note is opened again.
  private func saveDraft(_ draft: NoteDraft, of subject: NoteDraft.Subject) {
    guard draft.text != (draft.note?.text ?? "").joinedLines, !draft.text.allSatisfy(\.isWhitespace) else { return }
    drafts[subject] = draft
    notify("Draft not saved yet." + (label(of: .note).map { " \($0) opens it again." } ?? ""))
  }

  /// Saves the drafts before the program ends. The draft of a changed note becomes a second note.
  ///
  /// - Returns: A line about each draft.
  func saveDrafts() -> [String] {
    drafts.map { subject, draft in
      let quote = appearance.symbols.quotes.around(subject.quote)
      let id = try? navigation.notes.write(
        draft.text.separatedLines, at: draft.anchor, in: .place(subject.place ?? .root))
      let isSaved = id != nil && navigation.unrecordedNotice == nil
      return (isSaved ? "Saved a note" : "Could not save this note") + " on \(quote): " + draft.text.onSingleRow
    }.sorted()
  }

  func showWrongAnswers() {
    let answers = WrongAnswersScreen(currentPlace: page?.place, context: context, source: keyPlace(of: .showPalette)) {
      [weak navigator] in
      navigator?.openLastAttempt(at: $0.quiz.place, question: $0.number)
    }
    answers.load()
    answers.reloadEntries()
    overlays.present(answers)
  }

  func showNotes() {
    let notes = NotesScreen(
      currentPlace: page?.place, recorder: recorder, navigator: navigator, context: context,
      source: keyPlace(of: .notes)
    ) { [weak self] in
      self?.showNotesExport()
    }
    notes.load()
    notes.reloadEntries()
    overlays.present(notes)
  }

  /// Asks for the file to which all notes are written.
  private func showNotesExport() {
    guard let write = context.courseExport?.writeNotes else {
      return notify("Files cannot be written here.", .warn)
    }
    let (navigation, library) = (navigation, library)
    overlays.askForFile(
      for: ExportScreen.Content(
        name: "waymark-notes", summary: "all notes and own cards",
        formats: [HistoryExport.Format(fileExtension: "md", name: "Markdown, in the order in which they are read")]
      ) { _, path, replaces in
        let notes = try LocatedNote.finding(navigation.notes.all(withCards: true)) { try library.content(of: $0) }
        try write(MarkdownWriter().text(notes.blocks), path, replaces)
        return DisplayFormat.count(notes.count, "note")
      }, from: .notes)
  }
}

/// A file for another program, in a folder that only its owner can access.
enum TemporaryImageFile {
  /// Writes an image. The file is not deleted, because the program that shows it may read it later. The system deletes
  /// it together with other temporary files.
  ///
  /// - Returns: The path of the file.
  static func write(_ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let file = folder.appending(path: "image." + CourseLibrary.imageFileExtension(of: bytes))
    try Data(bytes).write(to: file, options: .withoutOverwriting)
    return file.path
  }
}

import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// What can be asked of the history, where it is seen.
extension OverlayPresenter {
  private var history: HistoryScreen? { tabs.selectedScreen as? HistoryScreen }

  func showHistoryFilter() {
    guard let history else { return }
    let filter = HistoryFilterScreen(history, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .filter) ?? .zero
    }
    filter.lookAgain()
    present(filter)
  }

  func showHistoryExport() {
    guard let history else { return }
    guard let export = browser.export else { return notify("There is nothing here that writes files.") }
    let choice = history.choice
    ask(
      for: ExportScreen.Thing(
        name: "waymark-history", words: choice == .everything ? "all steps" : "only what is shown", forms: export.forms
      ) { form, path, replaces in
        Words.count(try export.write(choice.filter, form, path, replaces), "step")
      }, from: .note)
  }

  /// Asks for the file that the course in mind is written into.
  func showCourseExport() {
    guard let course = commands.courseInMind else { return notify("There is no course here to export.") }
    guard let courseExport = browser.courseExport else { return notify("There is nothing here that writes files.") }
    let quotes = appearance.symbols.quotes
    ask(
      for: ExportScreen.Thing(
        name: course.path.slugs.last ?? "course", words: "the course", forms: courseExport.forms
      ) { form, path, replaces in
        try courseExport.write(course.path, form, path, replaces)
        return quotes.around(course.title)
      }, from: .goTo)
  }

  /// Asks for the file that all notes are written into.
  func showNotesExport() {
    guard let write = browser.courseExport?.writeNotes else {
      return notify("There is nothing here that writes files.")
    }
    let (navigation, library) = (navigation, library)
    ask(
      for: ExportScreen.Thing(
        name: "waymark-notes", words: "all notes",
        forms: [HistoryExport.Form(ending: "md", name: "Markdown, in the order in which they are read")]
      ) { _, path, replaces in
        let notes = try NoteInText.finding(navigation.notes()) { try library.content(of: $0) }
        try write(MarkdownWriter().text(notes.blocks), path, replaces)
        return Words.count(notes.count, "note")
      }, from: .notes)
  }

  private func ask(for thing: ExportScreen.Thing, from command: Command) {
    let asking = ExportScreen(thing, shell: shell, listing: browser.folders) { [weak self] in
      self?.screen.place(ofKeyFor: command) ?? .zero
    }
    asking.lookAgain()
    present(asking)
  }
}

import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

extension CommandHandler {
  /// The course that commands such as removing are about: the chosen one, else the one that the learner is in.
  var courseInMind: NamedPlace? {
    let node = page?.place == .root ? (page as? ListScreen)?.chosenCard?.node : pages.dropFirst().first?.place.node
    guard let node, let place = try? navigation.place(named: .place(.node(node))) else { return nil }
    return place.kind == .course ? place : nil
  }

  func askToRemove() {
    guard let course = courseInMind else { return notify("There is no course here to remove.") }
    let asking = RemoveCourseScreen(course, shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    asking.lookAgain()
    overlays.present(asking)
  }

  /// Removes a course when the notice of it ends: until then it can be kept.
  func removeSoon(_ course: NamedPlace) {
    removeNow()
    (renaming, former) = (nil, nil)
    let quotes = appearance.symbols.quotes
    offer("\(quotes.around(course.title)) goes in \(Int(Self.timeToKeep)) seconds.", undoing: "keeps it")
    removal = (course, stage.schedule(after: Self.timeToKeep) { [weak self] in self?.removeNow() })
  }

  /// Seconds in which a course that is to be removed can be kept, and in which a notice says what can be taken back.
  static let timeToKeep = 12.0

  /// Says what was done, and which key takes it back.
  func offer(_ words: String, undoing does: String) {
    screen.notify(words + (label(of: .undo).map { " \($0) \(does)." } ?? ""), standing: Self.timeToKeep)
  }

  /// Removes the course that waits for it.
  func removeNow() {
    guard let (course, call) = removal else { return }
    call.cancel()
    removal = nil
    trying {
      if pages.count > 1, pages[1].place == course.place { navigate(.popToRoot, cause: .key) }
      try library.remove(course.path)
      for case let page as PageScreen in stack.screens { page.show(try steps.model(of: page)) }
      footer.show()
      let quotes = appearance.symbols.quotes
      notify("Removed \(quotes.around(course.title)). Its history is kept.")
    }
    browser.onChange?()
  }

  /// Takes back what a notice says will happen.
  ///
  /// - Returns: Whether there was anything.
  func undo() -> Bool {
    guard let (course, call) = removal else { return takeBackName() }
    call.cancel()
    removal = nil
    let quotes = appearance.symbols.quotes
    notify("\(quotes.around(course.title)) stays.")
    return true
  }

  /// Says that a course has come in; of one that was there, how to have it as it was.
  func tookIn(_ former: FormerCourse?, saying words: String) {
    (renaming, self.former) = (nil, former)
    if former == nil { notify(words) } else { offer(words, undoing: "takes it back") }
  }

  /// Imports a course as it was before it was imported again.
  ///
  /// - Returns: Whether there is one.
  func bringBack() -> Bool {
    guard let former else { return false }
    self.former = nil
    let quotes = appearance.symbols.quotes
    let title = quotes.around(former.title)
    notify("\(title) becomes what it was \(appearance.symbols.ellipsis)")
    browser.inBackground { [library, weak self] in
      let result = Result { try library.bringBack(former) }
      return {
        self?.browser.besideInput {
          self?.trying {
            try self?.overlays.showCourse(result.get())
            self?.notify("\(title) is what it was before.")
          }
        }
      }
    }
    return true
  }

  /// Looks into the source that a course came from, and shows what would change.
  func importAgain() {
    guard let course = courseInMind else { return notify("There is no course here to import again.") }
    trying {
      let source = try library.origin(of: course.place)?.source ?? ""
      overlays.showAddCourse(from: source)
    }
  }
}

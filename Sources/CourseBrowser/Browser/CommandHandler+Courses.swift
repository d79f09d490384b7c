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

  /// Removes a course when its time is over: until then it can be kept. Each second says how many are left.
  func removeSoon(_ course: NamedPlace) {
    removeNow()
    countDown(course, from: Self.timeToKeep)
  }

  private func countDown(_ course: NamedPlace, from seconds: Int) {
    guard seconds > 0 else {
      removeNow()
      return
    }
    let quotes = appearance.symbols.quotes
    offer(
      "\(quotes.around(course.title)) goes in \(Words.count(seconds, "second")), or as you leave.", undoing: "keeps it")
    let call = stage.schedule(after: 1) { [weak self] in
      self?.countDown(course, from: seconds - 1)
      self?.browser.onChange?()
    }
    undoable = .removal(course, call)
  }

  /// Seconds in which a course that is to be removed can be kept, and in which a notice says what can be taken back.
  static let timeToKeep = 12

  /// Says what was done, and which key takes it back.
  func offer(_ words: String, undoing does: String) {
    screen.notify(words + (label(of: .undo).map { " \($0) \(does)." } ?? ""), standing: Double(Self.timeToKeep))
  }

  /// Removes the course that waits for it.
  ///
  /// - Returns: What was removed; `nil` where none waited.
  @discardableResult func removeNow() -> String? {
    guard case .removal(let course, let call) = undoable else { return nil }
    call.cancel()
    undoable = nil
    var removed: String?
    trying {
      if pages.count > 1, pages[1].place == course.place { navigate(.popToRoot, cause: .key) }
      try library.remove(course.path)
      for case let page as PageScreen in stack.screens { page.show(try steps.model(of: page)) }
      footer.show()
      let quotes = appearance.symbols.quotes
      let words = "Removed \(quotes.around(course.title)). Its history is kept."
      notify(words)
      removed = words
    }
    browser.onChange?()
    return removed
  }

  /// Takes back what was done last.
  ///
  /// - Returns: Whether there was anything.
  func undo() -> Bool {
    guard let undoable else { return false }
    self.undoable = nil
    let quotes = appearance.symbols.quotes
    switch undoable {
    case .removal(let course, let call):
      call.cancel()
      notify("\(quotes.around(course.title)) stays.")
    case .edition(let former): bringBack(former)
    case .name(let place, let before): takeBackName(of: place, before)
    case .notes(let placed):
      if let last = placed.last { recorder.bringBack(last) }
      if placed.count > 1 { self.undoable = .notes(placed.dropLast()) }
    }
    return true
  }

  /// A thing was done that can be taken back; what waited for it before is done now.
  func did(_ thing: Undoable?) {
    removeNow()
    if case .notes(let before) = undoable, case .notes(let now) = thing {
      undoable = .notes(before + now)
    } else {
      undoable = thing
    }
  }

  /// Says that a course has come in; of one that was there, how to have it as it was.
  func tookIn(_ former: FormerCourse?, saying words: String) {
    did(former.map(Undoable.edition))
    if former == nil { notify(words) } else { offer(words, undoing: "takes it back") }
  }

  /// Imports a course as it was before it was imported again.
  private func bringBack(_ former: FormerCourse) {
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
  }

  /// Looks into the source that a course came from, and shows what would change.
  func importAgain() {
    guard let course = courseInMind else { return notify("There is no course here to import again.") }
    trying {
      let source = try library.origin(of: course.place)?.source ?? ""
      overlays.showAddCourse(from: source)
    }
  }

  /// Asks for another name of the place in mind.
  func askForName() {
    guard let place = placeInMind else { return notify("There is nothing here to rename.") }
    trying {
      // What has the frame is meant first, then the page that it is on.
      let page = tabs.selectedIndex == 0 ? self.page?.place : nil
      let places = [place] + [page].compactMap { $0 }.filter { $0 != place && $0 != .root }
      let candidates = try places.map {
        RenameScreen.Candidate(
          place: try navigation.place(named: .place($0)),
          authorTitle: try $0.node.flatMap { try library.authorTitle(of: $0) })
      }
      let asking = RenameScreen(candidates, shell: shell) { [weak self] in
        self?.screen.place(ofKeyFor: .goTo) ?? .zero
      }
      asking.write(candidates[0].place.title)
      overlays.present(asking)
    }
  }

  /// Gives a place a name, its author's where `nil`, and offers to take that back, until something else can be.
  func rename(_ place: NamedPlace, to title: String?) {
    did(nil)
    trying {
      let (before, now) = try library.rename(place.path, to: title)
      showNames()
      guard before != now else { return }
      let quotes = appearance.symbols.quotes
      offer("It is called \(quotes.around(now)) now.", undoing: "takes it back")
      undoable = .name(place, before: before)
    }
  }

  /// Gives the place that was renamed last the name that it had.
  func takeBackName(of place: NamedPlace, _ before: String) {
    trying {
      try library.rename(place.path, to: before)
      showNames()
      let quotes = appearance.symbols.quotes
      notify("It is called \(quotes.around(before)) again.")
    }
  }

  /// A name may stand on every page: as its title, on a card, in the trail.
  private func showNames() {
    for case let page as PageScreen in stack.screens { trying { page.show(try steps.model(of: page)) } }
    (tabs.selectedScreen as? TabPage)?.lookHasChanged()
    footer.show()
  }
}

import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

extension OverlayPresenter {
  /// - Parameter text: What is written in it already.
  func showPalette(writing text: String = "") {
    let palette = PaletteScreen(title: "Go to", shell: shell) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    palette.write(text)
    present(palette)
  }

  /// - Parameter source: Where the course is, as far as that is known.
  func showAddCourse(from source: String = "") {
    let adding = AddCourseScreen(isAgain: !source.isEmpty, shell: shell, listing: browser.folders) { [weak self] in
      self?.screen.place(ofKeyFor: .add) ?? .zero
    }
    adding.lookAgain()
    present(adding)
    guard !source.isEmpty else { return }
    adding.write(source)
    // What would change is shown at once where the source is still there.
    if browser.folders.isThere(source) { return adding.submit() }
    let quotes = appearance.symbols.quotes
    adding.say(
      "It came from \(quotes.around(source)), which is not there now. Write where the course is.")
  }

  /// Shows a course that has just come in, where the learner sees the list of courses, and offers what it was before.
  func courseWasAdded(_ report: ImportReport, replacing former: FormerCourse?) {
    trying {
      try showCourse(report)
      let quotes = appearance.symbols.quotes
      let isChosen = former == nil && tabs.selectedIndex == 0 && page?.place == .root
      let open = isChosen ? label(of: .open).map { " \($0) opens it." } ?? "" : ""
      let words = "\(quotes.around(report.title)) is here: \(report.contents)." + open
      commands.tookIn(former, saying: words)
    }
  }

  /// Shows a course as it is now.
  func showCourse(_ report: ImportReport) throws {
    for case let page as PageScreen in stack.screens { page.show(try steps.model(of: page)) }
    if let list = page as? ListScreen, list.place == .root,
      let node = try navigation.place(named: .text(report.course)).place.node
    {
      list.choose(node)
    }
    footer.show()
  }

  /// Shows all that is known of the chosen card, or of the page; from there.
  func showInfo() {
    guard let place = commands.placeInMind, let page else { return notify("There is nothing to tell here.") }
    trying {
      let facts = try PlaceFacts(
        of: place, from: navigation, library, days: dayNames, symbols: appearance.symbols)
      let history = tabs.selectedScreen as? HistoryScreen
      let info = InfoScreen(facts, shell: shell) { [weak page, weak history] in
        history?.framed.map { InfoSource(frame: $0) } ?? page?.source(of: place)
          ?? InfoSource(frame: .zero)
      } seen: { [weak self, weak page, weak history] source in
        self?.place(where: source, of: place, isSeenOn: history?.layer ?? page?.sheet) ?? source.frame
      }
      present(info)
    }
  }

  /// Where a card or a header is seen while its page moves: in the frame that opens or closes, or beside its
  /// place.
  private func place(where source: InfoSource, of place: Place, isSeenOn sheet: Layer?) -> CellRect {
    let opening = steps.openings.last { $0.lower.place == place || $0.identity == place.node.map { TransitionID($0) } }
    guard tabs.selectedIndex == 0, let opening else {
      let around = tabs.selectedIndex == 0 ? steps.openings.last { $0.lower.place == page?.place } : nil
      return source.frame.offset(
        columns: Int((sheet?.presentedFrame().x ?? 0).rounded()),
        rows: around.map { $0.presentedGeometry.rowsToGo + $0.shift.rows } ?? 0)
    }
    var frame = opening.box.presentedFrame().cells
    frame.rows = min(frame.rows, source.frame.rows)
    return frame
  }

  /// Shows the end of a course, from the row of the next step.
  func showEnd(of course: NodeID) throws {
    let end = try navigation.courseEnd(of: .place(.node(course)))
    present(CourseEndScreen(end, shell: shell) { [weak self] in self?.screen.place(ofKeyFor: .next) ?? .zero })
  }

  func showHelp() {
    present(HelpScreen(title: "Keys", shell: shell) { [weak self] in self?.screen.place(ofKeyFor: .help) ?? .zero })
  }
}

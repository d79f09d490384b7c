import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// What lies on top of the page: help, info, the palette, a course to add.
extension Browser {
  /// The overlay that has the keys now.
  var overlay: OverlayScreen? {
    guard let overlay = screen.presented as? OverlayScreen, !overlay.isBeingDismissed else { return nil }
    return overlay
  }

  func present(_ overlay: OverlayScreen) {
    trying { try screen.present(overlay, animated: motion != .none) }
    dim(true, along: overlay)
  }

  /// Takes the overlay away; what was below it wakes up.
  func dismissOverlay() {
    guard let overlay else { return }
    overlay.dismiss(animated: motion != .none)
    dim(false, along: overlay)
  }

  private func dim(_ isDimmed: Bool, along overlay: OverlayScreen) {
    let coordinator = overlay.transitionCoordinator
    let isAlongside = coordinator?.animate(alongside: { [screen] _ in screen.dim(isDimmed) }) ?? false
    if !isAlongside { screen.dim(isDimmed) }
    attentionHasChanged()
    showFooter(alongside: coordinator)
    // Under something that goes, pictures are seen again when it is gone.
    guard let page = page as? any PicturedText else { return }
    if isDimmed {
      page.lookAtPictures()
    } else {
      stage.schedule(after: GrowTransition.duration) { page.lookAtPictures() }
    }
  }

  func showPalette() {
    let palette = PaletteScreen(title: "Go to", shell: self) { [weak self] in
      self?.screen.place(ofKeyFor: .goTo) ?? .zero
    }
    palette.lookAgain()
    present(palette)
  }

  /// Goes to a place from wherever the learner is, also from another tab.
  func go(to place: Place, cause: NavigationCause = .key) {
    if tabs.selectedIndex == 0 {
      navigate(.open(.place(place)), cause: cause)
    } else {
      openFound(place, cause: cause)
    }
  }

  /// - Parameter source: Where the course is, as far as that is known.
  func showAddCourse(from source: String = "") {
    let adding = AddCourseScreen(shell: self, listing: folders) { [weak self] in
      self?.screen.place(ofKeyFor: .add) ?? .zero
    }
    adding.lookAgain()
    present(adding)
    guard !source.isEmpty else { return }
    adding.write(source)
    // What would change is shown at once where the source is still there.
    if folders.isThere(source) { adding.submit() }
  }

  /// Shows a course that has just come in, where the learner sees the list of courses.
  func courseWasAdded(_ report: ImportReport) {
    trying {
      for case let page as PageScreen in stack.screens { page.show(try model(of: page)) }
      if let list = page as? ListScreen, list.place == .root,
        let node = try navigation.place(named: .text(report.course)).place.node
      {
        list.choose(node)
      }
      showFooter()
      let quotes = appearance.symbols.quotes
      notify("\(quotes.open)\(report.title)\(quotes.close) is here: \(report.contents).")
    }
  }

  /// Does something that no input asked for, such as showing how far a piece of work is, and sees that it is drawn.
  func besideInput(_ body: () -> Void) {
    stage.perform(at: stage.clock?() ?? stage.now, body)
    onChange?()
  }

  /// Shows all that is known of the chosen card, or of the page; from there.
  func showInfo() {
    guard let place = placeInMind, let page else { return notify("There is nothing to tell here.") }
    trying {
      let facts = try PlaceFacts(
        of: place, from: navigation, library, days: dayNames, symbols: appearance.symbols)
      let history = tabs.selectedScreen as? HistoryScreen
      let info = InfoScreen(facts, shell: self) { [weak page, weak history] in
        history?.framed.map { InfoSource(frame: $0) } ?? page?.source(of: place)
          ?? InfoSource(frame: .zero)
      } seen: { [weak self, weak page, weak history] source in
        self?.place(where: source, of: place, isSeenOn: history?.layer ?? page?.sheet) ?? source.frame
      }
      present(info)
    }
  }

  /// Where a card or a header is seen while its page is on its way: in the frame that opens or closes, or beside its
  /// place.
  private func place(where source: InfoSource, of place: Place, isSeenOn sheet: Layer?) -> CellRect {
    let opening = openings.last { $0.lower.place == place || $0.identity == place.node.map { TransitionID($0) } }
    guard tabs.selectedIndex == 0, let opening else {
      let around = tabs.selectedIndex == 0 ? openings.last { $0.lower.place == page?.place } : nil
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
    present(CourseEndScreen(end, shell: self) { [weak self] in self?.screen.place(ofKeyFor: .next) ?? .zero })
  }

  func showHelp() {
    present(HelpScreen(title: "Keys", shell: self) { [weak self] in self?.screen.place(ofKeyFor: .help) ?? .zero })
  }
}

import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Presents overlays and dims the page below them. Also opens the overlays that show information: help, the details of
/// a place, the end of a course, and the filter and the export of the history.
@MainActor final class OverlayPresenter: BrowserComponent {
  private let steps: StepPresenter
  private let footer: FooterPresenter
  private let navigator: Navigator
  /// The scheduled call that shows the images of a page after an overlay has closed.
  private var imagesCall: ScheduledCall?

  init(
    _ openPages: OpenPages, steps: StepPresenter, footer: FooterPresenter,
    navigator: Navigator
  ) {
    (self.steps, self.footer, self.navigator) = (steps, footer, navigator)
    super.init(openPages)
    navigator.onEndOfCourse = { [weak self] in try self?.showEnd(of: $0, notice: $1) }
  }

  func present(_ overlay: OverlayScreen) {
    overlay.onClose = { [weak self] in self?.dismissOverlay() }
    // A notice about the page below the overlay is no longer relevant.
    screen.endNotice()
    trying { try screen.present(overlay, animated: motion != .none) }
    dim(true, along: overlay)
  }

  /// Dismisses the overlay.
  func dismissOverlay() {
    guard let overlay else { return }
    overlay.dismiss(animated: motion != .none)
    dim(false, along: overlay)
  }

  private func dim(_ isDimmed: Bool, along overlay: OverlayScreen) {
    let coordinator = overlay.transitionCoordinator
    let framedPage: (any FramedPage)? = tabs.selectedScreen as? TabPage ?? page as? ListScreen
    func change() {
      screen.dim(isDimmed)
      framedPage?.hideFrame(cutBy: isDimmed ? overlay.panelFrame : nil)
    }
    let isAlongside = coordinator?.animate(alongside: { _ in change() }) ?? false
    if !isAlongside { change() }
    context.onInteractivityChange?()
    footer.show(alongside: coordinator)
    // Images of the page become visible only when the closing overlay has disappeared.
    guard let page = screenWithImages else { return }
    if isDimmed {
      page.updateImages()
    } else {
      imagesCall?.cancel()
      imagesCall = stage.schedule(after: GrowTransition.duration) { page.updateImages() }
    }
  }

  /// The images that are completely visible. Empty while anything moves.
  var visibleImages: [VisibleImage] {
    if let overlay { return (overlay as? ImageScreen)?.visibleImage.map { [$0] } ?? [] }
    guard steps.runningStep == nil, steps.runningTabTransition == nil, steps.interactiveStep == nil,
      screen.presented == nil
    else {
      return []
    }
    return screenWithImages?.visibleImages ?? []
  }

  /// The visible page or tab, if it can have images.
  private var screenWithImages: (any ScreenWithImages)? {
    (tabs.selectedIndex == 0 ? page : tabs.selectedScreen) as? any ScreenWithImages
  }
}

extension OverlayPresenter: CommandResponder {
  var keyContexts: [KeyContext] {
    [openPages.history.map { _ in .history }, openPages.review.map { _ in .review }, .everywhere].compactMap { $0 }
  }

  func offer(_ command: Command) -> Offer? {
    switch command {
    case .info where openPages.review?.session?.card != nil:
      Offer("info", rank: 2) { [self] in openPages.review?.session?.card.map { showInfo(about: $0.id) } }
    case .setDue where openPages.review?.session?.card != nil:
      Offer { [self] in openPages.review?.session?.card.map { askForDueDay(of: $0.id) } }
    case .leeches: Offer { [self] in showLeeches() }
    case .info:
      openPages.selectedPlace.map { place in
        Offer("info", rank: openPages.rankOfPlaceCommands) { [self] in showInfo(about: place) }
      }
    case .help:
      Offer(openPages.review?.session != nil || tabs.selectedScreen is FindScreen ? "" : "help") { [self] in showHelp()
      }
    case .reviewPlaces where openPages.review.map { $0.session == nil && !$0.rows.isEmpty } == true:
      Offer("filter", rank: 1) { [self] in showReviewPlaces() }
    case .filter where openPages.history != nil: Offer("filter") { [self] in showHistoryFilter() }
    case .exportHistory where openPages.history != nil:
      Offer(context.export == nil ? nil : openPages.history?.chosenStep == nil ? "" : "export") { [self] in
        showHistoryExport()
      }
    default: nil
    }
  }

  /// Shows the details of a place. The overlay grows from its selected card or from the header of its page.
  private func showInfo(about place: Place) {
    guard let page else { return }
    trying {
      let facts = try PlaceFacts(
        of: place, from: navigation, library, days: dayNames, symbols: appearance.symbols)
      let history = openPages.history
      let info = InfoScreen(facts, over: tabs.layer, context: context) { [weak page, weak history] in
        history?.framed.map { InfoSource(frame: $0) } ?? page?.source(of: place)
          ?? InfoSource(frame: .zero)
      } sourceFrame: { [weak self, weak page, weak history] source in
        self?.place(where: source, of: place, isSeenOn: history?.layer ?? page?.sheet) ?? source.frame
      }
      present(info)
    }
  }

  /// Shows the state of a card of a review.
  private func showInfo(about id: CardID) {
    trying {
      let facts = try CardFacts(id, of: navigation, days: dayNames)
      present(
        CardInfoScreen(facts, context: context, source: keyPlace(of: .info)) { [weak self] in
          self?.perform($0, on: id)
        })
    }
  }

  /// Performs a command of ``CardInfoScreen``: in the review if it shows the card.
  private func perform(_ command: Command, on id: CardID) {
    if command == .setDue { return askForDueDay(of: id) }
    if openPages.review?.session?.card?.id == id {
      context.perform(command)
    } else {
      trying {
        if command == .suspendCard {
          try navigation.cards.setSuspended(true, id)
        } else {
          try navigation.cards.schedule(id, inDays: nil)
        }
        cardDidChange(command == .suspendCard ? "Suspended." : "The card is new again.")
      }
    }
  }

  private func askForDueDay(of id: CardID) {
    present(
      DueDaysScreen(context: context, source: keyPlace(of: .info)) { [unowned self] days in
        guard openPages.review?.session?.card?.id != id else {
          return try openPages.review?.schedule(inDays: days) ?? ()
        }
        try navigation.cards.schedule(id, inDays: days)
        cardDidChange("Due in \(ReviewText.count(days, "day")).")
      })
  }

  private func cardDidChange(_ message: String) {
    for case let review as ReviewScreen in tabs.screens { review.cardsDidChange() }
    notify(message, undoing: "undoes it")
  }

  private func showLeeches() {
    trying {
      present(
        LeechesScreen(try navigation.cards.all(leeches: true), context: context, source: keyPlace(of: .showPalette)) {
          [weak self] in self?.showInfo(about: $0)
        })
    }
  }

  /// Returns the visible frame of a card or a header while its page is moving. The frame is either inside the card that
  /// opens or closes, or offset together with the page.
  private func place(where source: InfoSource, of place: Place, isSeenOn sheet: Layer?) -> CellRect {
    let opening = steps.openings.last { $0.lower.place == place || $0.identity == place.node.map { TransitionID($0) } }
    guard tabs.selectedIndex == 0, let opening else {
      let enclosing = tabs.selectedIndex == 0 ? steps.openings.last { $0.lower.place == page?.place } : nil
      return source.frame.offset(
        columns: nearestCell(sheet?.presentedFrame().x ?? 0),
        rows: enclosing.map { $0.presentedGeometry.remainingRows + $0.shift.rows } ?? 0)
    }
    var frame = opening.box.presentedFrame().cells
    frame.rows = min(frame.rows, source.frame.rows)
    return frame
  }

  /// Shows the end of a course. The overlay grows from the row of the next step.
  ///
  /// - Parameter notice: A notice about the last activity, which is not done.
  func showEnd(of course: NodeID, notice: String? = nil) throws {
    let end = try navigation.places.courseEnd(of: .place(.node(course)))
    present(
      CourseEndScreen(
        end, try PathTaken(in: end.course.place, from: navigation), notice: notice, context: context,
        source: keyPlace(of: .next)
      ) { [weak self] choice in
        switch choice {
        case .unfinished: self?.context.perform(.continueCourse)
        case .next(let place): self?.navigator.go(to: place)
        case .markDone: self?.context.perform(.toggleDone)
        }
      })
  }

  private func showHelp() {
    present(HelpScreen(footer.commands, manualPage: manualPage, context: context, source: keyPlace(of: .help)))
  }

  /// The name of the page of the manual about the visible page.
  private var manualPage: String {
    if openPages.review != nil { return "review" }
    if openPages.history != nil { return "history-words" }
    return switch tabs.selectedIndex == 0 ? page : nil {
    case is ReadingScreen: "notes"
    case is QuizScreen, is FlashcardsScreen: "progress"
    default: "first-hour"
    }
  }

  private func showHistoryFilter() {
    guard let history = openPages.history else { return }
    let filter = HistoryFilterScreen(history, context: context, source: keyPlace(of: .filter))
    filter.reloadEntries()
    present(filter)
  }

  /// Asks for the place to which the Review tab is limited.
  private func showReviewPlaces() {
    guard let review = openPages.review else { return }
    let places = ReviewPlaceScreen(review, context: context, source: keyPlace(of: .reviewPlaces))
    places.reloadEntries()
    present(places)
  }

  private func showHistoryExport() {
    guard let history = openPages.history else { return }
    guard let export = context.export else { return notify("Files cannot be written here.", .warn) }
    let choice = history.choice
    askForFile(
      for: ExportScreen.Content(
        name: "waymark-history", summary: choice == .allSteps ? "all steps" : "only what is shown",
        formats: export.formats
      ) { form, path, replaces in
        DisplayFormat.count(try export.write(choice.filter, form, path, replaces), "step")
      }, from: .exportHistory)
  }

  /// Asks for the file to which something is exported.
  func askForFile(for content: ExportScreen.Content, from command: Command) {
    let exportScreen = ExportScreen(content, context: context, listing: context.folders, source: keyPlace(of: command))
    exportScreen.reloadEntries()
    present(exportScreen)
  }
}

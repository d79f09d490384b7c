import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Presents steps as transitions: a push, a pop or a change of tabs. Owns the running transition and the interactive
/// transition.
@MainActor final class StepPresenter: BrowserComponent {
  let transitions = BrowserTransitions()
  let tabTransitions = TabTransitions()
  /// The interactive transition, until it has ended. It was begun by a gesture, or is a running transition that a
  /// gesture has taken over.
  private(set) var interactiveStep: InteractiveStep?
  /// The step whose transition is running.
  private(set) var runningStep: RunningStep? { didSet { if runningStep == nil, hasPendingImport { followImport() } } }
  /// The change of tabs whose transition is running.
  private(set) var runningTabTransition: Transition?
  private(set) lazy var gestures = InteractiveNavigationGestures(steps: self)
  private let reader: PageReader
  private let recorder: ActivityRecorder
  private let footer: FooterPresenter
  private let pageContext: () -> PageContext
  /// Whether a course was imported while the transition of a step was running.
  private var hasPendingImport = false
  /// The version of the database whose content is shown. Writes of other processes change the version.
  private var dataVersion: Int?

  /// Creates a presenter.
  ///
  /// - Parameter pageContext: Returns the dependencies of a new page.
  init(
    _ openPages: OpenPages, reader: PageReader, recorder: ActivityRecorder,
    footer: FooterPresenter, pageContext: @escaping () -> PageContext
  ) {
    (self.reader, self.recorder, self.footer, self.pageContext) = (reader, recorder, footer, pageContext)
    super.init(openPages)
    openPages.gesturePages = { [weak self] in self?.interactiveStep?.pages }
  }
}

extension StepPresenter {
  /// Shows the pages of a step's stack. Pages that are already open are reused.
  ///
  /// - Parameter isGesture: Whether a gesture drives the transition.
  @discardableResult
  func show(_ step: NavigationStep, animated: Bool, byGesture isGesture: Bool = false) throws -> Transition? {
    let old = self.pages
    // A page that is still moving out is reused without reading it again.
    let leaving = pagesLeaving
    let isReturn = [.back, .forward].contains(step.operation)
    var pages: [PageScreen] = []
    for (index, place) in step.stack.map(\.place).enumerated() {
      let reusedStack = [old, leaving].first { candidate in
        index < candidate.count && candidate[index].place == place
          && pages.elementsEqual(candidate.prefix(index), by: ===)
      }
      pages.append(try reusedStack?[index] ?? makePage(of: place, isReturn: isReturn))
    }
    let snapshot = animated ? leavingSnapshot(before: step, to: pages) : nil
    let tabSnapshot = animated ? snapshotOfLeavingTab() : nil
    if animated { for opening in openings { opening.isFrozen = true } }
    for (index, page) in pages.enumerated() { try refresh(page, at: index, of: pages, after: old) }
    transitions.choice = step.transition?.choice
    transitions.slidesFullWidth = isGesture || isSlidingOrOpening
    defer { transitions.choice = nil }
    let isCut =
      step.transition?.choice.kind == .siblingSlide && !transitions.slidesFullWidth && cutsBetweenNeighbours
    let isInterrupting = runningStep?.transition.isRunning == true
    let transition = try stack.setScreens(pages, animated: animated && !isCut)
    if let tabSnapshot { stack.layer.cover(with: tabSnapshot) }
    dissolve(snapshot)
    if let transition, transition.isRunning {
      let runningStep = RunningStep(step, transition, before: old, after: pages)
      self.runningStep = runningStep
      transition.whenEnded { [weak self, weak runningStep] _ in
        if self?.runningStep === runningStep { self?.runningStep = nil }
      }
    }
    // During an interactive transition, the page that leaves remains on the stack until the gesture ends. The footer is
    // therefore set for the top page of the step. If another tab is selected, the footer does not belong to these
    // pages.
    if tabs.selectedIndex == 0 {
      footer.show(
        of: pages[pages.count - 1], alongside: stack.transitionCoordinator, isInterrupting: isInterrupting)
    }
    // The preview of the new page was read after its transition began.
    if transition?.isRunning == true, PageMetrics(size: size).showsPreviewBelow { updateFragments() }
    return transition
  }

  /// Whether pages slide over the full width, or a card opens or closes.
  private var isSlidingOrOpening: Bool {
    guard runningStep?.transition.isRunning == true else { return false }
    return stack.transitionCoordinator?.context.animationController is any PageTransition
  }

  /// Whether a key shows a neighbour or another tab without an animation. Terminals without true colour are often slow
  /// or remote.
  private var cutsBetweenNeighbours: Bool { appearance.theme.colourDepth != .truecolor }

  /// Reloads a page. On a list, also selects the card that leads to the next page of the new stack, or of the old stack
  /// if the list is the top page.
  private func refresh(_ page: PageScreen, at index: Int, of pages: [PageScreen], after old: [PageScreen]) throws {
    let wasOpen = index < old.count && old[index] === page
    // Other pages are reloaded when they become visible.
    if wasOpen || page.isLayerLoaded, index + 1 == pages.count { page.show(try reader.model(of: page)) }
    let child = index + 1 < pages.count ? pages[index + 1] : wasOpen && index + 1 < old.count ? old[index + 1] : nil
    if let node = child?.place.node { (page as? ListScreen)?.choose(node) }
  }

  /// The request that opens the parent page. It skips lists with a single card, because opening such a list skips it too.
  var parentRequest: NavigationRequest {
    let lists = pages.dropLast().dropFirst().reversed()
    let skippedLists = lists.prefix { $0.page.cards.count == 1 }
    guard !skippedLists.isEmpty else { return .pop }
    return .popTo(.place(pages[pages.count - 2 - skippedLists.count].place))
  }

  /// On a list, selects the card of the place that the learner left last, possibly in an earlier session.
  func chooseWhereFrom() {
    guard let list = page as? ListScreen else { return }
    trying {
      if let node = try navigation.history.lastVisitedChild(under: list.place)?.node { list.choose(node) }
    }
  }
}

/// Creation of pages.
extension StepPresenter {
  /// Creates the page of a place with its stored history.
  ///
  /// - Parameter isReturn: Whether the learner navigates to the page with *back* or *forward*.
  func makePage(of place: Place, isReturn: Bool) throws -> PageScreen {
    let model = try reader.model(of: place, around: .nextToDo)
    guard model.kind == .activity, let node = place.node else {
      let page = ListScreen(place: place, page: model, host: pageContext(), reader: reader)
      page.chooseWhatIsNext()
      return page
    }
    let page = ActivityScreens.screen(
      of: place, content: try library.content(of: node) ?? .reading([]), page: model,
      host: pageContext())
    var history = try recorder.past(of: page)
    history.isReturn = isReturn
    page.restore(history)
    return page
  }

  /// Replaces the page of a text that was edited since it was opened. The passage at the top of the screen stays there.
  func showEdition() throws {
    guard interactiveStep == nil, let old = page as? ReadingScreen, let node = old.place.node,
      let content = try library.content(of: node), !old.shows(content.readBlocks)
    else { return }
    recorder.savePosition()
    guard let page = try makePage(of: old.place, isReturn: true) as? ReadingScreen else { return }
    page.continuePosition(of: old)
    try stack.replaceTop(with: page, animated: false)
  }
}

extension StepPresenter: InteractiveNavigation {
  var isInView: Bool { overlay == nil && tabs.selectedIndex == 0 }
  var isMoving: Bool { runningStep != nil }
  var isTabMoving: Bool { runningTabTransition?.isRunning == true }

  /// The time, in seconds, for which the velocity of an ended gesture is extrapolated.
  static let gestureMomentum = 0.2
  /// The maximum width, in columns, at which the velocity of a flick is used unchanged. In a wider terminal, the
  /// velocity is scaled up, because people do not flick faster there.
  static let widestFlick = 80.0
  /// Duration of the motion to the progress that a scroll event requests, in seconds: short enough to follow the
  /// finger, but long enough to make the discrete steps look continuous.
  static let wheelGlide = 0.14
  /// A transition completes when its gesture ends at this progress or more. If the progress is smaller, the transition
  /// is cancelled.
  static let completionThreshold = 0.4

  /// Begins an interactive transition. The navigation is computed and the transition is shown at progress 0. Nothing is
  /// recorded yet.
  ///
  /// - Returns: `false` if there is no place to navigate to.
  func beginInteraction(_ request: NavigationRequest) -> Bool {
    // While a change of tabs is running, steps are shown without a transition.
    guard overlay == nil, tabs.selectedIndex == 0, runningTabTransition?.isRunning != true, motion != .none else {
      return false
    }
    interruptGesture()
    // The reading position must be saved before the page changes.
    recorder.savePosition()
    var hasBegun = false
    trying {
      let step = try navigation.predict(request)
      guard case .predicted = step.outcome else {
        if let message = step.message { notify(message) }
        return
      }
      let interaction = PercentDrivenInteractiveTransition()
      // When the transition returns to its start, it uses the same curve as an opening page.
      interaction.completionCurve = .easeOut
      transitions.interactiveTransition = interaction
      defer { transitions.interactiveTransition = nil }
      try show(step, animated: true, byGesture: true)
      // If no transition is running now, the new page has appeared without one, because it had never been visible.
      guard let runningStep, runningStep.step == step else { return }
      startInteraction(InteractiveStep(runningStep, request: request))
      hasBegun = true
    }
    return hasBegun
  }

  /// Makes the running transition interactive at its current progress.
  ///
  /// - Parameter isSideways: `true` to take over a transition between neighbours, `false` for one between parent and
  ///   child.
  /// - Returns: The direction of the gesture that advances the transition: 1 to the right, -1 to the left. `nil` if
  ///   there is no transition of that kind.
  func takeOverRunningTransition(sideways isSideways: Bool) -> Double? {
    guard overlay == nil, let runningStep, runningStep.transition.isRunning, let direction = runningStep.direction
    else { return nil }
    guard isSideways == (direction == .left || direction == .right), !isSideways || isSlidingOrOpening else {
      return nil
    }
    runningStep.transition.pause()
    if let interactiveStep, interactiveStep.runningStep === runningStep {
      interactiveStep.isGestureActive = true
      interactiveStep.start = runningStep.transition.fractionComplete
    } else {
      startInteraction(InteractiveStep(runningStep, request: nil))
    }
    return direction == .up || direction == .left ? 1 : -1
  }

  private func startInteraction(_ interaction: InteractiveStep) {
    self.interactiveStep = interaction
    interaction.runningStep.transition.whenEnded { [weak self, weak interaction] _ in
      guard let self, let interaction, self.interactiveStep === interaction else { return }
      self.interactiveStep = nil
      reader.reloadCurrentPage()
    }
  }

  /// Updates the progress of the interactive transition.
  ///
  /// The distance is measured from where the gesture began, in fractions of the whole transition.
  ///
  /// - Parameter isGliding: Whether the gesture arrives in discrete steps, between which the transition is animated.
  /// - Returns: How far the gesture is before 0 (negative) or beyond 1, or 0 if it is between them.
  @discardableResult
  func updateInteraction(by distance: Double, gliding isGliding: Bool) -> Double {
    guard let interactiveStep, interactiveStep.isGestureActive else { return 0 }
    let requestedFraction = interactiveStep.start + distance
    let fraction = max(0, min(1, requestedFraction))
    if isGliding {
      interactiveStep.runningStep.transition.glide(to: fraction, within: Self.wheelGlide)
    } else {
      interactiveStep.runningStep.transition.fractionComplete = fraction
    }
    return requestedFraction - fraction
  }

  /// Ends the interactive transition because the gesture has moved past the start or the end of the transition. At the
  /// end, the step is performed; at the start, a performed step is undone.
  ///
  /// - Returns: `true` if the transition has ended.
  func endInteraction(atEnd isDone: Bool) -> Bool {
    guard let interactiveStep, interactiveStep.isGestureActive else { return false }
    guard isDone == interactiveStep.isPerformed || (isDone ? perform(interactiveStep) : undo(interactiveStep)),
      self.interactiveStep === interactiveStep
    else {
      interruptGesture()
      return false
    }
    interactiveStep.isGestureActive = false
    finishInteraction(interactiveStep, on: isDone, velocity: 0)
    interactiveStep.runningStep.transition.skip()
    return self.interactiveStep == nil
  }

  /// Ends the gesture. The progress and the velocity determine whether the step is performed.
  ///
  /// - Parameter velocity: The velocity in transitions per second, negative towards the start. At 1, a full transition
  ///   takes one second.
  func endGesture(velocity: Double) {
    guard let interactiveStep, interactiveStep.isGestureActive else { return }
    let flickVelocity = velocity * max(1, Double(size.columns) / Self.widestFlick)
    let completes =
      interactiveStep.runningStep.transition.fractionComplete + flickVelocity * Self.gestureMomentum
      >= Self.completionThreshold
    interactiveStep.isGestureActive = false
    if completes != interactiveStep.isPerformed, completes ? !perform(interactiveStep) : !undo(interactiveStep) {
      // If the step could not be recorded, the transition continues to the place that is recorded.
      finishInteraction(interactiveStep, on: interactiveStep.isPerformed, velocity: 0)
    } else {
      finishInteraction(interactiveStep, on: completes, velocity: velocity)
    }
  }

  /// Ends the gesture because of another event. Nothing is recorded: the transition completes if its step was performed
  /// before the gesture, and is cancelled otherwise.
  func interruptGesture() {
    gestures.releasePulledPage()
    guard let interactiveStep, interactiveStep.isGestureActive else { return }
    interactiveStep.isGestureActive = false
    finishInteraction(interactiveStep, on: interactiveStep.isPerformed, velocity: 0)
  }

  /// Completes or cancels the transition with a spring that starts at the gesture's velocity.
  ///
  /// The velocity that is passed to the transition is never exactly 0. A velocity of 0 would select the timing curve,
  /// with which a short remaining distance takes hardly any time.
  private func finishInteraction(_ interaction: InteractiveStep, on completes: Bool, velocity: Double) {
    if completes {
      interaction.runningStep.transition.finish(velocity: max(.leastNonzeroMagnitude, velocity))
    } else {
      interaction.runningStep.transition.cancel(velocity: min(-.leastNonzeroMagnitude, velocity))
    }
  }

  /// Performs the step of an interactive transition.
  ///
  /// - Returns: `true` if the step was performed and led to the predicted place.
  private func perform(_ interaction: InteractiveStep) -> Bool {
    guard let request = interaction.request else { return false }
    var performed: NavigationStep?
    trying {
      // The reading position must be saved before the step leaves the page.
      recorder.savePosition()
      performed = try navigation.perform(request, cause: .mouse, animated: true)
    }
    guard let performed else { return false }
    if let message = performed.message { notify(message) }
    guard performed.isPerformed else { return false }
    guard performed.to.place == interaction.runningStep.step.to.place else {
      // The course has changed since the step was predicted, so the step led to a different place.
      finishInteraction(interaction, on: false, velocity: 0)
      trying { try show(performed, animated: true) }
      return false
    }
    interaction.isPerformed = true
    return true
  }

  /// Undoes a performed step. The history is append-only, so this records a second step, back to the previous place.
  /// The undone step does not count as a visit.
  ///
  /// - Returns: Whether the step was recorded.
  private func undo(_ interaction: InteractiveStep) -> Bool {
    var undone: NavigationStep?
    trying {
      let request: NavigationRequest = interaction.runningStep.step.operation == .back ? .forward : .back
      undone = try navigation.perform(request, cause: .mouse, animated: true)
      for page in interaction.runningStep.before { page.show(try reader.model(of: page)) }
    }
    guard let undone, undone.isPerformed else { return false }
    interaction.isPerformed = false
    if undone.to.place != interaction.runningStep.before.last?.place {
      // The previous place was removed, so the step led to a different place.
      trying { try show(undone, animated: true) }
    }
    return true
  }
}

/// The fading of interrupted transitions, which ensures that visible content does not disappear from one frame to the
/// next.
extension StepPresenter {
  /// Returns a snapshot of the visible pages if the next step cannot continue from them, otherwise `nil`.
  ///
  /// No snapshot is needed if a card reverses its direction, or if sliding pages carry the earlier page along.
  ///
  /// - Parameter pages: The pages of the step.
  func leavingSnapshot(before step: NavigationStep, to pages: [PageScreen]) -> Layer? {
    guard context.hasBegun, motion != .none, tabs.selectedIndex == 0 else { return nil }
    if let runningTabTransition, runningTabTransition.isRunning {
      // A card that is opening from a search result would cover the page, so its transition is skipped.
      defer { if tabTransitions.isOpening { runningTabTransition.skip() } }
      return snapshotOfMovingCards()
    }
    let isMoving = (page as? ListScreen)?.isChangingLayout == true && step.transition?.choice.kind != .siblingSlide
    return isMoving && runningStep?.transition.isRunning != true || opensAnotherCard(to: pages)
      ? snapshotOfPages() : nil
  }

  /// The pages that a running step leaves: the pages before the step or, if the step is cancelled, those after it.
  var pagesLeaving: [PageScreen] {
    guard let runningStep, runningStep.transition.isRunning else { return [] }
    return interactiveStep?.runningStep === runningStep && interactiveStep?.isPerformed == false
      ? runningStep.after : runningStep.before
  }

  /// Returns whether the step opens a card that is not selected. Such a card is selected first, which can scroll the
  /// list.
  private func opensAnotherCard(to pages: [PageScreen]) -> Bool {
    guard let list = page as? ListScreen, let index = pages.firstIndex(where: { $0 === list }),
      index + 1 < pages.count
    else { return false }
    return list.chosenCard?.node != pages[index + 1].place.node
  }

  /// Returns a snapshot of the visible pages, including the dimming below an overlay.
  func snapshotOfPages() -> Layer { screen.snapshotOfPages() }

  /// Returns a snapshot of the visible pages, and hides the cards that are opening or closing.
  func snapshotOfMovingCards() -> Layer {
    let snapshot = snapshotOfPages()
    for card in movingCards { card.isHidden = true }
    return snapshot
  }

  /// Returns a snapshot of the pages while their tab is moving out, so that changes by a step can fade in during that
  /// motion.
  ///
  /// - Returns: `nil` if the tab is selected or not visible.
  func snapshotOfLeavingTab() -> Layer? {
    guard motion != .none, tabs.selectedIndex != 0, let runningTabTransition, runningTabTransition.isRunning else {
      return nil
    }
    return stack.layer.visibleSnapshot()
  }

  /// Returns a snapshot of the visible pages if a change of tabs is running, otherwise `nil`.
  ///
  /// An entry of a tab opens from its place at rest, but while the tab arrives, the old tab or a displaced list is
  /// visible.
  func snapshotOfMovingTabs() -> Layer? { motion != .none && isTabMoving ? snapshotOfPages() : nil }

  /// Performs a command. If the command can change the layout while cards open or close, the content that was visible
  /// before fades out.
  func dissolvingLayoutChange(of command: Command, _ body: () -> Void) {
    let snapshot = command == .layout && !openings.isEmpty && motion == .full ? snapshotOfPages() : nil
    body()
    dissolve(snapshot)
  }

  /// Fades out a snapshot above the pages, which may be moving.
  func dissolve(_ snapshot: Layer?) {
    guard let snapshot else { return }
    screen.cover(with: snapshot)
    snapshot.dissolveAndRemove(within: Layer.dissolveDuration)
  }

  // MARK: - Moving pages

  /// The layers of cards that are opening or closing.
  private var movingCards: [OpeningLayer] {
    (stack.layer.sublayers + tabs.layer.sublayers).compactMap { $0 as? OpeningLayer }
  }

  /// The cards that are opening or closing. A card that is nested in another one comes after it.
  var openings: [OpeningLayer] {
    movingCards.flatMap(\.nested)
  }

  /// Updates the layers of opening cards after the content of a page has changed.
  func updateFragments() {
    for opening in openings { opening.updateFragments() }
  }

  func selectTab(_ index: Int) {
    interruptGesture()
    // The list of courses shows what is due, which changes in the other tabs.
    if index == 0, page?.place == .root { reader.reloadCurrentPage() }
    trying {
      let isAnimated = tabTransitions.opening != nil || !cutsBetweenNeighbours
      guard let transition = try tabs.select(index, animated: isAnimated), transition.isRunning else { return }
      tabTransitions.isOpening = tabTransitions.opening != nil
      runningTabTransition = transition
      transition.whenEnded { [weak self, weak transition] _ in
        guard let self, runningTabTransition === transition else { return }
        (runningTabTransition, tabTransitions.isOpening) = (nil, false)
      }
    }
    footer.show(alongside: tabs.transitionCoordinator)
  }
}

/// Changes by other processes, such as an imported course or a new bookmark.
extension StepPresenter {
  /// Reads the visible content again if another process has changed the database since the last call.
  func checkForChanges() {
    guard let version = try? navigation.dataVersion(), version != dataVersion else { return }
    defer { dataVersion = version }
    guard dataVersion != nil else { return }
    trying { try showEdition() }
    recorder.updateNotesOfPage()
    reader.reloadCurrentPage()
  }

  /// Updates the screen after a course was imported or removed.
  func followImport() {
    hasPendingImport = runningStep != nil
    guard !hasPendingImport else { return }
    checkForChanges()
    context.onChange?()
  }

  /// Updates the screen after synchronisation.
  func followSync() {
    // A version is never -1, so this value forces a reload. It is necessary because writes of this process do not
    // change the version.
    dataVersion = dataVersion.map { _ in -1 }
    followImport()
  }
}

extension StepPresenter: PageObserver {
  func pageChanged(_ page: any CoursePage) {
    // The content of a page can change while another tab is selected.
    if page === self.page, tabs.selectedIndex == 0 { footer.show() }
    updateFragments()
  }

  func pageMoved() { updateFragments() }
}

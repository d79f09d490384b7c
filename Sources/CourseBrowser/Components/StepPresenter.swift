import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Shows steps: each becomes a push, a pop or a switch of tabs. Owns the running transition and the step that a gesture holds.
@MainActor final class StepPresenter: BrowserComponent {
  let transitions = BrowserTransitions()
  let tabTransitions = TabTransitions()
  /// The step that a gesture makes, or has caught, until its transition ends.
  private(set) var hand: HandStep?
  /// The step whose transition runs.
  private(set) var flight: Flight? { didSet { if flight == nil, hasNews { followImport() } } }
  /// The change of tabs whose transition runs.
  private(set) var tabFlight: Transition?
  private(set) lazy var gestures = HandGestures(steps: self)
  private let reader: PageReader
  private let recorder: ActivityRecorder
  private let footer: FooterPresenter
  private let pageContext: () -> PageContext
  /// Whether a course was imported while the transition of a step ran.
  private var hasNews = false
  /// The version of the database that is shown; another process changes it.
  private var dataVersion: Int?

  /// - Parameter pageContext: Returns the dependencies of a new page.
  init(
    _ openPages: OpenPages, reader: PageReader, recorder: ActivityRecorder,
    footer: FooterPresenter, pageContext: @escaping () -> PageContext
  ) {
    (self.reader, self.recorder, self.footer, self.pageContext) = (reader, recorder, footer, pageContext)
    super.init(openPages)
    openPages.heldPages = { [weak self] in self?.hand?.pages }
  }
}

extension StepPresenter {
  /// Shows the pages of a step's stack; those that are there already stay.
  @discardableResult
  func show(_ step: Step, animated: Bool) throws -> Transition? {
    let old = self.pages
    // A page that has not left yet comes back as it is.
    let leaving = pagesLeaving
    let isReturn = [.back, .forward].contains(step.operation)
    var pages: [PageScreen] = []
    for (index, place) in step.stack.map(\.place).enumerated() {
      let kept = [old, leaving].first { known in
        index < known.count && known[index].place == place && pages.elementsEqual(known.prefix(index), by: ===)
      }
      pages.append(try kept?[index] ?? makePage(of: place, isReturn: isReturn))
    }
    let afterimage = animated ? afterimage(before: step, to: pages) : nil
    let pageLeaving = animated ? pictureOfLeavingTab() : nil
    if animated { for opening in openings { opening.isKept = true } }
    for (index, page) in pages.enumerated() { try refresh(page, at: index, of: pages, after: old) }
    transitions.choice = step.transition?.choice
    defer { transitions.choice = nil }
    let transition = try stack.setScreens(pages, animated: animated)
    if let pageLeaving { stack.layer.cover(with: pageLeaving) }
    fade(afterimage)
    if let transition, transition.isRunning {
      let flight = Flight(step, transition, before: old, after: pages)
      self.flight = flight
      transition.whenEnded { [weak self, weak flight] _ in if self?.flight === flight { self?.flight = nil } }
    }
    // A page that goes back under a hand is on the stack until the hand lets go.
    // Beside another tab nothing of it is seen.
    if tabs.selectedIndex == 0 { footer.show(of: pages[pages.count - 1], alongside: stack.transitionCoordinator) }
    return transition
  }

  /// Brings a page up to date, and lets a list choose the card that leads to the page that is, or was, below it.
  private func refresh(_ page: PageScreen, at index: Int, of pages: [PageScreen], after old: [PageScreen]) throws {
    let wasThere = index < old.count && old[index] === page
    // Those below the last are brought up to date when they are seen again.
    if wasThere || page.isLayerLoaded, index + 1 == pages.count { page.show(try reader.model(of: page)) }
    let below = index + 1 < pages.count ? pages[index + 1] : wasThere && index + 1 < old.count ? old[index + 1] : nil
    if let node = below?.place.node { (page as? ListScreen)?.choose(node) }
  }

  /// What leads up from where the learner is: past the lists that a card does not open.
  var wayUp: NavigationRequest {
    let lists = pages.dropLast().dropFirst().reversed()
    let passed = lists.prefix { page in
      page.page.cards.count == 1 && page.page.cards[0].title == page.page.header.title
    }
    guard !passed.isEmpty else { return .pop }
    return .popTo(.place(pages[pages.count - 2 - passed.count].place))
  }

  /// Chooses on a list the card that the learner has come from, as if the program had never been left.
  func chooseWhereFrom() {
    guard let list = page as? ListScreen else { return }
    trying {
      if let node = try navigation.childLeft(under: list.place)?.node { list.choose(node) }
    }
  }
}

/// The making of pages.
extension StepPresenter {
  /// - Parameter isReturn: Whether the learner goes back to where they were.
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
    var past = try recorder.past(of: page)
    past.isReturn = isReturn
    page.take(past)
    return page
  }

  /// Where the text on show was edited since it was opened, shows it anew, with the same words at the top.
  func showEdition() throws {
    guard hand == nil, let old = page as? ReadingScreen, let node = old.place.node,
      case .reading(let blocks) = try library.content(of: node), !old.shows(blocks)
    else { return }
    recorder.keepPosition()
    guard let page = try makePage(of: old.place, isReturn: true) as? ReadingScreen else { return }
    page.takePlace(of: old)
    try stack.setScreens(pages.dropLast() + [page], animated: false)
  }
}

extension StepPresenter: HandledSteps {
  var isInView: Bool { overlay == nil && tabs.selectedIndex == 0 }
  var isMoving: Bool { flight != nil }
  var isTabMoving: Bool { tabFlight?.isRunning == true }

  /// How much of its speed, in seconds, a hand that lets go still has before it.
  static let handMomentum = 0.2
  /// Columns of a way that a hand's speed is measured by at most: in a wider terminal nobody flicks any quicker.
  static let widestFlick = 80.0
  /// Seconds in which a page comes to where a wheel has turned it: quick enough to follow each finger, and slow enough
  /// that its steps are not seen.
  static let wheelGlide = 0.14
  /// The part of the way from which on a step is finished.
  static let handThreshold = 0.4

  /// Takes a step into a hand: it is shown at its beginning, and no step is written.
  ///
  /// - Returns: Whether there is a step to take.
  func takeInHand(_ request: NavigationRequest) -> Bool {
    // A tab that still comes shows a step at once: there would be nothing to hold, and nothing written.
    guard overlay == nil, tabs.selectedIndex == 0, tabFlight?.isRunning != true, motion != .none else { return false }
    interruptHand()
    // What is shown of the page that is left is what will stay.
    recorder.keepPosition()
    var isTaken = false
    trying {
      let step = try navigation.predict(request)
      guard case .predicted = step.outcome else {
        if let message = step.message { notify(message) }
        return
      }
      let drive = PercentDrivenInteractiveTransition()
      // A page that springs back is not slower than one that opens.
      drive.completionCurve = .easeOut
      transitions.hand = drive
      defer { transitions.hand = nil }
      try show(step, animated: true)
      // A page that was not seen yet is there at once; there is nothing to hold.
      guard let flight, flight.step == step else { return }
      take(HandStep(flight, request: request))
      isTaken = true
    }
    return isTaken
  }

  /// Catches the step whose transition runs, wherever it is.
  ///
  /// - Parameter isSideways: Whether the hand wants one that goes to a neighbour, or one that goes up or down.
  /// - Returns: Which way of the hand takes it on: 1 to the right, -1 to the left; `nil` where there is none to catch.
  func catchStep(sideways isSideways: Bool) -> Double? {
    guard overlay == nil, let flight, flight.transition.isRunning, let direction = flight.direction else { return nil }
    guard isSideways == (direction == .left || direction == .right) else { return nil }
    flight.transition.pause()
    if let hand, hand.flight === flight {
      hand.isHeld = true
      hand.start = flight.transition.fractionComplete
    } else {
      take(HandStep(flight, request: nil))
    }
    return direction == .up || direction == .left ? 1 : -1
  }

  private func take(_ hand: HandStep) {
    self.hand = hand
    hand.flight.transition.whenEnded { [weak self, weak hand] _ in
      guard let self, let hand, self.hand === hand else { return }
      self.hand = nil
      reader.readAgain()
    }
  }

  /// Shows how far the hand has moved the step from where it took it, in parts of the whole way.
  ///
  /// - Parameter isGliding: Whether the hand is heard of in steps, and what is seen goes after them.
  /// - Returns: How far the hand is beyond the step's beginning, negative, or beyond its end; 0 where it is between them.
  @discardableResult
  func moveHand(by distance: Double, gliding isGliding: Bool) -> Double {
    guard let hand, hand.isHeld else { return 0 }
    let wanted = hand.start + distance
    let fraction = max(0, min(1, wanted))
    if isGliding {
      hand.flight.transition.glide(to: fraction, within: Self.wheelGlide)
    } else {
      hand.flight.transition.fractionComplete = fraction
    }
    return wanted - fraction
  }

  /// The hand has moved a step to one of its ends, and moves beyond: the step is over, done or not done.
  ///
  /// - Returns: Whether it is.
  func passHand(beyondEnd isDone: Bool) -> Bool {
    guard let hand, hand.isHeld else { return false }
    guard isDone == hand.isPerformed || (isDone ? perform(hand) : undo(hand)), self.hand === hand else {
      interruptHand()
      return false
    }
    hand.isHeld = false
    go(hand, on: isDone, velocity: 0)
    hand.flight.transition.skip()
    return self.hand == nil
  }

  /// The hand lets go: by how far the step is and how fast the hand was, it is done or not done.
  ///
  /// - Parameter velocity: Of the hand, in whole ways a second, negative on the way back.
  func letGoOfHand(velocity: Double) {
    guard let hand, hand.isHeld else { return }
    let flick = velocity * max(1, Double(size.columns) / Self.widestFlick)
    let isWanted = hand.flight.transition.fractionComplete + flick * Self.handMomentum >= Self.handThreshold
    hand.isHeld = false
    if isWanted != hand.isPerformed, isWanted ? !perform(hand) : !undo(hand) {
      // It could not be written: what is seen goes where the log says that the learner is.
      go(hand, on: hand.isPerformed, velocity: 0)
    } else {
      go(hand, on: isWanted, velocity: velocity)
    }
  }

  /// Something else happens while a hand holds a step: one that was performed completes, another goes back, and nothing
  /// is written.
  func interruptHand() {
    gestures.letGoOfPage()
    guard let hand, hand.isHeld else { return }
    hand.isHeld = false
    go(hand, on: hand.isPerformed, velocity: 0)
  }

  /// A spring takes the page from where the hand has left it, with the hand's speed, and from rest where it stood still:
  /// the little that is left of a way takes its time too.
  private func go(_ hand: HandStep, on: Bool, velocity: Double) {
    if on {
      hand.flight.transition.finish(velocity: max(.leastNonzeroMagnitude, velocity))
    } else {
      hand.flight.transition.cancel(velocity: min(-.leastNonzeroMagnitude, velocity))
    }
  }

  /// Performs the step of a hand.
  ///
  /// - Returns: Whether it was performed, and led where the hand saw it lead.
  private func perform(_ hand: HandStep) -> Bool {
    guard let request = hand.request else { return false }
    var performed: Step?
    trying {
      // Where the reader was is kept before the step leaves it.
      recorder.keepPosition()
      performed = try navigation.perform(request, cause: .mouse, animated: true, waitingAtMost: 500)
    }
    guard let performed else { return false }
    if let message = performed.message { notify(message) }
    guard performed.isPerformed else { return false }
    guard performed.to.place == hand.flight.step.to.place else {
      // The course was changed meanwhile: the way leads elsewhere now.
      go(hand, on: false, velocity: 0)
      trying { try show(performed, animated: true) }
      return false
    }
    hand.isPerformed = true
    return true
  }

  /// Takes a step back that was performed. Both logs are appended to and never changed, so it is one more step: the way
  /// back along the learner's own visits, which counts as no visit.
  ///
  /// - Returns: Whether it was written.
  private func undo(_ hand: HandStep) -> Bool {
    var undone: Step?
    trying {
      let request: NavigationRequest = hand.flight.step.operation == .back ? .forward : .back
      undone = try navigation.perform(request, cause: .mouse, animated: true, waitingAtMost: 500)
      for page in hand.flight.before { page.show(try reader.model(of: page)) }
    }
    guard let undone, undone.isPerformed else { return false }
    hand.isPerformed = false
    if undone.to.place != hand.flight.before.last?.place {
      // What was there before is gone: the way back leads elsewhere now.
      trying { try show(undone, animated: true) }
    }
    return true
  }
}

/// What is left to be seen of a motion that something else has interrupted: nothing that was in sight is gone from one
/// frame to the next.
extension StepPresenter {
  /// What is seen now, where a step is about to begin with something else.
  ///
  /// A card that goes back the way it came needs no such picture, and pages that slide carry the one before along.
  ///
  /// - Parameter pages: Those that there will be.
  func afterimage(before step: Step, to pages: [PageScreen]) -> Layer? {
    guard context.hasBegun, motion != .none, tabs.selectedIndex == 0 else { return nil }
    if let tabFlight, tabFlight.isRunning {
      // What opened from a result would still cover the page.
      defer { if tabTransitions.isOpening { tabFlight.skip() } }
      return lastPicture()
    }
    let isMoving = (page as? ListScreen)?.isChangingLayout == true && step.transition?.choice.kind != .siblingSlide
    return isMoving && flight?.transition.isRunning != true || opensAnotherCard(to: pages) ? picture() : nil
  }

  /// The pages that a running step is leaving: those before it, or those after it where it is taken back.
  var pagesLeaving: [PageScreen] {
    guard let flight, flight.transition.isRunning else { return [] }
    return hand?.flight === flight && hand?.isPerformed == false ? flight.after : flight.before
  }

  /// Whether a card opens that is not the chosen one: it is chosen first, and a list may move by that.
  private func opensAnotherCard(to pages: [PageScreen]) -> Bool {
    guard let list = page as? ListScreen, let index = pages.firstIndex(where: { $0 === list }),
      index + 1 < pages.count
    else { return false }
    return list.chosenCard?.node != pages[index + 1].place.node
  }

  /// A picture of the pages as they are seen now, also dimmed.
  func picture() -> Layer { screen.pictureOfPages() }

  /// A picture that stands for the cards that open or close now: nothing else of them needs to continue.
  func lastPicture() -> Layer {
    let picture = picture()
    for moving in movingCards { moving.isHidden = true }
    return picture
  }

  /// A picture of the pages where their tab is left and still seen: what a step changes there gives way on the way out.
  ///
  /// - Returns: `nil` where the tab is there, or not to be seen at all.
  func pictureOfLeavingTab() -> Layer? {
    guard motion != .none, tabs.selectedIndex != 0, let tabFlight, tabFlight.isRunning else { return nil }
    return stack.layer.pictureOfPlace()
  }

  /// Performs a command. If it changes the layout while cards open or close, what is visible of them fades out.
  func dissolvingLayout(of command: Command, _ body: () -> Bool) -> Bool {
    let afterimage = command == .layout && !openings.isEmpty && motion == .full ? picture() : nil
    defer { fade(afterimage) }
    return body()
  }

  /// Lets a picture of the pages give way to what is there now, also while that moves.
  func fade(_ afterimage: Layer?) {
    guard let afterimage else { return }
    screen.cover(with: afterimage)
    afterimage.giveWay(within: Layer.afterimageTime)
  }

  // MARK: - Pages that change while they move

  /// What stands for pages while cards open or close on them.
  private var movingCards: [OpeningLayer] {
    (stack.layer.sublayers + tabs.layer.sublayers).compactMap { $0 as? OpeningLayer }
  }

  /// The cards that open or close now; those that others lie in before those.
  var openings: [OpeningLayer] {
    movingCards.flatMap(\.nested)
  }

  /// What a page looks like has changed; where it moves, it keeps looking as it does now.
  func retakePictures() {
    for opening in openings { opening.retake() }
  }

  /// Shows another tab.
  func selectTab(_ index: Int) {
    interruptHand()
    trying {
      guard let transition = try tabs.select(index, animated: true), transition.isRunning else { return }
      tabTransitions.isOpening = tabTransitions.opening != nil
      tabFlight = transition
      transition.whenEnded { [weak self, weak transition] _ in
        guard let self, tabFlight === transition else { return }
        (tabFlight, tabTransitions.isOpening) = (nil, false)
      }
    }
    footer.show(alongside: tabs.transitionCoordinator)
  }
}

/// What has changed meanwhile: another process may have imported a course, or marked something.
extension StepPresenter {
  /// Another process may have imported a course, or marked something: what is shown is read again.
  func lookForChanges() {
    guard let version = try? navigation.dataVersion(), version != dataVersion else { return }
    defer { dataVersion = version }
    guard dataVersion != nil else { return }
    trying { try showEdition() }
    recorder.showNotesOfPage()
    reader.readAgain()
  }

  /// Shows what is new, as a course was imported or removed.
  func followImport() {
    hasNews = flight != nil
    guard !hasNews else { return }
    lookForChanges()
    context.onChange?()
  }

  /// Shows what has come from another database.
  func followSync() {
    // A number that no version has: those that this process writes by itself change none.
    dataVersion = dataVersion.map { _ in -1 }
    followImport()
  }
}

extension StepPresenter: PageObserver {
  /// The direction of the running transition; `nil` if none runs.
  var movement: TransitionDirection? { tabTransitions.isOpening ? .down : flight?.direction }

  func pageChanged(_ page: any CoursePage) {
    // A page may show what was found before the tab is selected that it is on.
    if page === self.page, tabs.selectedIndex == 0 { footer.show() }
    retakePictures()
  }

  func pageMoved() { retakePictures() }
}

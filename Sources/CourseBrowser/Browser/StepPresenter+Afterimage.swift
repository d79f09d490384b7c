import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// What is left to be seen of a motion that something else has interrupted: nothing that was in sight is gone from one
/// frame to the next.
extension StepPresenter {
  /// What is seen now, where a step is about to begin with something else.
  ///
  /// A card that goes back the way it came needs no such picture, and pages that slide carry the one before along.
  ///
  /// - Parameter pages: Those that there will be.
  func afterimage(before step: Step, to pages: [PageScreen]) -> Layer? {
    guard browser.hasBegun, motion != .none, tabs.selectedIndex == 0 else { return nil }
    if let tabFlight, tabFlight.isRunning {
      // What opened from a result would go on covering the page.
      defer { if tabTransitions.isOpening { tabFlight.skip() } }
      return lastPicture()
    }
    guard let flight, flight.transition.isRunning else {
      if stack.isComingToRest { return lastPicture() }
      let isMoving = (page as? ListScreen)?.isChangingLayout == true && step.transition?.choice.kind != .siblingSlide
      return isMoving || opensAnotherCard(to: pages) ? picture() : nil
    }
    guard motion == .full, goesOn(flight, in: step, to: pages) else { return lastPicture() }
    return opensAnotherCard(to: pages) ? picture() : nil
  }

  /// Lets a step's own motion take over what is on its way, from where it is and with its speed.
  ///
  /// - Returns: Whether it can. Pages that share nothing fade into each other, and so does what one of them interrupts: a
  ///   picture that dissolves has no way to go on. Two cards of one page that are both on their way would be seen through
  ///   each other.
  private func goesOn(_ flight: Flight, in step: Step, to pages: [PageScreen]) -> Bool {
    guard let from = self.pages.last, let kind = step.transition?.choice.kind else { return false }
    let links = flight.links(isTakenBack: hand?.flight === flight && hand?.isPerformed == false)
    let slides = flight.step.transition?.choice.kind == .siblingSlide
    transitions.ride = slides ? nil : carriage?.ride
    if kind == .siblingSlide {
      if slides {
        // Where cards on the page that comes back are still on their way, nothing else can go on as they do.
        guard carriage == nil || pages.last?.place != pagesLeaving.last?.place else { return false }
        carryOn(to: pages.last)
        return true
      }
      // A page that still leaves may lie where the neighbour comes from.
      guard transitions.ride?.trace == nil else { return false }
      transitions.chain = OpeningChain(links.map { $0.keeping(openings) }).flatMap { $0.holds(from) ? $0 : nil }
      return transitions.chain != nil
    }
    // A card that opens to another page than the one it goes back from shows something else at once.
    guard let link = OpeningLink(of: step, from: self.pages, to: pages),
      links.allSatisfy({ $0.node != link.node || $0.below === link.below && $0.above === link.above })
    else { return false }
    if slides {
      // The page that slides in is the one that the card lies on, or that goes back into its card.
      guard OpeningChain([link]) != nil, pages.last !== pagesLeaving.last else { return false }
      carryOn(to: pages.last)
      transitions.ride = SlideCarriage.Ride(
        frame: from.sheet.frame, identity: from.sheet.identity, trace: transitions.interrupted?.trace)
      return true
    }
    transitions.before = openings.first { $0.identity == TransitionID(link.node) }
    transitions.chain = OpeningChain(links.filter { $0.node != link.node } + [link])
    return transitions.chain != nil
  }

  /// The pages that a step on its way is leaving: those before it, or those after it where it is taken back.
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
  func picture() -> Layer {
    let picture = tabs.layer.snapshot()
    let curtain = Layer(frame: picture.frame)
    curtain.add(picture)
    return curtain
  }

  /// A picture that stands for the cards that open or close now: nothing else of them needs to go on.
  func lastPicture() -> Layer {
    let picture = picture()
    for moving in movingCards { moving.isHidden = true }
    return picture
  }

  /// Lets the next slide go on from where this one is: the page that has not left yet goes along with the one that was
  /// to take its place.
  func carryOn(to page: PageScreen?) {
    guard let leaving = pagesLeaving.last, let staying = self.pages.last, leaving.isLayerLoaded else { return }
    keepTrail(of: leaving, on: staying, comingBack: page?.place == leaving.place)
    let column = staying.sheet.presentation.transform.translation.x
    var interrupted = PageSlideTransition.Interrupted(
      column: column, velocity: staying.sheet.velocity(of: .translationX))
    if page?.place != leaving.place {
      let sheet = carriage ?? leaving.sheet
      let trace = sheet.snapshot()
      let distance = sheet.presentation.transform.translation.x - column
      carriage?.isHidden = true
      withoutAnimation {
        trace.transform = .identity
        trace.frame.x = distance
      }
      interrupted.trace = trace
      // The trace stands for it, so it does not go on by itself.
      leaving.layer.isHidden = true
      transitions.departing = leaving.layer
    }
    transitions.interrupted = interrupted
  }

  /// Lets the page that stays go on saying for a moment what is seen in the trail, where a slide that is cut short was
  /// about to change that. Its own trail would have to appear from nothing, since what is seen leaves with the other page.
  ///
  /// - Parameter isComingBack: Whether the other page is where it goes next: nothing else is said in between then.
  private func keepTrail(of leaving: PageScreen, on staying: PageScreen, comingBack isComingBack: Bool) {
    let trails = (carriage?.trails ?? [leaving.trailLayer]).filter { !$0.isHidden && $0.presentation.opacity > 0.5 }
    // From here on nobody fades them.
    defer { for page in [leaving, staying] { page.trailLayer.removeAllAnimations() } }
    guard staying.trailLayer.presentation.opacity <= 0.5, !trails.isEmpty else { return }
    let picture = Layer(frame: staying.trailLayer.bounds)
    picture.fill = .default
    for trail in trails {
      let (copy, place) = (trail.snapshot(), trail.presentedFrame(in: stack.layer))
      copy.frame.x = place.x - staying.trailLayer.frame.x
      copy.frame.y = place.y
      picture.add(copy)
    }
    staying.keepTrail(
      picture, for: isComingBack ? PageSlideTransition.duration : leaving.trailTimeLeft ?? PageSlideTransition.trailTime
    )
  }

  /// A picture of the pages where their tab is left and still seen: what a step changes there gives way on the way out.
  ///
  /// - Returns: `nil` where the tab is there, or not to be seen at all.
  func pictureOfLeavingTab() -> Layer? {
    guard motion != .none, tabs.selectedIndex != 0, let tabFlight, tabFlight.isRunning else { return nil }
    let picture = stack.layer.snapshot()
    (picture.transform, picture.frame) = (.identity, stack.layer.bounds)
    let curtain = Layer(frame: picture.frame)
    curtain.isUserInteractionEnabled = false
    curtain.add(picture)
    return curtain
  }

  /// Lets what was seen give way to what is there now, also while that moves.
  func fade(_ afterimage: Layer?) {
    guard let afterimage else { return }
    if afterimage.superlayer == nil { screen.cover(with: afterimage) }
    afterimage.dissolve = Dissolve(share: motion == .full ? Dissolve().share : 1)
    animate(duration: Layer.afterimageTime, curve: .linear) {
      afterimage.dissolved = 1
    } completion: { _ in
      afterimage.removeFromSuperlayer()
    }
  }

  // MARK: - Pages that change on their way

  /// What stands for pages while cards open or close on them.
  private var movingCards: [Layer] {
    (stack.layer.sublayers + tabs.layer.sublayers).filter { $0 is OpeningLayer || $0 is SlideCarriage }
  }

  private var carriage: SlideCarriage? { movingCards.lazy.compactMap { $0 as? SlideCarriage }.first }

  /// The cards that open or close now; those that others lie in before those.
  var openings: [OpeningLayer] {
    movingCards.flatMap { ($0 as? OpeningLayer ?? ($0 as? SlideCarriage)?.opening)?.nested ?? [] }
  }

  /// What a page looks like has changed; where it is on its way, it goes on looking as it does now.
  func retakePictures() {
    for opening in openings { opening.retake() }
  }
}

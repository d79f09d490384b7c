import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

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
    if wasThere || page.isLayerLoaded, index + 1 == pages.count { page.show(try model(of: page)) }
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

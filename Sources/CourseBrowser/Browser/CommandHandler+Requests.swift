import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// Where the learner asks to go.
extension CommandHandler {
  func navigate(_ request: NavigationRequest, cause: NavigationCause) {
    navigate(request, cause: cause) {}
  }

  /// Goes somewhere, and then does something there.
  func navigate(_ request: NavigationRequest, cause: NavigationCause, then: @escaping () -> Void) {
    steps.interruptHand()
    recorder.keepPosition()
    let cause = cause == .key ? inputCause : cause
    let above = page is ActivityScreen ? Array(pages.dropLast()) : []
    waiting.write { [self] milliseconds in
      let step = try navigation.perform(request, cause: cause, animated: motion != .none, waitingAtMost: milliseconds)
      if step.isPerformed { try steps.show(step, animated: true) }
      if let message = try words(about: step, leaving: above) { screen.notify(message) }
      then()
    }
  }

  /// What a step has to say; behind the last activity the end of the course is shown instead.
  private func words(about step: Step, leaving above: [PageScreen]) throws -> String? {
    if case .nothingToDo(.lastOfCourse) = step.outcome, let page {
      guard page.page.kind != .course, let course = course(of: page) else { return "This is the last course." }
      try overlays.showEnd(of: course)
      return nil
    }
    return try step.message ?? (step.operation == .next ? words(atEndOf: above) : nil)
  }

  /// What a step out of a lesson, or of a goal, has to say of what was left; `nil` where none was.
  private func words(atEndOf above: [PageScreen]) throws -> String? {
    guard let left = above.first(where: { page in !pages.contains { $0 === page } }), left.page.kind != .course,
      let node = left.place.node
    else { return nil }
    let card = try navigation.card(of: .place(.node(node)))
    return Words.end(of: card, symbols: appearance.symbols, width: PageMetrics(size: size).textWidth)
  }

  func open(_ card: CardModel, cause: NavigationCause) {
    switch card.target {
    case .node(let node):
      let inner = steps.innermost(of: node)
      navigate(inner == node ? .push(.place(.node(node))) : .open(.place(.node(inner))), cause: cause)
    case .bundledCourse: addBundledCourse()
    case .ownCourse: overlays.showAddCourse()
    case .tour: showAround()
    case .unknown: break
    }
  }

  private func addBundledCourse() {
    guard let page else { return }
    trying {
      _ = try library.importBundled()
      let model = try steps.model(of: page)
      page.show(model)
      if let node = model.cards.known.first?.node { navigate(.push(.place(.node(node))), cause: .key) }
    }
  }
}

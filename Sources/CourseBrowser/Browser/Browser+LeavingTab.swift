import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// What still moves on a page whose tab was left on its way: the step is over, and what is seen of it goes on as the tab
/// slides away, or comes back.
@MainActor final class LooseStep {
  /// Seconds after which whatever was left has arrived.
  static let duration = 0.25

  /// What stands for the pages, or lies beside them.
  private let layer: Layer
  /// The page that it stands for, hidden meanwhile.
  private let covered: Layer?

  init(_ layer: Layer, insteadOf covered: Layer? = nil) {
    (self.layer, self.covered) = (layer, covered)
    covered?.isHidden = true
  }

  /// Shows the pages as they are.
  func end() {
    layer.removeFromSuperlayer()
    covered?.isHidden = false
  }
}

extension Browser {
  /// Prepares what moves on the pages to go on by itself, since their tab is about to be left.
  ///
  /// - Returns: What lets it go on when that has begun; `nil` where nothing can: pages that share nothing dissolve, and a
  ///   picture that does so has no way to go on.
  func motionOfLeavingTab() -> (() -> Void)? {
    guard motion == .full, tabs.selectedIndex == 0, let flight, flight.transition.isRunning, !ridesWithCards else {
      return nil
    }
    if flight.step.transition?.choice.kind == .siblingSlide { return slideOfLeavingTab() }
    let links = flight.links(isTakenBack: hand?.flight === flight && hand?.isPerformed == false)
    let openings = openings
    guard !openings.isEmpty, let chain = OpeningChain(links) else { return nil }
    let seen = openings.map { ($0.identity, $0.presentation.values, $0.velocity(of: .value(OpeningLayer.opened))) }
    // The new layer takes its place, and no picture of it has to.
    openings[0].isHidden = true
    return { [self] in
      guard let whole = chain.makeLayer(size: stack.layer.bounds.size) else { return }
      stack.layer.add(whole)
      let loose = LooseStep(whole, insteadOf: stack.top.layer)
      begin(loose)
      for layer in whole.nested {
        guard let (_, values, velocity) = seen.first(where: { $0.0 == layer.identity }) else { continue }
        let (start, end) = (values[OpeningLayer.opened] ?? 0, layer.values[OpeningLayer.opened] ?? 0)
        withoutAnimation { layer.values[OpeningLayer.opened] = start }
        let curve = TimingCurve.spring(
          duration: LooseStep.duration, dampingRatio: 1,
          initialVelocity: abs(end - start) < 0.001 ? 0 : velocity / (end - start))
        animate(duration: LooseStep.duration, curve: curve) { layer.values[OpeningLayer.opened] = end }
      }
    }
  }

  /// The page that slides in goes on to its place, and the one beside it along with it.
  private func slideOfLeavingTab() -> (() -> Void)? {
    guard let page else { return nil }
    carryOn(to: nil)
    let trace = transitions.interrupted?.trace
    return { [self] in
      transitions.forgetStep()
      guard let trace else { return }
      page.sheet.add(trace)
      begin(LooseStep(trace))
    }
  }

  private func begin(_ step: LooseStep) {
    endLooseStep()
    looseStep = step
    stage.schedule(after: LooseStep.duration) { [weak self, weak step] in
      if let self, looseStep === step { endLooseStep() }
    }
  }

  /// Something else begins, or all of it has arrived.
  func endLooseStep() {
    looseStep?.end()
    looseStep = nil
  }
}

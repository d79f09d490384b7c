import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Starts and ends tours and replays.
@MainActor final class PlaybackController: BrowserComponent {
  let steps: StepPresenter
  private let reader: PageReader
  private let recorder: ActivityRecorder
  private let writes: PendingWrites

  init(
    _ openPages: OpenPages, steps: StepPresenter, reader: PageReader,
    recorder: ActivityRecorder, writes: PendingWrites
  ) {
    (self.steps, self.reader, self.recorder, self.writes) = (steps, reader, recorder, writes)
    super.init(openPages)
  }

  /// Starts the tour. If there is no course, uses the bundled course.
  func showAround() {
    trying {
      if try library.courses().isEmpty { try library.importBundled() }
      guard let route = try TourRoute(in: navigation, library) else {
        return notify("The tour needs a course.", .warn)
      }
      try reader.reloadAllPages()
      Tour(route, for: self).begin()
    }
  }

  /// Replays a session.
  private func replay(session: Int64) {
    trying {
      let steps = try navigation.history.replay(session: String(session)).withoutUnattendedVisits()
      guard !steps.isEmpty else { return }
      Replay(steps, for: self).begin()
    }
  }

  /// Starts a tour or a replay.
  func begin(_ playback: any Playback) {
    recorder.savePosition()
    context.playback?.stop()
    context.playback = playback
    // The tour shows its texts in the row of notices.
    screen.endNotice()
  }

  /// Ends the playback at the visible place, and records the visible place as a step of the learner.
  func continueFromHere() {
    guard let playback = context.playback else { return }
    playback.stop()
    context.playback = nil
    writes.write("record the place of the tour") { [self] timeout in
      guard let page, try navigation.currentPlace().place != page.place else { return }
      // A running transition continues. Only the content of the pages is read again.
      _ = try navigation.perform(.open(.place(page.place)), cause: .key, animated: false, waitingAtMost: timeout)
      try reader.reloadAllPages()
    }
    context.showFooter()
  }

  /// Ends the playback and returns to the learner's place.
  ///
  /// - Parameter tab: The tab to select.
  func end(inTab tab: Int = 0) {
    guard let playback = context.playback else { return }
    playback.stop()
    context.playback = nil
    // The tab is changed before the pages, so that the visible pages do not change while they move out.
    if tabs.selectedIndex == 0, tab != 0 { steps.selectTab(tab) }
    trying {
      let place = try navigation.currentPlace().place
      let step = try navigation.step(from: .place(page?.place ?? .root), to: .place(place))
      try steps.show(step, animated: motion != .none)
    }
    if tabs.selectedIndex != tab {
      steps.selectTab(tab)
    } else {
      context.showFooter(alongside: stack.transitionCoordinator)
    }
  }
}

extension PlaybackController: CommandResponder {
  var keyContexts: [KeyContext] { openPages.history == nil ? [.everywhere] : [.history, .everywhere] }

  func offer(_ command: Command) -> Offer? {
    switch command {
    case .tour: Offer { [self] in showAround() }
    case .replay:
      openPages.history?.chosenStep.map { step in
        Offer("replay", rank: 1) { [self] in replay(session: step.session) }
      }
    default: nil
    }
  }
}

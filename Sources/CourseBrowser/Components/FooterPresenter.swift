import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Shows the next step and the available keys in the last two rows.
@MainActor final class FooterPresenter: BrowserComponent {
  private let sidePanes: SidePanePresenter
  let commands: CommandPath

  init(_ openPages: OpenPages, sidePanes: SidePanePresenter, commands: CommandPath) {
    (self.sidePanes, self.commands) = (sidePanes, commands)
    super.init(openPages)
    context.onFooterChange = { [weak self] in self?.show(alongside: $0) }
  }

  /// Updates the hint and the keys. If a coordinator is given, they change in the middle of its transition.
  ///
  /// - Parameter isInterrupting: Whether the transition has interrupted another one.
  func show(
    of page: PageScreen? = nil, alongside coordinator: (any TransitionCoordinator)? = nil, isInterrupting: Bool = false
  ) {
    guard let page = page ?? self.page else { return }
    openPages.arrivingPage = page
    defer { openPages.arrivingPage = nil }
    if overlay == nil { sidePanes.show(of: page, alongside: coordinator, isInterrupting: isInterrupting) }
    let entries = commands.entriesOfPage
    var footer = Footer()
    footer.selectedTab = tabs.selectedIndex
    footer.place = page.place
    footer.dueCards = context.dueCards
    footer.isCovered = overlay != nil
    footer.keys = commands.hints
    footer.numbersTabs =
      overlay == nil && entries.contains { if case .tab = $0.row.command { !$0.keys.isEmpty } else { false } }
    // The keys of the page do not work while text is typed in an overlay.
    if !(overlay is PromptScreen) { footer.hint = hint(of: page) ?? footer.hint }
    if let command = footer.hint.command {
      let entry = entries.first { $0.row.command == command }
      footer.hint.key = entry?.keys.first?.label(appearance.symbols) ?? ""
    }
    guard footer.selectedTab == 0, context.playback == nil, sidePanes.paneHint == nil else {
      return screen.show(footer, alongside: coordinator)
    }
    footer.isPrompt = overlay == nil && page.fieldKeys != nil
    footer.followsText = page.hint == nil && (page as? ReadingScreen)?.endIsInView == false
    if footer.followsText {
      // The last visible rows may be blank. Without this text, the learner could not see that more text follows.
      let more = appearance.symbols.arrows[1] + " more"
      (footer.hint.detail, footer.hint.shortDetail, footer.hint.brief) = (more, "", more)
    }
    screen.show(footer, alongside: coordinator)
  }

  private func hint(of page: PageScreen) -> Footer.Hint? {
    if let playback = context.playback { return playback.hint }
    if overlay == nil, let hint = sidePanes.paneHint { return hint }
    switch tabs.selectedScreen {
    case let history as HistoryScreen: return history.typing == nil ? history.hint ?? backHint(to: page) : nil
    case let find as FindScreen: return find.hint
    case let review as ReviewScreen: return review.hint ?? backHint(to: page)
    case _ where openPages.isSourceOfReview: return Footer.Hint(.back, text: "Return to the review", detail: "")
    default: return page.hint ?? nextStep(of: page)
    }
  }

  private func backHint(to page: PageScreen) -> Footer.Hint {
    Footer.Hint(.leave, text: "Back to " + page.title, detail: "")
  }

  /// The innermost state, which Esc leaves next.
  var escapeTarget: EscapeTarget {
    if overlay != nil { return .overlay }
    let owner: (any EscapeTargetOwner)? =
      tabs.selectedIndex == 0 ? page : tabs.selectedScreen as? any EscapeTargetOwner
    let target = owner?.escapeTarget ?? .page
    return sidePanes.focusedPane == nil ? target : min(target, .pane)
  }
}

/// The hint about the next step.
extension FooterPresenter {
  /// The hint of the list of courses if there is no next step: the path of the database, and whether only the user can
  /// read it.
  private var databaseHint: Footer.Hint {
    let path = library.path
    let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    let isPrivate = mode.map { $0 & 0o077 == 0 } == true
    return Footer.Hint(
      text: "Saved in \(context.folders.short(path))" + (isPrivate ? ", readable only by you." : "."),
      detail: "",
      shortText: isPrivate
        ? "Saved on this machine, readable only by you." : "Your data is saved on this machine.")
  }

  /// Returns the hint about the next step of a page. On the last unfinished activity, the hint offers to mark the
  /// activity as done.
  func nextStep(of page: PageScreen) -> Footer.Hint? {
    guard let next = page.page.nextStep else {
      if page.place == .root { return databaseHint }
      let quotes = appearance.symbols.quotes
      if page is ActivityScreen, let course = stack.screens.dropFirst().first?.title {
        return Footer.Hint(commandOfNext(on: page), text: "End of \(quotes.around(course))", detail: "all done")
      }
      return page.page.breadcrumb.titles.last.map { parentTitle in
        Footer.Hint(.up, text: "Go up to \(quotes.around(parentTitle))", detail: "all done")
      }
    }
    guard next.summary.place.place != page.place || next.reason == .allDone else {
      return Footer.Hint(.toggleDone, text: "Mark as done", detail: "last unfinished activity")
    }
    var hint = Footer.Hint(next, symbols: appearance.symbols, clock: dayNames)
    if next.reason == .next { hint.command = commandOfNext(on: page) }
    if let missing = (page as? ReadingScreen)?.missing {
      (hint.detail, hint.shortDetail) = ("\(missing.text): \(missing.reason)", missing.text)
    }
    return hint
  }

  /// The command that opens the next place: *open next* at the end of an activity.
  private func commandOfNext(on page: PageScreen) -> Command {
    (page as? ActivityScreen)?.continuesWithSpace == true ? .openNext : .next
  }
}

extension Footer.Hint {
  init(_ next: NextStep, symbols: Symbols, clock: RelativeDateFormat) {
    let title = symbols.quotes.around(next.summary.place.title)
    switch next.reason {
    case .goOn:
      let state = CardModel.activityState(next.summary)
      self.init(
        .continueCourse, text: "Continue with " + title,
        detail: [state, (next.summary.reading?.savedAt ?? next.leftAt).map { "stopped " + clock.at($0) } ?? ""].filter {
          !$0.isEmpty
        }
        .joined(separator: ", "),
        shortDetail: state)
    case .next:
      let done = next.summary.state == .done ? ["done"] : []
      self.init(
        .next, text: "Next: " + next.summary.place.title,
        detail: ([CardModel.describe(next.summary)] + done).filter { !$0.isEmpty }.joined(separator: ", "))
    case .firstUnfinished:
      self.init(.continueCourse, text: "Begin with " + title, detail: CardModel.describe(next.summary))
    case .allDone:
      self.init(text: "Everything is done.", detail: "")
    }
  }
}

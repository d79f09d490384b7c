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
  /// The labels of the learner's keys, by the labels of the default keys. The bindings do not change while the program
  /// runs.
  private var labelCache: [String: String?] = [:]

  init(_ openPages: OpenPages, sidePanes: SidePanePresenter) {
    self.sidePanes = sidePanes
    super.init(openPages)
    context.onFooterChange = { [weak self] in self?.show(alongside: $0) }
  }

  /// Updates the hint and the keys. If a coordinator is given, they change in the middle of its transition.
  func show(of page: PageScreen? = nil, alongside coordinator: (any TransitionCoordinator)? = nil) {
    guard let page = page ?? self.page else { return }
    if overlay == nil { sidePanes.show(of: page, alongside: coordinator) }
    var footer = Footer()
    footer.selectedTab = tabs.selectedIndex
    footer.place = page.place
    footer.isCovered = overlay != nil
    if let playback = context.playback {
      (footer.hint, footer.keys) = (playback.hint, playback.keys)
      return screen.show(footer, alongside: coordinator)
    }
    if overlay == nil, let pane = sidePanes.paneFooter {
      (footer.hint, footer.keys) = pane
      return screen.show(footer, alongside: coordinator)
    }
    guard footer.selectedTab == 0 else {
      footer.keys = overlay?.keys ?? keys(ofTab: footer.selectedTab)
      // Digits do not select tabs while text is being typed or an overlay is open.
      let isTyping = openPages.history?.typing != nil || openPages.review?.takesDigits == true
      footer.numbersTabs = overlay == nil && !isTyping && !(tabs.selectedScreen is FindScreen)
      footer.hint =
        openPages.history?.hint ?? (tabs.selectedScreen as? FindScreen)?.hint ?? openPages.review?.hint
        ?? Footer.Hint(key: "Esc", text: "Back to " + page.title, detail: "")
      // While text is being typed, letters are not commands, and Esc ends typing.
      if isTyping, openPages.review == nil { footer.hint = Footer.Hint(key: "", text: "", detail: "") }
      return screen.show(footer, alongside: coordinator)
    }
    footer.keys = overlay?.keys ?? keys(of: page).compactMap(bound)
    footer.numbersTabs = overlay == nil && !page.takesDigits
    footer.isPrompt = overlay == nil && page.isWriting
    // The keys of the page do not work while text is typed in an overlay.
    if !(overlay is PromptScreen) { footer.hint = page.hint ?? nextStep(of: page) ?? footer.hint }
    footer.followsText = page.hint == nil && (page as? ReadingScreen)?.endIsInView == false
    footer.hint.key = label(insteadOf: footer.hint.key) ?? ""
    if footer.followsText {
      // The last visible rows may be blank. Without this text, the learner could not see that more text follows.
      let more = appearance.symbols.arrows[1] + " more"
      (footer.hint.detail, footer.hint.shortDetail, footer.hint.brief) = (more, "", more)
    }
    screen.show(footer, alongside: coordinator)
  }

  /// The innermost state, which Esc leaves next.
  var escapeTarget: EscapeTarget {
    if overlay != nil { return .overlay }
    let owner: (any EscapeTargetOwner)? =
      tabs.selectedIndex == 0 ? page : tabs.selectedScreen as? any EscapeTargetOwner
    let target = owner?.escapeTarget ?? .page
    return sidePanes.focusedPane == nil ? target : min(target, .pane)
  }

  /// Discards the labels after a change of symbols.
  func appearanceDidChange() { labelCache = [:] }

  func label(insteadOf label: String) -> String? {
    if let cached = labelCache[label] { return cached }
    let boundLabel = context.bindings.label(insteadOf: label, symbols: appearance.symbols)
    labelCache[label] = .some(boundLabel)
    return boundLabel
  }
}

/// The keys of the visible page.
extension FooterPresenter {
  /// Returns whether a command has an effect on the visible page, for help.
  func isAvailable(_ command: Command) -> Bool {
    if command == .switchPane { return sidePanes.hasPanes }
    switch tabs.selectedIndex {
    // In Find, letters are typed.
    case 1: return [.help, .quit].contains(command)
    case 2, 3:
      if command == .suspendCard {
        return openPages.review.map { $0.session?.card != nil || $0.hasSuspendedCards } ?? false
      }
      return !Self.commandsOfPages.contains(command)
    default: break
    }
    guard let page, !Self.commandsOfHistory.contains(command) else { return false }
    switch command {
    case .toggleDone where page is ListScreen: return page.page.kind == .lesson
    case .continueCourse, .next, .previous, .info, .toggleBookmark, .up, .remove, .importAgain, .rename:
      return page.place != .root || openPages.selectedPlace != nil && command != .next && command != .previous
    case .previousMatch: return (page as? ReadingScreen)?.search != nil
    case .headings: return (page as? ReadingScreen)?.text.headings.isEmpty == false
    case .wrap: return (page as? ReadingScreen)?.text.selectableBlocks.contains { $0.overflow > 0 } == true
    case .note, .highlight, .nextBlock, .previousBlock, .wider, .narrower: return page is ReadingScreen
    case .makeCard: return page is ReadingScreen || (page as? QuizScreen)?.canMakeCard == true
    case .suspendCard: return false
    case .restart: return page is StepScreen
    case .layout: return page is ListScreen
    default: return true
    }
  }

  /// The commands that have an effect only on the pages of courses, and those that have one only in History.
  private static let commandsOfPages: Set<Command> = [
    .continueCourse, .headings, .previousMatch, .readOn, .toggleDone, .nextBlock, .previousBlock, .wrap, .note,
    .highlight, .layout, .wider, .narrower, .next, .previous, .makeCard,
  ]
  private static let commandsOfHistory: Set<Command> = [.filter]

  /// The keys of the page or the tab. They do not depend on whether an overlay covers it.
  var keysHere: [KeyHint] {
    let pane = sidePanes.hasPanes ? label(of: .switchPane).map { KeyHint($0, "pane") } : nil
    return keysOfPage + [pane].compactMap { $0 }
  }

  private var keysOfPage: [KeyHint] {
    guard tabs.selectedIndex == 0 else {
      let more =
        tabs.selectedIndex == 2 ? [(Command.info, "info"), (.toggleBookmark, "bookmark"), (.copy, "copy")] : []
      return keys(ofTab: tabs.selectedIndex)
        + more.compactMap { command, explanation in label(of: command).map { KeyHint($0, explanation) } }
    }
    guard let page else { return [] }
    let hints = keys(of: page).compactMap(bound)
    guard !page.isWriting else { return hints }
    return hints + page.otherKeys.filter { other in !hints.contains { $0.key == other.key } }
  }

  /// Returns the hint with the learner's key for the command, or `nil` if the command has no key.
  func bound(_ hint: KeyHint) -> KeyHint? {
    label(insteadOf: hint.key).map { KeyHint($0, hint.explanation, rank: hint.rank) }
  }

  func keys(ofTab index: Int) -> [KeyHint] {
    let symbols = appearance.symbols
    if let review = openPages.review { return review.keys.compactMap(bound) }
    guard index == 2 else {
      // If there are no results, no result can be opened or selected.
      let find = tabs.selectedScreen as? FindScreen
      let hasNothing = find?.isEmpty == true
      let resultKeys = hasNothing ? [] : [KeyHint(symbols.enter, "open"), KeyHint(symbols.upDown, "select")]
      let kindKeys = find?.otherKinds.isEmpty == true && find?.isWidening != true ? [] : [KeyHint("Tab", "kind")]
      return resultKeys + kindKeys + [EscapeTarget.tab.keyHint]
    }
    if let typing = openPages.history?.typing {
      if typing.mistake != nil { return [EscapeTarget.typing.keyHint] }
      return [KeyHint(symbols.enter, "apply"), EscapeTarget.typing.keyHint, KeyHint(symbols.upDown, "select")]
    }
    guard openPages.history?.chosenStep != nil else {
      return [KeyHint("/", "search"), KeyHint("f", "filter"), KeyHint("?", "help")].compactMap(bound)
    }
    let filterKeys = openPages.history?.escapeTarget == .filter ? [EscapeTarget.filter.keyHint] : []
    let exportKeys = context.export == nil ? [] : [KeyHint("e", "export")]
    let keys =
      [KeyHint(symbols.enter, "open")] + filterKeys + [
        KeyHint("/", "search"), KeyHint("f", "filter"),
        KeyHint(symbols.arrows[2] + " " + symbols.arrows[3], "week"), KeyHint("r", "replay", rank: 1),
      ]
    return (keys + exportKeys + [KeyHint(symbols.upDown, "select", rank: 1), KeyHint("?", "help")])
      .compactMap(bound)
  }

  /// The hint of the list of courses if there is no next step: the path of the database, and whether only the user can
  /// read it.
  private var databaseHint: Footer.Hint {
    let path = library.path
    let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    let isPrivate = mode.map { $0 & 0o077 == 0 } == true
    return Footer.Hint(
      key: "",
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
        return Footer.Hint(key: keyOfNext(on: page), text: "End of \(quotes.around(course))", detail: "all done")
      }
      return page.page.breadcrumb.titles.last.map { parentTitle in
        Footer.Hint(
          key: appearance.symbols.arrows[2], text: "Go up to \(quotes.around(parentTitle))",
          detail: "all done")
      }
    }
    guard next.summary.place.place != page.place || next.reason == .allDone else {
      return Footer.Hint(key: "x", text: "Mark as done", detail: "last unfinished activity")
    }
    var hint = Footer.Hint(next, symbols: appearance.symbols, clock: dayNames)
    if next.reason == .next { hint.key = keyOfNext(on: page) }
    return hint
  }

  /// The key that opens the next place: Space at the end of an activity.
  private func keyOfNext(on page: PageScreen) -> String {
    (page as? ActivityScreen)?.continuesWithSpace == true ? "Space" : "n"
  }

  func keys(of page: PageScreen) -> [KeyHint] {
    let more = [KeyHint("i", "info", rank: 3), KeyHint("m", "bookmark", rank: 3), KeyHint("?", "help")]
    if page.isWriting { return page.keys }
    if page is ActivityScreen { return page.keys + more }
    let symbols = appearance.symbols
    let isWelcome = page.place == .root && page.page.cards.loadedCards.contains { $0.target == .bundledCourse }
    let open = page.page.cards.isEmpty ? [] : [KeyHint(symbols.enter, "open")]
    if isWelcome { return open + [KeyHint(symbols.upDown, "select"), KeyHint("?", "help"), KeyHint("q", "quit")] }
    if page.place == .root {
      if (page as? ListScreen)?.choosesHowToAdd == true {
        return [KeyHint(symbols.enter, "add a course"), KeyHint(symbols.upDown, "select")] + [KeyHint("?", "help")]
      }
      return open + [KeyHint(symbols.upDown, "select"), KeyHint("/", "find", rank: 1)] + more + [KeyHint("q", "quit")]
    }
    // If the row is too narrow for all keys, those that navigate elsewhere are omitted first.
    let find = KeyHint("/", "find", rank: page.page.kind == .lesson ? 2 : 1)
    return open + [KeyHint(symbols.arrows[2], "up")] + siblingKeys(page) + page.keys + [find] + scrollKeys(page) + more
  }

  /// The keys that open the next and the previous goal or lesson.
  private func siblingKeys(_ page: PageScreen) -> [KeyHint] {
    guard [.goal, .lesson].contains(page.page.kind), let next = label(of: .next), let previous = label(of: .previous)
    else { return [] }
    return [KeyHint(next + " " + previous, page.page.kind.rawValue, rank: 1)]
  }

  private func scrollKeys(_ page: PageScreen) -> [KeyHint] {
    guard let next = page.page.nextStep, next.reason != .allDone else { return [] }
    return [KeyHint(".", "continue", rank: page.page.kind == .course ? 1 : 2)]
  }
}

extension Footer.Hint {
  init(_ next: NextStep, symbols: Symbols, clock: RelativeDateFormat) {
    let title = symbols.quotes.around(next.summary.place.title)
    switch next.reason {
    case .goOn:
      let state = CardModel.activityState(next.summary)
      self.init(
        key: ".", text: "Continue with " + title,
        detail: [state, next.leftAt.map { "stopped " + clock.at($0) } ?? ""].filter { !$0.isEmpty }
          .joined(separator: ", "),
        shortDetail: state)
    case .next:
      let done = next.summary.state == .done ? ["done"] : []
      self.init(
        key: "n", text: "Next: " + next.summary.place.title,
        detail: ([CardModel.describe(next.summary)] + done).filter { !$0.isEmpty }.joined(separator: ", "))
    case .firstUnfinished:
      self.init(key: ".", text: "Begin with " + title, detail: CardModel.describe(next.summary))
    case .allDone:
      self.init(key: "", text: "Everything is done.", detail: "")
    }
  }
}

import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// `/` in the history: it shows what is typed as one types, words of titles and filters such as `after:monday`.
extension HistoryScreen {
  /// What is typed, and what was shown before.
  struct Typing {
    var field = TextField(most: CourseLibrary.longestQuery)
    var throttle = LookupThrottle()
    let before: HistoryChoice
    /// What is wrong with what is typed, until it is right; `nil` where nothing is.
    var mistake: String?
  }

  /// The filters that are shown while nothing is typed, in as many columns as there are.
  static let examples = "after:monday  kind:quiz  answers:wrong  is:begun  in:PATH  title words"

  func beginSearch() {
    let query = choice.query ?? ""
    typing = Typing(
      field: TextField(query, most: CourseLibrary.longestQuery),
      before: choice.query == nil ? choice : .everything)
    show()
    shell.showFooter()
  }

  /// Answers what is typed; `false` where nothing is typed, and for what is no letter of it.
  func handleTyping(_ event: InputEvent) -> Bool {
    guard typing != nil else { return false }
    if case .mouse = event { catchUp() }
    switch event {
    case .paste(let words): write { $0.insert(words) }
    case .key(let key) where KeyBindings.isLeaving(key): return false
    case .key(let key) where key.phase != .release: return take(key)
    case .key: break
    default: return false
    }
    return true
  }

  private func take(_ key: KeyEvent) -> Bool {
    if typing?.field.takes(key) == false { catchUp() }
    let isEmpty = typing?.field.isEmpty == true
    switch (key.key, key.modifiers) {
    case (.escape, _): endSearch(showing: typing?.before)
    case (.backspace, []) where isEmpty: endSearch(showing: typing?.before)
    case (.enter, _): endSearch(showing: nil)
    case (.tab, _):
      endSearch(showing: nil)
      shell.selectTab(1)
    case (.character("/"), []) where isEmpty:
      endSearch(showing: typing?.before)
      shell.selectTab(1)
    case (.up, _), (.character("p"), .control): return perform(.choosePrevious)
    case (.down, _), (.character("n"), .control): return perform(.chooseNext)
    case (.pageUp, _): return perform(.pageBack)
    case (.pageDown, _): return perform(.pageDown)
    default: write { _ = $0.take(key) }
    }
    return true
  }

  private func write(_ body: (inout TextField) -> Void) {
    guard var typing else { return }
    let (edits, changes) = (typing.field.edits, typing.field.changes)
    body(&typing.field)
    let (isEdit, isChange) = (typing.field.edits != edits, typing.field.changes != changes)
    let isDue = isEdit && typing.throttle.shouldLookUp(at: stage?.now ?? 0)
    self.typing = typing
    if isDue { showTyped() } else if isEdit { layer.setNeedsLayout() } else if isChange { showHeader() }
  }

  /// Runs the search for the typed words if it is pending, and shows the steps found.
  func catchUp() {
    if typing?.throttle.isBehind == true { showTyped() }
  }

  private func showTyped() {
    guard var typing else { return }
    typing.throttle.caughtUp()
    self.typing = typing
    do {
      show(only: try HistoryChoice(query: typing.field.text, days: shell.dayNames))
      self.typing?.mistake = nil
    } catch {
      // The steps that were shown stay until the text is right.
      let message = String(describing: error)
      self.typing?.mistake = String(message.prefix { $0 != "." }) + "."
    }
    show()
  }

  private func endSearch(showing choice: HistoryChoice?) {
    typing = nil
    show(only: choice ?? self.choice)
  }
}

extension HistoryChoice {
  /// What somebody typed.
  ///
  /// - Throws: `NavigationError` if a filter is unknown, or the period ends before it begins.
  init(query: String, days: DayNames) throws {
    let filter = try HistoryFilter(words: query, now: days.now, in: days.timeZone)
    try filter.checkPeriod()
    self = filter == HistoryFilter() ? .everything : HistoryChoice(name: query, filter: filter, query: query)
  }

  /// What somebody wrote where it is a time, such as `30m`, or has a filter in it, such as `after:monday kind:quiz`; `nil`
  /// for anything else.
  init?(written text: String, days: DayNames) {
    var words = text.split(separator: " ")
    if let first = words.first?.lowercased(), ["since", "after"].contains(first) { words.removeFirst() }
    let time = words.joined(separator: " ")
    if let moment = try? HistoryTime(time, now: days.now, in: days.timeZone) {
      self = HistoryChoice(name: "since " + time, filter: HistoryFilter(since: moment.start))
    } else {
      guard let choice = try? HistoryChoice(query: text, days: days),
        choice.filter != HistoryFilter(words: choice.filter.words)
      else { return nil }
      self = choice
    }
  }
}

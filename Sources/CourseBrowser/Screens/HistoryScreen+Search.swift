import Answers
import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The search of History, which `/` opens: words of titles and filters such as `after:monday` take effect while they
/// are typed.
extension HistoryScreen {
  /// The search field, and the filter that was active before.
  struct Typing {
    var field = TextField(maximumCount: CourseLibrary.maximumQueryLength)
    var throttle = LookupThrottle()
    let before: HistoryChoice
    /// A message about an invalid query, or `nil` if the query is valid.
    var mistake: String?
  }

  /// Examples of filters that are shown while the field is empty.
  static let examples = "after:monday  kind:quiz  answers:wrong  is:begun  in:PATH  title words"

  func beginSearch() {
    let query = choice.query ?? ""
    typing = Typing(
      field: TextField(query, maximumCount: CourseLibrary.maximumQueryLength),
      before: choice.query == nil ? choice : .allSteps)
    updateContents()
    context.showFooter()
  }

  /// Handles input of the search field. Returns `false` if the field is not open or does not use the event.
  func handleTyping(_ event: InputEvent) -> Bool {
    guard typing != nil else { return false }
    if case .mouse = event { catchUp() }
    switch event {
    case .paste(let text): write { $0.insert(text) }
    case .key(let key) where key.phase != .release: return handleTextInput(key)
    case .key: break
    default: return false
    }
    return true
  }

  private func handleTextInput(_ key: KeyEvent) -> Bool {
    if typing?.field.handles(key) == false { catchUp() }
    let isEmpty = typing?.field.isEmpty == true
    switch (key.key, key.modifiers) {
    case (.escape, _): return leaveInnermost()
    case (.backspace, []) where isEmpty: endSearch(showing: typing?.before)
    case (.enter, _): if typing?.mistake == nil { endSearch(showing: choice) }
    case (.tab, _):
      endSearch(showing: typing?.mistake == nil ? choice : typing?.before)
      context.perform(.tab(1))
    case (.character("/"), []) where isEmpty:
      endSearch(showing: typing?.before)
      context.perform(.tab(1))
    case (.up, _), (.character("p"), .control): return perform(.choosePrevious)
    case (.down, _), (.character("n"), .control): return perform(.chooseNext)
    case (.pageUp, _): return perform(.pageBack)
    case (.pageDown, _): return perform(.pageDown)
    default: write { _ = $0.handle(key) }
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
    if typing?.throttle.hasPendingLookup == true { showTyped() }
  }

  /// Shows the steps that match the typed query. If the query is invalid, shows its error and no steps.
  private func showTyped() {
    guard let text = typing?.field.text else { return }
    typing?.throttle.caughtUp()
    typing?.mistake = nil
    do {
      try show(only: HistoryChoice(query: text, days: context.dayNames))
    } catch {
      typing?.mistake = CommandWords.text(error)
      showNoSteps()
    }
    context.showFooter()
  }

  func endSearch(showing choice: HistoryChoice?) {
    typing = nil
    context.trying { try show(only: choice ?? .allSteps) }
  }
}

extension HistoryChoice {
  /// Creates a filter from a query.
  ///
  /// - Throws: `NavigationError` if a filter is unknown, or the period ends before it begins.
  init(query: String, days: RelativeDateFormat) throws {
    let filter = try HistoryFilter(titleTexts: query, now: days.now.date, in: days.timeZone)
    try filter.checkPeriod()
    self = filter == HistoryFilter() ? .allSteps : HistoryChoice(name: query, filter: filter, query: query)
  }

  /// Creates a filter from a text that is a time, such as `30m`, or that contains a filter, such as
  /// `after:monday kind:quiz`. Returns `nil` for any other text.
  init?(written text: String, days: RelativeDateFormat) {
    var terms = text.split(separator: " ")
    if let first = terms.first?.lowercased(), ["since", "after"].contains(first) { terms.removeFirst() }
    let time = terms.joined(separator: " ")
    if let period = try? HistoryTime(time, now: days.now.date, in: days.timeZone) {
      self = HistoryChoice(name: "since " + time, filter: HistoryFilter(since: period.start))
    } else {
      guard let choice = try? HistoryChoice(query: text, days: days),
        choice.filter != HistoryFilter(titleTexts: choice.filter.titleTexts)
      else { return nil }
      self = choice
    }
  }
}

import Answers
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Asks which steps History shows: those that match a listed filter, or those at places whose titles contain the typed
/// text.
@MainActor final class HistoryFilterScreen: PromptScreen {
  private let history: HistoryScreen
  private var choices: [HistoryChoice] = []
  /// The minimum length of a text that is treated as the beginning of a filter's name. Such filters are listed before
  /// places.
  private static let lettersOfName = 3

  init(_ history: HistoryScreen, context: ScreenContext, source: @escaping () -> CellRect) {
    self.history = history
    super.init(title: "Filter", context: context, source: source)
  }

  override var prefix: String { "Only" }
  override var invitation: String { metrics.isNarrow ? "a word of a title" : "a word of a title, or one of these" }

  override var fieldKeys: [KeyHint]? {
    [KeyHint(context.appearance.symbols.enter, "apply"), KeyHint("Esc", "close")]
  }

  override func makeEntries() throws -> [Entry] {
    let quotes = context.appearance.symbols.quotes
    let text = field.text.lowercased()
    let all = HistoryChoice.all(at: history.chosenStep, days: context.dayNames, quotes: quotes)
    let titleChoices = text.isEmpty ? [] : [(choice: HistoryChoice.titled(field.text, quotes: quotes), kind: "")]
    // A short text can be the beginning of any title. A longer text that matches the name of a filter is probably meant
    // as that filter.
    let isNamed = { (choice: (choice: HistoryChoice, kind: String)) in
      let name = choice.choice.name.lowercased()
      let isPrefix =
        name.hasPrefix(text) || choice.kind.isEmpty && name.split(separator: " ").contains { $0.hasPrefix(text) }
      return text.count >= Self.lettersOfName && isPrefix
    }
    let matches = all.filter { text.isEmpty || $0.choice.name.lowercased().contains(text) }
    let namedMatches = matches.filter(isNamed)
    let parsedChoices =
      HistoryChoice(written: field.text, days: context.dayNames).map { [(choice: $0, kind: "")] } ?? []
    let listedChoices = namedMatches + parsedChoices + titleChoices + matches.filter { !isNamed($0) }
    choices = listedChoices.map(\.choice)
    return listedChoices.map {
      Entry(completion: $0.name, name: $0.name, detail: "", topRight: $0 == history.choice ? "current" : $1)
    }
  }

  override func submit() {
    guard choices.indices.contains(chosen) else { return }
    do {
      try history.show(only: choices[chosen])
      close()
    } catch {
      showMessage(CommandWords.text(error))
    }
  }
}

/// A filter of History.
struct HistoryChoice: Hashable {
  /// The name that is shown after the word "only": `today`, `“Negotiating” and what is in it`.
  var name: String
  var filter: HistoryFilter
  /// The text from which the filter was created, or `nil` if it was selected from the list.
  var query: String?

  static let allSteps = HistoryChoice(name: "everything", filter: HistoryFilter())

  /// The filter for quizzes to review.
  static let wronglyAnswered = HistoryChoice(
    name: "quizzes with wrong answers", filter: HistoryFilter(answers: .wrong))

  /// Returns the filters to list, starting with the most likely.
  ///
  /// - Parameters:
  ///   - step: The selected step, or `nil` if no step is selected.
  ///   - quotes: The quotation marks for titles.
  static func all(
    at step: HistoryRow?, days: RelativeDateFormat, quotes: Quotes
  ) -> [(choice: HistoryChoice, kind: String)] {
    let ancestors = (step?.stack ?? []).dropFirst().reversed()
    let places = ancestors.filter { !$0.isRemoved }.map { place in
      let name = quotes.around(place.title)
      return (
        HistoryChoice(
          name: place.kind == .activity ? name : name + " and its contents",
          filter: HistoryFilter(under: .place(place.place))), place.noun.singular
      )
    }
    let sessionChoice = step.map { step in
      (HistoryChoice(name: "this session", filter: HistoryFilter(session: String(step.session))), "")
    }
    return [
      (.allSteps, ""),
      (HistoryChoice(name: "today", filter: HistoryFilter(since: days.startOfDay.date)), ""),
      (
        HistoryChoice(
          name: "yesterday", filter: HistoryFilter(since: days.startOfYesterday.date, until: days.endOfYesterday.date)),
        ""
      ),
      (HistoryChoice(name: "this week", filter: HistoryFilter(since: days.startOfWeek.date)), ""),
      (HistoryChoice(name: "activities", filter: HistoryFilter(kind: .activity)), ""),
      (HistoryChoice(name: "quizzes", filter: HistoryFilter(type: .quiz)), ""),
      (.wronglyAnswered, ""),
      (HistoryChoice(name: "begun, not done", filter: HistoryFilter(state: .begun)), ""),
    ] + [sessionChoice].compactMap(\.self) + places
  }

  /// Returns the filter for places with a text in their titles.
  static func titled(_ text: String, quotes: Quotes) -> HistoryChoice {
    HistoryChoice(
      name: "places with \(quotes.around(text)) in their title", filter: HistoryFilter(text: text))
  }
}

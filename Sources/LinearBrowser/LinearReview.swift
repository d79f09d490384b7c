import CoursePages
import LearningModel
import NavigationKit

/// A review in linear mode.
struct LinearReview {
  var session: ReviewSession
  /// The title of the reviewed place: `all courses`, or the title of a course, goal, lesson or activity.
  let title: String
  var links: [LinearText.Link] = []
  /// Which hints were printed. People who listen cannot skip repetitions.
  private var printedHints: Set<Hint> = []

  private enum Hint { case turn, choose, type }

  init(session: ReviewSession, title: String) {
    self.session = session
    self.title = title
  }

  /// Whether the learner is asked to type the answer.
  var asksForText: Bool { session.card?.faces.isTyped == true && !session.isTurnedOver }

  /// Returns the lines of the visible side of the card. Empty at the end.
  mutating func side() -> [LinearText.Line] {
    guard let card = session.card else { return [] }
    return session.isTurnedOver ? answerSide(of: card) : questionSide(of: card)
  }

  private mutating func questionSide(of card: ReviewCard) -> [LinearText.Line] {
    let new = card.state.phase == .new ? ", new" : ""
    var lines = spokenLines(card.faces.question, after: "Card \(session.answerCount + 1)\(new): ")
    for (index, choice) in card.faces.choices.enumerated() {
      let text = spokenLines([.paragraph(choice.text)], after: "").map(\.text).joined(separator: " ")
      lines.append(LinearText.Line(text: "\(index + 1). " + LinearFormat.ended(text), block: 0))
    }
    let (hint, text): (Hint, String) =
      !card.faces.choices.isEmpty
      ? (.choose, "Type the number of your answer, or several. Enter: show the answer.")
      : card.faces.isTyped
        ? (.type, "Type your answer. Enter: show the answer.")
        : (.turn, "Say what you remember, then turn the card over with Enter.")
    if printedHints.insert(hint).inserted { lines.append(LinearText.Line(text: text, block: 0)) }
    return lines
  }

  private mutating func answerSide(of card: ReviewCard) -> [LinearText.Line] {
    var lines: [LinearText.Line] = []
    if let isRight = session.isRight {
      lines.append(LinearText.Line(text: isRight ? "Correct." : "Incorrect.", block: 0))
    }
    lines += spokenLines(card.faces.answer, after: "Answer: ")
    return lines + [LinearText.Line(text: answersText, block: 0)]
  }

  /// The answers that the learner can give, with the time until the card is shown again.
  private var answersText: String {
    let answers = session.answers.enumerated().map { index, answer in
      "\(index + 1) \(answer.name)" + (answer.interval.map { ": \(ReviewText.interval($0))." } ?? ".")
    }
    let suggestion = session.answers.first { $0.rating == session.suggestedRating }.map { " Enter: \($0.name)." } ?? ""
    return "Did you know it? " + (session.isPractice ? "" : "The card returns in: ") + answers.joined(separator: " ")
      + suggestion
  }

  /// Returns where the card comes from.
  func source() -> String {
    guard let card = session.card else { return "" }
    let ancestors = card.ancestorTitles.reversed().joined(separator: ", ")
    let location = ancestors.isEmpty ? "" : " in \(LinearFormat.ended(ancestors))"
    return "From: \(location.isEmpty ? LinearFormat.ended(card.place.title) : card.place.title)\(location) "
      + "open: go there; review: return."
  }

  private mutating func spokenLines(_ blocks: [Block], after prefix: String) -> [LinearText.Line] {
    let text = LinearText(blocks, links: links)
    links = text.links
    var lines = text.lines
    if lines.isEmpty, !prefix.isEmpty { lines = [LinearText.Line(text: "", block: 0)] }
    if !lines.isEmpty { lines[0].text = LinearFormat.ended((prefix + lines[0].text).trimmed) }
    return lines
  }
}

/// A typed line during a review.
enum LinearReviewInput: Hashable {
  case turn, source, open, undo, suspend, bury, ahead, leave, list, info, forget
  /// Sets the days until the card is due.
  case due(Int)
  case answer(CardRating)
  case numbers([Int])

  private static let words: KeyValuePairs<LinearReviewInput, [String]> = [
    .turn: names(of: .turn) + ["", "t", "more", "space"],
    .answer(.again): names(of: .forgot) + ["f", "again", "not known", "unknown", "no"],
    .answer(.hard): ["hard"],
    .answer(.good): names(of: .known) + ["knew it", "knew", "k", "good", "yes", "y"],
    .answer(.easy): ["easy"],
    .undo: names(of: .undo), .suspend: names(of: .suspendCard), .bury: names(of: .bury),
    .source: names(of: .showSource), .open: names(of: .open) + ["o"],
    .info: names(of: .info) + ["i"], .forget: ["reset", "forget card"], .ahead: ["ahead"],
    .leave: ["up", "u", "leave", "stop", "done"], .list: ["list", "l", "repeat"],
  ]

  /// Returns the name of a command of the full-screen browser.
  private static func names(of command: Command) -> [String] { [KeyRow.of(command)?.words].compactMap { $0 } }

  /// Parses a line. `nil` if the line is no input of a review.
  init?(_ line: String) {
    let text = line.trimmed.lowercased()
    if let input = Self.words.first(where: { $0.value.contains(text) })?.key {
      self = input
    } else if text.hasPrefix("due "), let days = Int(text.dropFirst(4)), days >= 0 {
      self = .due(days)
    } else if let numbers = LinearInput.numbers(text) {
      self = .numbers(numbers)
    } else {
      return nil
    }
  }

  /// Whether a line is a command even if the learner is asked to type an answer.
  static func isCommand(_ line: String) -> Bool {
    let text = line.trimmed.lowercased()
    guard text.count > 1 || text == "?" else { return text.isEmpty }
    let isOfReview = words.contains { $0.value.contains(text) }
    return isOfReview || LinearCommand.rows.contains { $0.names.contains(text) }
  }
}

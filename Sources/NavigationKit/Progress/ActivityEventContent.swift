import Foundation
import JSONCoding
public import LearningModel
import LearningStore

/// An activity event: something that a learner did in an activity, to be recorded.
public enum ActivityEventContent: Hashable, Sendable {
  /// The learner read the text until its end was visible.
  case seenToEnd
  /// The learner marked the activity as done.
  case markedDone
  /// The learner marked the activity as not done.
  case markedNotDone
  /// The learner answered all questions of a quiz.
  ///
  /// - Parameters:
  ///   - answers: For each question, the indices of the selected choices.
  ///   - score: The share of right answers, 0…1.
  ///   - pass: The share of right answers needed to pass, 0…1.
  ///   - of: The number of questions that have right and wrong answers. If `nil`, all of them.
  case quizChecked(answers: [[Int]], score: Double, pass: Double = ActivityContent.defaultPassingShare, of: Int? = nil)
  /// The files of an exercise were checked.
  case exerciseChecked(ExerciseCheck)
  /// The learner turned a flashcard and graded it.
  ///
  /// - Parameters:
  ///   - card: The index of the card.
  ///   - of: The number of cards in the activity.
  ///   - isKnown: Whether the learner knew the back of the card.
  case cardGraded(card: Int, of: Int, isKnown: Bool)
  /// The learner added or changed a note.
  ///
  /// - Parameters:
  ///   - id: The note's UUID.
  ///   - text: The note's text, empty for a highlight.
  ///   - anchor: The passage that the note is about.
  case noted(id: String, text: String, anchor: NoteAnchor)
  /// The learner removed the note with the given UUID.
  case noteRemoved(id: String)

  /// The kind of the event in the log.
  public var kind: ActivityEventKind {
    switch self {
    case .seenToEnd: .seenToEnd
    case .markedDone: .markedDone
    case .markedNotDone: .markedNotDone
    case .quizChecked: .quizChecked
    case .exerciseChecked: .exerciseChecked
    case .cardGraded: .cardGraded
    case .noted: .noted
    case .noteRemoved: .noteRemoved
    }
  }

  /// The further details in the log, as JSON that ``Detail`` decodes. `nil` if the kind has none.
  var detail: String? {
    switch self {
    case .seenToEnd, .markedDone, .markedNotDone: nil
    case .quizChecked(let answers, _, let pass, let count):
      "{\"answers\":[" + answers.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }.joined(separator: ",")
        + "],\"pass\":\(pass),\"of\":\(count ?? answers.count)}"
    // Encoding cannot fail on texts, Booleans and finite numbers.
    case .exerciseChecked(let check): String(decoding: try! JSONEncoding.sorted(check), as: UTF8.self)
    case .cardGraded(let card, let count, let isKnown): "{\"card\":\(card),\"of\":\(count),\"known\":\(isKnown)}"
    case .noted(let id, let text, let anchor): NoteDetail(id, text, anchor).json
    case .noteRemoved(let id): NoteDetail(note: id).json
    }
  }

  /// The share of right answers, 0…1. `nil` unless the event is an attempt at a quiz, a check of an exercise or the grading
  /// of a flashcard.
  var score: Double? {
    switch self {
    case .seenToEnd, .markedDone, .markedNotDone, .noted, .noteRemoved: nil
    case .quizChecked(_, let score, _, _): min(1, max(0, score))
    case .exerciseChecked(let check): check.isPassed ? 1 : 0
    case .cardGraded(_, _, let isKnown): isKnown ? 1 : 0
    }
  }
}

/// A check of the files of an exercise.
///
/// The exercise is done when a check is passed and at least one file differs from the author's. Whether one differs is
/// recorded, because a later edition of the course can have other files.
public struct ExerciseCheck: Hashable, Codable, Sendable {
  /// Whether all commands of the check met their expectations.
  public let isPassed: Bool
  /// Whether at least one file to edit differed from the author's.
  public let isChanged: Bool
  /// The duration of the check in seconds.
  public let seconds: Double
  /// The digest of the edited files, as 64 hexadecimal digits.
  public let files: String
  /// The name of the recipe, or `nil` if none was used.
  public let recipe: String?
  /// The revision of the course.
  public let revision: Int

  private enum CodingKeys: String, CodingKey {
    case isPassed = "passed"
    case isChanged = "changed"
    case seconds, files, recipe, revision
  }

  /// Creates a check. A duration that is negative or not finite becomes 0.
  public init(isPassed: Bool, isChanged: Bool, seconds: Double, files: String, recipe: String? = nil, revision: Int) {
    (self.isPassed, self.isChanged, self.files) = (isPassed, isChanged, files)
    (self.seconds, self.recipe, self.revision) = (seconds.isFinite ? max(0, seconds) : 0, recipe, revision)
  }

  /// Decodes the details of an event. Returns `nil` if it is no check, or if they are in an unknown format.
  init?(of event: ActivityEvent) {
    guard event.kind == .exerciseChecked, let json = event.detail,
      let check = try? JSONDecoder().decode(Self.self, from: Data(json.utf8))
    else { return nil }
    self = check
  }
}

extension ActivityEventContent {
  /// The details of an activity event in the log.
  struct Detail: Decodable {
    /// The indices of the selected choices for each question of a quiz.
    let answers: [[Int]]?
    /// The index of a flashcard.
    let card: Int?
    /// The share of right answers needed to pass a quiz. `nil` in events of earlier versions, in which every answered
    /// quiz counted as done.
    let pass: Double?
    /// The number of flashcards, or the number of questions with right and wrong answers in a quiz.
    let of: Int?
    /// Whether the learner knew the back of a flashcard.
    let known: Bool?
    /// The key of the card of a review.
    let key: String?
    /// The answer to the card, 1…4.
    let rating: Int?
    /// The UUID of a note.
    let note: String?

    /// Decodes the details of an event. Returns `nil` if the event has none or they are in an unknown format.
    init?(of event: ActivityEvent) {
      guard let json = event.detail, let detail = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
        return nil
      }
      self = detail
    }
  }
}

/// The details of a note in the log.
struct NoteDetail: Encodable {
  var note: String
  var text: String?
  var anchor: String?
  var digest: String?
  var from: Int?
  var to: Int?
  var quote: String?

  init(note: String) { self.note = note }

  init(_ note: String, _ text: String, _ anchor: NoteAnchor) {
    self.note = note
    self.text = text
    self.anchor = anchor.heading
    digest = anchor.digest
    (from, to) = (anchor.characters.lowerBound, anchor.characters.upperBound)
    quote = String(anchor.quote.prefix(NoteAnchor.maximumQuoteLength))
  }

  var json: String {
    // Encoding cannot fail on strings and integers.
    String(decoding: try! JSONEncoding.sorted(self), as: UTF8.self)
  }
}

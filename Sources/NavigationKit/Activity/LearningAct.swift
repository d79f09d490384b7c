import Foundation
public import LearningModel
import LearningStore

/// A thing that a learner did in an activity.
public enum LearningAct: Hashable, Sendable {
  /// A text was read, and its end was in view.
  case seenToEnd
  /// The learner says that it is done.
  case markedDone
  /// The learner takes that back.
  case markedNotDone
  /// A quiz was answered to its end: the numbers of the choices taken, for each question, the share that was right, 0…1,
  /// the share that passes, and how many questions can be right or wrong; `nil` where that is as many as there are.
  case quizChecked(answers: [[Int]], score: Double, pass: Double = ActivityContent.usualPass, of: Int? = nil)
  /// A card was turned and graded: its number from 0, how many there are, and whether its back was known.
  case cardGraded(card: Int, of: Int, known: Bool)
  /// A note was written or changed: its name, its words, none for a highlight, and what they are about.
  case noted(id: String, text: String, anchor: NoteAnchor)
  /// A note was taken away.
  case noteRemoved(id: String)

  /// The word in the log.
  public var kind: ActivityEventKind {
    switch self {
    case .seenToEnd: .seenToEnd
    case .markedDone: .markedDone
    case .markedNotDone: .markedNotDone
    case .quizChecked: .quizChecked
    case .cardGraded: .cardGraded
    case .noted: .noted
    case .noteRemoved: .noteRemoved
    }
  }

  /// What the log keeps beyond the word, as JSON; ``Detail`` reads it.
  var detail: String? {
    switch self {
    case .seenToEnd, .markedDone, .markedNotDone: nil
    case .quizChecked(let answers, _, let pass, let count):
      "{\"answers\":[" + answers.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }.joined(separator: ",")
        + "],\"pass\":\(pass),\"of\":\(count ?? answers.count)}"
    case .cardGraded(let card, let count, let known): "{\"card\":\(card),\"of\":\(count),\"known\":\(known)}"
    case .noted(let id, let text, let anchor): NoteDetail(id, text, anchor).json
    case .noteRemoved(let id): NoteDetail(note: id).json
    }
  }

  /// The share that was right; `nil` where nothing was asked.
  var score: Double? {
    switch self {
    case .seenToEnd, .markedDone, .markedNotDone, .noted, .noteRemoved: nil
    case .quizChecked(_, let score, _, _): min(1, max(0, score))
    case .cardGraded(_, _, let known): known ? 1 : 0
    }
  }
}

extension LearningAct {
  /// What the log keeps of a thing done beyond its word.
  struct Detail: Decodable {
    /// Of a quiz, the numbers of the choices taken, for each question.
    let answers: [[Int]]?
    /// Of a card, its number from 0.
    let card: Int?
    /// Of a quiz, the share that passes; `nil` where it was answered when every quiz was done by that.
    let pass: Double?
    /// Of a card, how many there are; of a quiz, how many questions can be right or wrong.
    let of: Int?
    /// Of a card, whether its back was known.
    let known: Bool?

    /// Reads it; `nil` where there is none, or a later version has written it otherwise.
    init?(of event: ActivityEvent) {
      guard let json = event.detail, let detail = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
        return nil
      }
      self = detail
    }
  }
}

extension NavigationService {
  /// Writes a thing done into the log, and answers with the activity's progress after it.
  ///
  /// Where no session is open it begins one, as a step does.
  ///
  /// - Parameters:
  ///   - act: What was done.
  ///   - name: In which activity.
  ///   - milliseconds: How long to wait for a busy database; ten seconds where `nil`.
  /// - Throws: ``NavigationError/notAnActivity(place:)``, and as a step does.
  @discardableResult
  public func record(_ act: LearningAct, in name: PlaceName, waitingAtMost timeout: Duration? = nil)
    throws(NavigationError) -> PlaceSummary
  {
    let moment = now()
    return try beginning(at: moment, waitingAtMost: timeout) { transaction, record in
      let chain = try PlaceResolver(snapshot: transaction.snapshot, current: []).resolve(name, nearby: nil)
      guard let node = chain.last, node.kind == .activity else {
        throw NavigationError.notAnActivity(place: NamedPlace(chain).path)
      }
      _ = try transaction.append(
        ActivityDraft(
          uuid: RandomIdentifier.make(), session: record.session, node: node.id, kind: act.kind,
          detail: act.detail, score: act.score, at: moment))
      let learner = try transaction.snapshot.learner(record.session.learner)
      return try Pages(snapshot: transaction.snapshot, learner: learner).card(of: chain)
    }
  }
}

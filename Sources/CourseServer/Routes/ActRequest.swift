import LearningModel
import NavigationService

/// What a client says that a learner did, before it is held against the activity.
enum ActRequest: Sendable {
  case plain(LearningAct)
  case quiz(answers: [[Int]])
  case card(Int, known: Bool)

  /// What a client may say; notes come with what two databases tell one another.
  static let known: [ActivityEventKind] = [.seenToEnd, .markedDone, .markedNotDone, .quizChecked, .cardGraded]

  /// Reads it.
  init(_ object: JSONObject) throws(Problem) {
    let name = try object.needed("act")
    switch ActivityEventKind(rawValue: name) {
    case .seenToEnd: self = .plain(.seenToEnd)
    case .markedDone: self = .plain(.markedDone)
    case .markedNotDone: self = .plain(.markedNotDone)
    case .quizChecked:
      guard let answers = try object.lists("answers") else {
        throw .unreadable(
          "Could not read the request: 'answers' is missing. Send the numbers of the choices taken, for each question.")
      }
      self = .quiz(answers: answers)
    case .cardGraded:
      guard let card = try object.count("card"), let known = try object.truth("known") else {
        throw .unreadable(
          "Could not read the request: a card that was graded has its number 'card' from 0, and 'known'.")
      }
      self = .card(card, known: known)
    case .noted, .noteRemoved, .other, nil:
      throw .unreadable(
        "Could not read the request: nobody does '\(name.prefix(80))' in an activity. "
          + "Name \(Self.known.map(\.rawValue).joined(separator: ", ")).")
    }
  }

  /// What was done, in that activity. What of a quiz is right is judged here, not by the client.
  ///
  /// - Parameter content: Looks up what the activity is made of.
  func act(in content: () throws -> ActivityContent) throws -> LearningAct {
    switch self {
    case .plain(let act): return act
    case .quiz(let answers):
      guard case .quiz(_, let questions, let pass) = try content() else {
        throw Problem.senseless("Could not write down the answers: the activity is no quiz. Name one.")
      }
      guard answers.count == questions.count,
        zip(answers, questions).allSatisfy({ taken, question in taken.allSatisfy(question.choices.indices.contains) })
      else {
        throw Problem.senseless(
          "Could not write down the answers: the quiz has \(questions.count) questions, and each answer is the numbers of "
            + "its question's choices from 0. Read the page again, and send one list for each question.")
      }
      // A question without choices is answered in one's own words, and nobody but the learner can judge it.
      let judged = zip(answers, questions).filter { !$0.1.choices.isEmpty }
      let right = judged.count { taken, question in
        Set(taken) == Set(question.choices.indices.filter { question.choices[$0].isRight })
      }
      return .quizChecked(
        answers: answers.map { Set($0).sorted() },
        score: judged.isEmpty ? 1 : Double(right) / Double(judged.count), pass: pass, of: judged.count)
    case .card(let card, let known):
      guard case .flashcards(_, let cards) = try content() else {
        throw Problem.senseless("Could not write down the card: the activity has no cards. Name one that has.")
      }
      guard cards.indices.contains(card) else {
        throw Problem.senseless(
          "Could not write down card \(card): there are \(cards.count). Number them from 0.")
      }
      return .cardGraded(card: card, of: cards.count, known: known)
    }
  }
}

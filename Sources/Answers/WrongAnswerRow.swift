package import LearningModel
package import NavigationService

/// A question that was not answered rightly when its quiz was answered last.
package struct WrongAnswerRow: Encodable, Sendable {
  /// The quiz.
  package let quiz: NamedPlace
  /// What was asked.
  package let question: String
  /// The choices that were taken.
  package let answered: [String]
  /// The choices that are right.
  package let right: [String]
  /// When.
  package let at: Timestamp

  /// Makes a row.
  package init(quiz: NamedPlace, question: String, answered: [String], right: [String], at: Timestamp) {
    (self.quiz, self.question, self.answered, self.right, self.at) = (quiz, question, answered, right, at)
  }

  private enum Key: String, CodingKey { case question, answered, right, at }

  /// Writes `path`, `kind` and `title` of the quiz, then the question.
  package func encode(to encoder: any Encoder) throws {
    try quiz.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(question, forKey: .question)
    try container.encode(answered, forKey: .answered)
    try container.encode(right, forKey: .right)
    try container.encode(at, forKey: .at)
  }
}

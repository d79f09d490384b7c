import Answers
import ArgumentParser
import CourseKit
import CoursePages
import LearningModel
import NavigationKit

/// `waymark attempts [PLACE]`.
struct AttemptsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "attempts", "List answered quizzes and cards, newest first, without answers that were undone.",
    example: "waymark attempts english-for-business/negotiating --learner all")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Argument(
    help: "A path such as english-for-business/meetings (default: all courses).", completion: .places,
    transform: ArgumentParsers.place)
  var place: String?

  @Flag(help: "List the questions whose last answer was wrong, with the correct answers.")
  var wrong = false

  func run() throws {
    if wrong { return try listWrong() }
    let service = try global.history(in: zone)
    let attempts = try service.progress.attempts(in: place.map(PlaceName.text), by: global.scope)

    try Printing.list(
      attempts, fields: CSVColumns.attempts,
      columns: [
        Column("time") { LocalTime.text($0.at, in: service.timeZone) },
        Column("learner", omissionRank: 2) { $0.learner },
        Column("title", mayShrink: true) { $0.place.title },
        Column("attempt") {
          [.quizChecked: "quiz", .exerciseChecked: "exercise", .cardGraded: "flashcard"][$0.kind] ?? $0.kind.rawValue
        },
        Column("score", alignment: .right) { $0.score.map(DisplayFormat.percent) ?? "" },
        Column("card", mayShrink: true, omissionRank: 1) { $0.question ?? "" },
        Column("path", mayShrink: true, omissionRank: 3) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No attempts yet.")
  }

  private func listWrong() throws {
    let answers = try WrongAnswerList(
      of: global.readOnlyService(), global.library(), under: place.map(PlaceName.text)
    ).answers()
    let timeZone = try zone.zone()

    try Printing.list(
      answers.map {
        WrongAnswerRow(
          quiz: $0.quiz, question: $0.question.question.plainText, answered: $0.choiceTexts(ofTaken: true),
          right: $0.choiceTexts(ofTaken: false), at: $0.at)
      }, fields: CSVColumns.wrongAnswers,
      columns: [
        Column("time", omissionRank: 1) { LocalTime.text($0.at, in: timeZone) },
        Column("question", mayShrink: true) { $0.question },
        Column("your answer", mayShrink: true) { $0.answered.joined(separator: ", ") },
        Column("correct answer", mayShrink: true) { $0.right.joined(separator: ", ") },
        Column("path", mayShrink: true, omissionRank: 2) { $0.quiz.path.description },
      ],
      as: output.format, whenEmpty: WrongAnswerList.emptyMessage)
  }
}

import CoursePages
import LearningModel

@MainActor enum ActivityScreens {
  /// Creates the screen for the content of an activity. Flashcards and quizzes without items are shown as texts.
  static func screen(
    of place: Place, content: ActivityContent, page: PageModel, host: PageContext
  ) -> ActivityScreen {
    switch content {
    case .link(let destination, _):
      LinkScreen(place: place, page: page, destination: destination, blocks: content.readBlocks, host: host)
    case .flashcards(let introduction, let deck) where !deck.isEmpty:
      FlashcardsScreen(place: place, page: page, introduction: introduction, deck: deck, host: host)
    case .quiz(let introduction, let questions, let pass) where !questions.isEmpty:
      QuizScreen(place: place, page: page, introduction: introduction, questions: questions, pass: pass, host: host)
    case .exercise(let exercise): ExerciseScreen(place: place, page: page, exercise: exercise, host: host)
    default: ReadingScreen(place: place, page: page, blocks: content.readBlocks, host: host)
    }
  }
}

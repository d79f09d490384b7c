import CoursePages
import LearningModel

@MainActor enum ActivityScreens {
  /// Creates the screen for the content of an activity. Flashcards and quizzes without items are shown as texts.
  static func screen(
    of place: Place, content: ActivityContent, page: PageModel, host: PageContext
  ) -> ActivityScreen {
    switch content {
    case .reading(let blocks): ReadingScreen(place: place, page: page, blocks: blocks, host: host)
    case .link(let destination, let blocks):
      LinkScreen(place: place, page: page, destination: destination, blocks: blocks, host: host)
    case .flashcards(let introduction, let deck) where !deck.isEmpty:
      FlashcardsScreen(place: place, page: page, introduction: introduction, deck: deck, host: host)
    case .quiz(let introduction, let questions, let pass) where !questions.isEmpty:
      QuizScreen(place: place, page: page, introduction: introduction, questions: questions, pass: pass, host: host)
    case .flashcards(let introduction, _), .quiz(let introduction, _, _):
      ReadingScreen(place: place, page: page, blocks: introduction, host: host)
    }
  }
}

import CoursePages
import LearningModel

/// The screens of activities by what is done there.
@MainActor enum ActivityScreens {
  /// Makes the screen of an activity.
  static func screen(
    of place: Place, content: ActivityContent, page: PageModel, shell: any PageShell
  ) -> ActivityScreen {
    switch content {
    case .reading(let blocks): ReadingScreen(place: place, page: page, blocks: blocks, shell: shell)
    case .link(let destination, let blocks):
      LinkScreen(place: place, page: page, destination: destination, blocks: blocks, shell: shell)
    case .flashcards(let introduction, let deck) where !deck.isEmpty:
      FlashcardsScreen(place: place, page: page, introduction: introduction, deck: deck, shell: shell)
    case .quiz(let introduction, let questions, let pass) where !questions.isEmpty:
      QuizScreen(place: place, page: page, introduction: introduction, questions: questions, pass: pass, shell: shell)
    case .flashcards(let introduction, _), .quiz(let introduction, _, _):
      ReadingScreen(place: place, page: page, blocks: introduction, shell: shell)
    }
  }
}

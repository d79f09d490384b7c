import CoursePages
import LearningModel
import NavigationService
import ScreenKit

/// A page of the course as the shell knows it: where it is, what it says, and how it comes to say something else.
@MainActor protocol CoursePage: Screen {
  var place: Place { get }
  var page: PageModel { get }
  /// Shows what has changed in the meantime.
  func show(_ page: PageModel)
}

/// A page on which something is done, of which the shell keeps how far it is done.
@MainActor protocol ActivityPage: CoursePage {
  /// What to keep of how far the learner has come; `nil` where there is nothing to keep.
  func position(at moment: Timestamp) -> ReadingPosition?
  /// What was read of its passages since that was asked for the last time.
  func takeUnkeptPassages() -> [String: RangeSet<Int>]
}

/// What a link of a text leads to in the same course.
struct LinkTarget: Hashable {
  var node: NodeID
  /// The heading that is meant; `nil` where the place itself is.
  var anchor: String?
  var title: String
  /// What it is, such as `flashcards, 12 cards`.
  var detail: String
}

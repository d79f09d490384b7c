import LearningModel
import NavigationService

/// What a page says, without a word on where it stands.
struct PageModel: Hashable {
  var place: Place
  var kind: PlaceKind
  var trail: Trail
  var header: Header
  var cards: CardWindow

  /// Whether the learner, or the quiz, has said that it is done.
  var isDone = false
  /// How long all of it takes, in seconds; 0 where nothing is known.
  var seconds = 0
  /// The best thing to do next from here; `nil` where there is no course.
  var nextStep: NextStep?

  /// The ancestors, from the list of courses down, and where this place stands among its siblings.
  struct Trail: Hashable {
    var crumbs: [String]
    /// Such as `goal 2 of 4`; empty where there is nothing to count.
    var position: String
  }

  struct Header: Hashable {
    var title: String
    var summary: String
    /// Whether the author wrote the summary; where not, it says what the place holds.
    var isSummaryGiven = true
    /// Such as `5 of 14 done`.
    var topRight: String
    /// Such as `about 55 min left`.
    var bottomRight: String
    /// What is done of it, 0…1.
    var fraction: Double
    /// Whether the learner has marked it.
    var isMarked = false
  }
}

/// One thing to choose from.
struct CardModel: Hashable {
  /// What opens when it is chosen.
  enum Target: Hashable {
    case node(NodeID)
    case bundledCourse
    /// Asks for a course to add.
    case ownCourse
    /// Shows the learner around.
    case tour
    /// Nothing.
    case unknown
  }

  enum Mark: Hashable {
    case notBegun, begun, done
  }

  var target: Target
  var kind: PlaceKind
  var title: String
  var summary: String
  var mark: Mark
  /// Such as `5 of 14`, without the mark.
  var topRight: String
  /// Such as `about 55 min left`.
  var bottomRight: String
  /// What is done of it, 0…1.
  var fraction: Double
  /// In a list: what kind of activity, or how much is done of it; and how long it is.
  var column: String
  var amount: String
  /// Whether the learner has marked it.
  var isMarked = false

  var node: NodeID? { if case .node(let id) = target { id } else { nil } }
}

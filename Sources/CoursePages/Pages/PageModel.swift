package import LearningModel
package import NavigationService

/// What a page says, without a word on where it stands.
package struct PageModel: Hashable {
  package var place: Place
  package var kind: PlaceKind
  package var trail: Trail
  package var header: Header
  package var cards: CardWindow

  /// Whether the learner, or the quiz, has said that it is done.
  package var isDone = false
  /// How long all of it takes, in seconds; 0 where nothing is known.
  package var seconds = 0
  /// The best thing to do next from here; `nil` where there is no course.
  package var nextStep: NextStep?

  package init(
    place: Place, kind: PlaceKind, trail: Trail, header: Header, cards: CardWindow, isDone: Bool = false,
    seconds: Int = 0, nextStep: NextStep? = nil
  ) {
    self.place = place
    self.kind = kind
    self.trail = trail
    self.header = header
    self.cards = cards
    self.isDone = isDone
    self.seconds = seconds
    self.nextStep = nextStep
  }

  /// The ancestors, from the list of courses down, and where this place stands among its siblings.
  package struct Trail: Hashable {
    package var crumbs: [String]
    /// Such as `goal 2 of 4`; empty where there is nothing to count.
    package var position: String

    package init(crumbs: [String], position: String) {
      self.crumbs = crumbs
      self.position = position
    }
  }

  package struct Header: Hashable {
    package var title: String
    package var summary: String
    /// Whether the author wrote the summary; where not, it says what the place holds.
    package var isSummaryGiven = true
    /// Such as `5 of 14 done`.
    package var topRight: String
    /// Such as `about 55 min left`.
    package var bottomRight: String
    /// What is done of it, 0…1.
    package var fraction: Double
    /// Whether the learner has marked it.
    package var isMarked = false
    /// How many entries of a list are scrolled away above those that are seen.
    package var above = 0

    package init(
      title: String, summary: String, isSummaryGiven: Bool = true, topRight: String, bottomRight: String,
      fraction: Double, isMarked: Bool = false
    ) {
      self.title = title
      self.summary = summary
      self.isSummaryGiven = isSummaryGiven
      self.topRight = topRight
      self.bottomRight = bottomRight
      self.fraction = fraction
      self.isMarked = isMarked
    }
  }
}

/// One thing to choose from.
package struct CardModel: Hashable {
  /// What opens when it is chosen.
  package enum Target: Hashable {
    case node(NodeID)
    case bundledCourse
    /// Asks for a course to add.
    case ownCourse
    /// Shows the learner around.
    case tour
    /// Nothing.
    case unknown
  }

  package enum Mark: Hashable {
    case notBegun, begun, done
  }

  package var target: Target
  package var kind: PlaceKind
  package var title: String
  package var summary: String
  package var mark: Mark
  /// Such as `5 of 14`, without the mark.
  package var topRight: String
  /// Such as `about 55 min left`.
  package var bottomRight: String
  /// What is done of it, 0…1.
  package var fraction: Double
  /// In a list: what kind of activity, or how much is done of it; and how long it is.
  package var column: String
  package var amount: String
  /// Whether the learner has marked it.
  package var isMarked = false

  package init(
    target: Target, kind: PlaceKind, title: String, summary: String, mark: Mark, topRight: String, bottomRight: String,
    fraction: Double, column: String, amount: String, isMarked: Bool = false
  ) {
    self.target = target
    self.kind = kind
    self.title = title
    self.summary = summary
    self.mark = mark
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.fraction = fraction
    self.column = column
    self.amount = amount
    self.isMarked = isMarked
  }

  package var node: NodeID? { if case .node(let id) = target { id } else { nil } }
}

public import LearningModel

/// Everything of one learner, in a form that means the same in every database: events and sessions by their names, nodes
/// by their course's key and their own.
///
/// A node is named by its number in ``nodes``, from 0; a parent stands before its children.
public struct LearnerRecord: Hashable, Codable, Sendable {
  /// Who it is in every database; `nil` where an older program wrote the record.
  public var uuid: String?
  /// What the learner is called.
  public var name: String
  /// When they first came.
  public var createdAt: Timestamp
  /// Every node that the rest names, and those above them.
  public var nodes: [Node] = []
  /// Their sittings, the oldest first.
  public var sessions: [Sitting] = []
  /// The first log: their steps, in its order.
  public var steps: [Step] = []
  /// The second log: what they did, in its order.
  public var activities: [LearningAct] = []
  /// The places they marked.
  public var bookmarks: [Mark] = []
  /// How far they read.
  public var positions: [Position] = []
  /// The quizzes they left in the middle; `nil` where an older program wrote the record.
  public var quizzes: [Quiz]?
  /// What they read of texts; `nil` where an older program wrote the record.
  public var passages: [ReadPassage]?
  /// Their settings, by name.
  public var settings: [String: String] = [:]
  /// Facts of kinds that only a later program knows; `nil` where there are none.
  public var others: [OtherFact]?
  /// When each of those facts was last changed, passages apart, also of facts that were taken away; `nil` where an older
  /// program wrote the record.
  public var changes: [Change]?
  /// What was erased, and does not come back; `nil` where an older program wrote the record.
  public var erased: Erased?

  /// Begins the record of somebody.
  public init(uuid: String? = nil, name: String, createdAt: Timestamp) {
    self.uuid = uuid
    self.name = name
    self.createdAt = createdAt
  }

  /// A node of a course, with what is needed to read the history where the course is not.
  public struct Node: Hashable, Codable, Sendable {
    /// The course's key.
    public var course: String
    /// The node's key, unique in the course.
    public var key: String
    /// The number of the node above it; `nil` for a course.
    public var parent: Int?
    /// What it is.
    public var kind: PlaceKind
    /// Its part of the path.
    public var slug: String
    /// What it is called.
    public var title: String
  }

  /// A session.
  public struct Sitting: Hashable, Codable, Sendable {
    /// Its name everywhere.
    public var uuid: String
    /// What it is called.
    public var name: String
    /// The learner's time zone.
    public var timeZone: String
    /// When it began.
    public var startedAt: Timestamp
    /// When the learner last did something.
    public var lastInputAt: Timestamp
    /// How long they were present in the visit that is not over, in milliseconds.
    public var activeMs: Int64
    /// When it ended; `nil` while it is open, and where the record has only its beginning.
    public var endedAt: Timestamp?
    /// The session that it was parted from, where a copy of a database had gone on with one.
    public var forkOf: String?
    /// The last step that both have.
    public var forkAfter: Int?
  }

  /// What a step looked like.
  public struct Look: Hashable, Codable, Sendable {
    /// Which transition.
    public var kind: TransitionKind
    /// Which way.
    public var direction: TransitionDirection?
    /// Why that one.
    public var reason: TransitionReason
    /// The node that moved.
    public var node: Int?
  }

  /// A place as it was then; the root has no node.
  public struct ScreenPosition: Hashable, Codable, Sendable {
    /// What it was.
    public var kind: PlaceKind
    /// Which node.
    public var node: Int?
  }

  /// A navigation event.
  public struct Step: Hashable, Codable, Sendable {
    /// Its name everywhere.
    public var uuid: String
    /// The session's.
    public var session: String
    /// Its number in the session.
    public var sequence: Int
    /// What was done.
    public var operation: NavigationOperation
    /// Of a traversal, the sequence of the visit that it returned to.
    public var returnsTo: Int?
    /// What it looked like; `nil` where a session began.
    public var transition: Look?
    /// Whether anything moved on a screen.
    public var animated: Bool
    /// Who asked.
    public var cause: NavigationCause
    /// The place before; `nil` where a session began.
    public var from: ScreenPosition?
    /// The place after.
    public var to: ScreenPosition
    /// The nodes from the course down to the place after.
    public var stack: [Int]
    /// When.
    public var at: Timestamp
    /// When the place was left; `nil` while somebody is there.
    public var leftAt: Timestamp?
    /// How long the learner was present, in milliseconds.
    public var activeMs: Int64?
    /// The revision of the course at that time, where it was.
    public var courseRevision: Int?
  }

  /// An activity event.
  public struct LearningAct: Hashable, Codable, Sendable {
    /// Its name everywhere.
    public var uuid: String
    /// The session's.
    public var session: String
    /// Its number among the things done in the session, from 1; `nil` where an older program wrote the record, which has all
    /// of them.
    public var sequence: Int?
    /// In which activity.
    public var node: Int
    /// What was done.
    public var kind: ActivityEventKind
    /// What was answered or graded, as JSON.
    public var detail: String?
    /// The share that was right, 0…1.
    public var score: Double?
    /// When.
    public var at: Timestamp
  }

  /// A bookmark.
  public struct Mark: Hashable, Codable, Sendable {
    /// Where.
    public var node: Int
    /// Since when.
    public var createdAt: Timestamp
  }

  /// A reading position.
  public struct Position: Hashable, Codable, Sendable {
    /// In which text.
    public var node: Int
    /// The first block in view, from 0.
    public var block: Int
    /// How much of that block is above the view, 0…1.
    public var blockOffset: Double
    /// The share that was seen, 0…1.
    public var fraction: Double
    /// The heading above that block.
    public var heading: String?
    /// When.
    public var savedAt: Timestamp
  }

  /// What was read of a passage.
  public struct ReadPassage: Hashable, Codable, Sendable {
    /// In which text.
    public var node: Int
    /// What tells the passage from others.
    public var digest: String
    /// Its characters, as ranges from and up to: `0-120 130-140`.
    public var characters: String
    /// When the last of them were read.
    public var savedAt: Timestamp
  }

  /// A quiz left in the middle.
  public struct Quiz: Hashable, Codable, Sendable {
    /// Which one.
    public var node: Int
    /// A fingerprint of its questions.
    public var questions: String
    /// For each question the numbers of the choices taken, as a list of lists in JSON.
    public var answers: String
    /// The number of the question that is asked, from 0.
    public var question: Int
    /// Whether its answer is checked already.
    public var isChecked: Bool
    /// When.
    public var savedAt: Timestamp
  }

  /// A fact of a kind that a later program brings. It is kept and passed on as it is, so from this version on each new kind
  /// is written in this form.
  public struct OtherFact: Hashable, Codable, Sendable {
    /// Of which kind.
    public var kind: FactKind
    /// At which node; `nil` where it is at none.
    public var node: Int?
    /// What tells facts of one kind at one node apart; `nil` where there is but one.
    public var name: String?
    /// What is kept, in the words of the program that keeps it.
    public var value: String
    /// When it was kept, where it goes with an erasure of that time; `nil` for one that stays, as settings do.
    public var savedAt: Timestamp?
  }

  /// The last change of a fact.
  public struct Change: Hashable, Codable, Sendable {
    /// What kind of fact.
    public var kind: FactKind
    /// At which node; `nil` for a setting.
    public var node: Int?
    /// The name of a setting, or of a fact of another kind.
    public var name: String?
    /// When: see ``HybridTime``.
    public var stamp: Int64
    /// In which database.
    public var replica: String
  }

  /// What was erased.
  public struct Erased: Hashable, Codable, Sendable {
    /// The sessions that were cut.
    public var sessions: [Cut] = []
    /// The spans of time in which facts were kept that are gone.
    public var spans: [Span] = []

    /// Whether nothing was.
    public var isEmpty: Bool { sessions.isEmpty && spans.isEmpty }

    /// Makes an empty list.
    public init() {}
  }

  /// Where a session was cut. A number behind its end cuts nothing off.
  public struct Cut: Hashable, Codable, Sendable {
    /// The session.
    public var session: String
    /// The sequence of the first step that is gone, from 1.
    public var step: Int
    /// The sequence of the first thing done that is gone, from 1.
    public var act: Int
  }

  /// Facts that were saved between two moments, both of them included.
  public struct Span: Hashable, Codable, Sendable {
    /// From when.
    public var since: Timestamp
    /// Until when.
    public var until: Timestamp
  }
}

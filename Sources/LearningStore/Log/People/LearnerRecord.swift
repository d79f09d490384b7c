package import LearningModel

/// Everything of one learner, in a form that means the same in every database: events and sessions by their names, nodes
/// by their course's key and their own.
///
/// A node is named by its number in ``nodes``, from 0; a parent stands before its children.
package struct LearnerRecord: Hashable, Codable, Sendable {
  /// Who it is in every database; `nil` where an older program wrote the record.
  package var uuid: String?
  /// What the learner is called.
  package var name: String
  /// When they first came.
  package var createdAt: Timestamp
  /// Every node that the rest names, and those above them.
  package var nodes: [Node] = []
  /// Their sittings, the oldest first.
  package var sessions: [Sitting] = []
  /// The first log: their steps, in its order.
  package var steps: [Step] = []
  /// The second log: what they did, in its order.
  package var activities: [LearningAct] = []
  /// The places they marked.
  package var bookmarks: [Mark] = []
  /// How far they read.
  package var positions: [Position] = []
  /// The quizzes they left in the middle; `nil` where an older program wrote the record.
  package var quizzes: [Quiz]?
  /// What they read of texts; `nil` where an older program wrote the record.
  package var passages: [ReadPassage]?
  /// Their settings, by name.
  package var settings: [String: String] = [:]
  /// Facts of kinds that only a later program knows; `nil` where there are none.
  package var others: [OtherFact]?
  /// When each of those facts was last changed, passages apart, also of facts that were taken away; `nil` where an older
  /// program wrote the record.
  package var changes: [Change]?
  /// What was erased, and does not come back; `nil` where an older program wrote the record.
  package var erased: Erased?

  /// Begins the record of somebody.
  package init(uuid: String? = nil, name: String, createdAt: Timestamp) {
    self.uuid = uuid
    self.name = name
    self.createdAt = createdAt
  }

  /// A node of a course, with what is needed to read the history where the course is not.
  package struct Node: Hashable, Codable, Sendable {
    /// The course's key.
    package var course: String
    /// The node's key, unique in the course.
    package var key: String
    /// The number of the node above it; `nil` for a course.
    package var parent: Int?
    /// What it is.
    package var kind: PlaceKind
    /// Its part of the path.
    package var slug: String
    /// What it is called.
    package var title: String
  }

  /// A session.
  package struct Sitting: Hashable, Codable, Sendable {
    /// Its name everywhere.
    package var uuid: String
    /// What it is called.
    package var name: String
    /// The learner's time zone.
    package var timeZone: String
    /// When it began.
    package var startedAt: Timestamp
    /// When the learner last did something.
    package var lastInputAt: Timestamp
    /// How long they were present in the visit that is not over, in milliseconds.
    package var activeMs: Int64
    /// When it ended; `nil` while it is open, and where the record has only its beginning.
    package var endedAt: Timestamp?
    /// The session that it was parted from, where a copy of a database had gone on with one.
    package var forkOf: String?
    /// The last step that both have.
    package var forkAfter: Int?
  }

  /// What a step looked like.
  package struct Look: Hashable, Codable, Sendable {
    /// Which transition.
    package var kind: TransitionKind
    /// Which way.
    package var direction: TransitionDirection?
    /// Why that one.
    package var reason: TransitionReason
    /// The node that moved.
    package var node: Int?
  }

  /// A place as it was then; the root has no node.
  package struct ScreenPosition: Hashable, Codable, Sendable {
    /// What it was.
    package var kind: PlaceKind
    /// Which node.
    package var node: Int?
  }

  /// A navigation event.
  package struct Step: Hashable, Codable, Sendable {
    /// Its name everywhere.
    package var uuid: String
    /// The session's.
    package var session: String
    /// Its number in the session.
    package var sequence: Int
    /// What was done.
    package var operation: NavigationOperation
    /// Of a traversal, the sequence of the visit that it returned to.
    package var returnsTo: Int?
    /// What it looked like; `nil` where a session began.
    package var transition: Look?
    /// Whether anything moved on a screen.
    package var animated: Bool
    /// Who asked.
    package var cause: NavigationCause
    /// The place before; `nil` where a session began.
    package var from: ScreenPosition?
    /// The place after.
    package var to: ScreenPosition
    /// The nodes from the course down to the place after.
    package var stack: [Int]
    /// When.
    package var at: Timestamp
    /// When the place was left; `nil` while somebody is there.
    package var leftAt: Timestamp?
    /// How long the learner was present, in milliseconds.
    package var activeMs: Int64?
    /// The revision of the course at that time, where it was.
    package var courseRevision: Int?
  }

  /// An activity event.
  package struct LearningAct: Hashable, Codable, Sendable {
    /// Its name everywhere.
    package var uuid: String
    /// The session's.
    package var session: String
    /// Its number among the things done in the session, from 1; `nil` where an older program wrote the record, which has all
    /// of them.
    package var sequence: Int?
    /// In which activity.
    package var node: Int
    /// What was done.
    package var kind: ActivityEventKind
    /// What was answered or graded, as JSON.
    package var detail: String?
    /// The share that was right, 0…1.
    package var score: Double?
    /// When.
    package var at: Timestamp
  }

  /// A bookmark.
  package struct Mark: Hashable, Codable, Sendable {
    /// Where.
    package var node: Int
    /// Since when.
    package var createdAt: Timestamp
  }

  /// A reading position.
  package struct Position: Hashable, Codable, Sendable {
    /// In which text.
    package var node: Int
    /// The first block in view, from 0.
    package var block: Int
    /// How much of that block is above the view, 0…1.
    package var blockOffset: Double
    /// The share that was seen, 0…1.
    package var fraction: Double
    /// The heading above that block.
    package var heading: String?
    /// When.
    package var savedAt: Timestamp
  }

  /// What was read of a passage.
  package struct ReadPassage: Hashable, Codable, Sendable {
    /// In which text.
    package var node: Int
    /// What tells the passage from others.
    package var digest: String
    /// Its characters, as ranges from and up to: `0-120 130-140`.
    package var characters: String
    /// When the last of them were read.
    package var savedAt: Timestamp
  }

  /// A quiz left in the middle.
  package struct Quiz: Hashable, Codable, Sendable {
    /// Which one.
    package var node: Int
    /// A fingerprint of its questions.
    package var questions: String
    /// For each question the numbers of the choices taken, as a list of lists in JSON.
    package var answers: String
    /// The number of the question that is asked, from 0.
    package var question: Int
    /// Whether its answer is checked already.
    package var isChecked: Bool
    /// When.
    package var savedAt: Timestamp
  }

  /// A fact of a kind that a later program brings. It is kept and passed on as it is, so from this version on each new kind
  /// is written in this form.
  package struct OtherFact: Hashable, Codable, Sendable {
    /// Of which kind.
    package var kind: FactKind
    /// At which node; `nil` where it is at none.
    package var node: Int?
    /// What tells facts of one kind at one node apart; `nil` where there is but one.
    package var name: String?
    /// What is kept, in the words of the program that keeps it.
    package var value: String
    /// When it was kept, where it goes with an erasure of that time; `nil` for one that stays, as settings do.
    package var savedAt: Timestamp?
  }

  /// The last change of a fact.
  package struct Change: Hashable, Codable, Sendable {
    /// What kind of fact.
    package var kind: FactKind
    /// At which node; `nil` for a setting.
    package var node: Int?
    /// The name of a setting, or of a fact of another kind.
    package var name: String?
    /// When: see ``HybridTime``.
    package var stamp: Int64
    /// In which database.
    package var replica: String
  }

  /// What was erased.
  package struct Erased: Hashable, Codable, Sendable {
    /// The sessions that were cut.
    package var sessions: [Cut] = []
    /// The spans of time in which facts were kept that are gone.
    package var spans: [Span] = []

    /// Whether nothing was.
    package var isEmpty: Bool { sessions.isEmpty && spans.isEmpty }

    /// Makes an empty list.
    package init() {}
  }

  /// Where a session was cut. A number behind its end cuts nothing off.
  package struct Cut: Hashable, Codable, Sendable {
    /// The session.
    package var session: String
    /// The sequence of the first step that is gone, from 1.
    package var step: Int
    /// The sequence of the first thing done that is gone, from 1.
    package var act: Int
  }

  /// Facts that were saved between two moments, both of them included.
  package struct Span: Hashable, Codable, Sendable {
    /// From when.
    package var since: Timestamp
    /// Until when.
    package var until: Timestamp
  }
}

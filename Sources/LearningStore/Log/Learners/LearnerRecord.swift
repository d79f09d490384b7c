package import LearningModel

/// All data of one learner in a form that is independent of the database: events and sessions are identified by UUIDs,
/// nodes by the key of their course and their own key.
///
/// Other properties refer to a node by its index in ``nodes``. A parent precedes its children.
package struct LearnerRecord: Hashable, Codable, Sendable {
  package var uuid: String
  package var name: String
  package var createdAt: Timestamp
  /// The nodes that the other properties refer to, and their ancestors.
  package var nodes: [Node] = []
  /// The learner's sessions, the oldest first.
  package var sessions: [SessionRow] = []
  /// The navigation events, in the order of the log.
  package var steps: [NavigationEventRow] = []
  /// The activity events, in the order of the log.
  package var activities: [ActivityEventRow] = []
  package var bookmarks: [BookmarkRow] = []
  package var positions: [ReadingPositionRow] = []
  /// The quizzes that the learner has left before the end.
  package var quizzes: [UnfinishedQuizRow] = []
  /// The read passages of texts.
  package var passages: [ReadPassage] = []
  /// The learner's settings, by name.
  package var settings: [String: String] = [:]
  /// Entries of kinds that only a later version of the program supports, or `nil` if there are none.
  package var others: [OtherFact]?
  /// The last change of each bookmark, reading position, quiz, setting and entry of another kind, including removed
  /// ones. Passages are not included.
  package var changes: [FactChangeRow] = []
  /// The erased parts of the history, which must not be restored by a merge.
  package var erased = Erasure()

  package init(uuid: String, name: String, createdAt: Timestamp) {
    self.uuid = uuid
    self.name = name
    self.createdAt = createdAt
  }

  /// A node of a course, with the properties that are needed to show the history if the course is not in the database.
  package struct Node: Hashable, Codable, Sendable {
    package var course: String
    /// The node's key, which is unique in its course.
    package var key: String
    /// The index of the parent in ``LearnerRecord/nodes``, or `nil` for a course.
    package var parent: Int?
    package var kind: PlaceKind
    /// The component of the path that identifies the node among its siblings.
    package var slug: String
    package var title: String
    /// Another key of the node: that in the current source of the course, or that in another database. `nil` if no
    /// other key is known.
    package var sourceKey: String?
  }

  /// A session of the learner, without its events.
  package struct SessionRow: Hashable, Codable, Sendable {
    package var uuid: String
    package var name: String
    /// The identifier of the learner's time zone.
    package var timeZone: String
    package var startedAt: Timestamp
    /// The time of the learner's last input.
    package var lastInputAt: Timestamp
    /// The active time in the visit that has not ended, in milliseconds.
    package var activeMs: Int64
    /// When the session ended, or `nil` if it is open, or if the record contains only its beginning.
    package var endedAt: Timestamp?
    /// The UUID of the database that began the session. Only that database adds events to it.
    package var replica: String
  }

  /// The transition of a navigation event.
  package struct TransitionRow: Hashable, Codable, Sendable {
    package var kind: TransitionKind
    package var direction: TransitionDirection?
    /// Why this transition was chosen.
    package var reason: TransitionReason
    /// The index of the node that moved, or `nil`.
    package var node: Int?
  }

  /// A place with its kind at the time of an event. The root has no node.
  package struct ScreenPosition: Hashable, Codable, Sendable {
    package var kind: PlaceKind
    package var node: Int?
  }

  package struct NavigationEventRow: Hashable, Codable, Sendable {
    package var uuid: String
    /// The UUID of the session.
    package var session: String
    /// The sequence number within the session, from 1.
    package var sequence: Int
    package var operation: NavigationOperation
    /// For an event that moves back or forward, the sequence number of the visit that it returned to, otherwise `nil`.
    /// Also `nil` if that visit belongs to the session from which this one was split off.
    package var returnsTo: Int?
    /// The transition, or `nil` for the first event of a session.
    package var transition: TransitionRow?
    /// Whether a front end animated the transition.
    package var animated: Bool
    /// The origin of the event, such as user input.
    package var cause: NavigationCause
    /// The previous place, or `nil` for the first event of a session.
    package var from: ScreenPosition?
    /// The destination of the event.
    package var to: ScreenPosition
    /// The nodes on the path from the course to the destination.
    package var stack: [Int]
    package var at: Timestamp
    /// When the learner left the place, or `nil` if the visit has not ended.
    package var leftAt: Timestamp?
    /// How long the learner was active during the visit, in milliseconds. `nil` if the visit has not ended.
    package var activeMs: Int64?
    /// The revision of the course at the time of the event, or `nil` if the destination is the root.
    package var courseRevision: Int?
  }

  package struct ActivityEventRow: Hashable, Codable, Sendable {
    package var uuid: String
    /// The UUID of the session.
    package var session: String
    /// The sequence number among the activity events of the session, from 1.
    package var sequence: Int
    /// The index of the activity.
    package var node: Int
    package var kind: ActivityEventKind
    /// The answer or the grade, as JSON.
    package var detail: String?
    /// The share of correct answers, from 0 to 1.
    package var score: Double?
    package var at: Timestamp
    /// The place in the order of the learner's events: see the table `activityEvent` in `Migrations/sql/0002_log.sql`.
    package var orderedAt: Int64
  }

  /// A bookmark of a place.
  package struct BookmarkRow: Hashable, Codable, Sendable {
    package var node: Int
    package var createdAt: Timestamp
  }

  /// A reading position in a text.
  package struct ReadingPositionRow: Hashable, Codable, Sendable {
    /// The index of the activity with the text.
    package var node: Int
    /// The index of the first visible block, from 0.
    package var block: Int
    /// The share of this block that is above the visible area, from 0 to 1.
    package var blockOffset: Double
    /// The share of the text that was read, from 0 to 1.
    package var fraction: Double
    /// The heading above the first visible block, or `nil` before the first heading.
    package var heading: String?
    package var savedAt: Timestamp
  }

  /// The read characters of a passage.
  package struct ReadPassage: Hashable, Codable, Sendable {
    /// The index of the activity with the text.
    package var node: Int
    /// The digest that identifies the passage.
    package var digest: String
    /// The read characters as half-open ranges: `0-120 130-140`.
    package var characters: String
    /// When the last of these characters were read.
    package var savedAt: Timestamp
  }

  /// A quiz that the learner has left before the end.
  package struct UnfinishedQuizRow: Hashable, Codable, Sendable {
    package var node: Int
    /// A digest of the questions.
    package var questions: String
    /// For each question, the indices of the selected choices, as a JSON array of arrays.
    package var answers: String
    /// The index of the current question, from 0.
    package var question: Int
    /// Whether the answer to the current question was already checked.
    package var isChecked: Bool
    package var savedAt: Timestamp
  }

  /// An entry of a kind that only a later version of the program supports. It is stored and passed on unchanged, so all
  /// kinds that are introduced after this version use this form.
  package struct OtherFact: Hashable, Codable, Sendable {
    package var kind: FactKind
    /// The index of the node to which the entry belongs, or `nil` if it belongs to none.
    package var node: Int?
    /// A name that distinguishes several entries of one kind at the same node, or `nil` if there is only one.
    package var name: String?
    /// The value in a format that the later program defines.
    package var value: String
    /// When the entry was saved, if it is removed by erasing the history of that time. `nil` if it is kept, as settings
    /// are.
    package var savedAt: Timestamp?
  }

  /// The last change of a bookmark, reading position, quiz, setting or entry of another kind.
  package struct FactChangeRow: Hashable, Codable, Sendable {
    package var kind: FactKind
    /// The index of the node, or `nil` for a setting.
    package var node: Int?
    /// The name of a setting, or of an entry of another kind.
    package var name: String?
    /// The timestamp of the change: see ``HybridTime``.
    package var stamp: Int64
    /// The identifier of the database in which the change was made.
    package var replica: String
  }

  /// The erased parts of a learner's history.
  package struct Erasure: Hashable, Codable, Sendable {
    /// The sessions from which events were erased.
    package var sessions: [Cut] = []
    /// The periods from which entries were erased.
    package var spans: [Span] = []

    /// Whether nothing was erased.
    package var isEmpty: Bool { sessions.isEmpty && spans.isEmpty }

    package init() {}
  }

  /// The point from which a session's events were erased. If a sequence number is greater than the last one of the
  /// session, no event was erased from that log.
  package struct Cut: Hashable, Codable, Sendable {
    /// The UUID of the session.
    package var session: String
    /// The sequence number of the first erased navigation event, from 1.
    package var step: Int
    /// The sequence number of the first erased activity event, from 1.
    package var act: Int
  }

  /// A period from which saved entries were erased. Both ends are included.
  package struct Span: Hashable, Codable, Sendable {
    package var since: Timestamp
    package var until: Timestamp
  }
}

package import LearningModel

/// Why two databases could not be brought together.
package enum SyncError: ExplainedError, Hashable {
  /// The learner was erased in this database.
  case erasedHere
  /// The learner was erased in the other database.
  case erasedThere(name: String)
  /// What is spoken of is somebody else than the learner of this name.
  case anotherLearner(name: String)
  /// The learner here and the one there are not known to be one person.
  case notJoined(name: String, steps: Int, otherName: String, otherSteps: Int)
  /// The one there is here under another name.
  case knownAs(name: String, other: String)
  /// The other database speaks a later version.
  case newer(Int)
  /// Something else was done in a session.
  case fork(String)
  /// What both sides call by this name is not the same.
  case otherContent(uuid: String)
  /// A part of a record says what cannot be.
  case contradictory(detail: String)
  /// One thing that happened is larger than a message may be.
  case tooLarge(bytes: Int)
  /// One thing that was done is larger than such a thing may be.
  case eventTooLarge(uuid: String, bytes: Int)
  /// The other side says something that only later versions understand.
  case unknownWords
  /// The other side answered something else than was asked.
  case unexpectedAnswer

  /// Of which kind it is.
  package var kind: FailureKind {
    switch self {
    case .erasedHere, .erasedThere, .notJoined, .knownAs, .otherContent: .refused
    case .anotherLearner: .notFound
    case .newer, .fork, .contradictory, .tooLarge, .eventTooLarge, .unknownWords, .unexpectedAnswer: .badData
    }
  }

  /// What was found and what to do next.
  package var description: String {
    switch self {
    case .erasedHere:
      "Could not synchronise: this learner was erased here, and does not come back. Take another token, or another --learner."
    case .erasedThere(let name):
      "Could not synchronise '\(name)': they were erased on the server, and so they were here."
    case .anotherLearner(let name):
      "Could not synchronise '\(name)': the other side speaks of somebody else. Look whose token it is."
    case .notJoined(let name, let steps, let otherName, let otherSteps):
      "Could not synchronise '\(name)' (here, \(steps) \(steps == 1 ? "step" : "steps")) with '\(otherName)' (on the server, "
        + "\(otherSteps) \(otherSteps == 1 ? "step" : "steps")): they are not known to be one person. Say --join if they are, "
        + "or choose the right --learner."
    case .knownAs(let name, let other):
      "Could not synchronise '\(name)': the token is of somebody who is called '\(other)' here. Say --learner '\(other)'."
    case .newer(let version):
      "Could not synchronise: the other side speaks version \(version), this one up to \(SyncMessage.version). Update waymark."
    case .fork(let session):
      "Could not synchronise: two databases went on with the session \(session). Synchronise again."
    case .otherContent(let uuid):
      "Could not synchronise: \(uuid) is not the same here and on the other side. Nothing was changed. Look whether somebody "
        + "has edited one of the two databases."
    case .contradictory(let detail):
      "Could not synchronise: what the other side tells contradicts itself, or what is here: \(detail). Please report this."
    case .tooLarge(let bytes):
      "Could not synchronise: one thing that happened takes \(bytes) bytes, more than a message may. Please report this."
    case .eventTooLarge(let uuid, let bytes):
      "Could not synchronise: \(uuid), which was done here, takes \(bytes) bytes; at most \(NavigationService.longestEvent) go "
        + "to a server. Nothing that comes with it went. Erase it with 'waymark history erase --since', and synchronise again."
    case .unknownWords:
      "Could not take what the other side has: it tells of something that this version does not know. What was done here is "
        + "there. Update waymark."
    case .unexpectedAnswer:
      "Could not synchronise: the other side answered something else than it was asked. Look whether it is a Waymark server."
    }
  }
}

import LearningModel

/// The part of a session that was not merged because the session is open in this database.
public struct SkippedSession: Hashable, Sendable {
  /// The session in this database.
  public var record: SessionRecord
  /// The number of steps that are missing here.
  public var steps: Int
  /// The number of activity events that are missing here.
  public var activities: Int
  /// Whether both databases continued the session.
  public var isForked: Bool
}

extension StoreSnapshot {
  /// Returns the part of an open session that only a record has, or `nil` if the record has no more of it.
  func skipped(_ known: SessionRecord, of record: LearnerRecord) throws -> SkippedSession? {
    let uuid = known.session.uuid
    let lengths = try lengths(of: known.session.id)
    let steps = record.steps.filter { $0.session == uuid }.map { (sequence: $0.sequence, uuid: $0.uuid) }
    let acts = record.activities.filter { $0.session == uuid }.enumerated().map { index, act in
      (sequence: act.sequence ?? index + 1, uuid: act.uuid)
    }
    var skipped = SkippedSession(
      record: known, steps: steps.count { $0.sequence > lengths.steps },
      activities: acts.count { $0.sequence > lengths.acts }, isForked: false)
    // Numbers have no gaps, so both logs agree up to the last common number if they agree there.
    let lastStep = steps.last { $0.sequence <= lengths.steps }
    let lastAct = acts.last { $0.sequence <= lengths.acts }
    if try lastStep.map({ try value(Self.stepNameText, known.session.id, $0.sequence) != $0.uuid }) ?? false
      || lastAct.map({ try value(Self.actNameText, known.session.id, $0.sequence) != $0.uuid }) ?? false
    {
      skipped.isForked = true
      let names = try names(inSession: uuid)
      let (stepsHere, actsHere) = (Set(names?.steps ?? []), Set(names?.acts ?? []))
      skipped.steps = steps.count { !stepsHere.contains($0.uuid) }
      skipped.activities = acts.count { !actsHere.contains($0.uuid) }
    }
    return skipped.steps > 0 || skipped.activities > 0 ? skipped : nil
  }

  private static let stepNameText = StatementText("SELECT uuid FROM navigationEvent WHERE session = ? AND sequence = ?")
  private static let actNameText = StatementText("SELECT uuid FROM activityEvent WHERE session = ? AND sequence = ?")
}

import LearningModel

/// Why a hub on PostgreSQL could not be asked.
enum HubError: ExplainedError, Hashable {
  /// The text is not an address of PostgreSQL. It is not part of the error, since it may hold a password.
  case unusableAddress(reason: String)
  /// The tenant's name cannot be one.
  case unusableTenant(String)
  /// The server does not answer, or is not the one that takes changes.
  case unreachable(host: String, reason: String)
  /// The disk of the server is full.
  case diskFull(host: String, reason: String)
  /// The tables are not there, or those of another version.
  case notMigrated(host: String)
  /// What was migrated before differs from what this program would have run.
  case otherMigration(name: String)
  /// Other transactions held a table for too long.
  case locked(name: String, attempts: Int)
  /// So many databases cannot share the learners.
  case unusableShardCount(Int)
  /// The learners are distributed over another number of databases.
  case otherShards(known: Int, named: Int)
  /// It passes on what it is asked, and the databases to which are not named.
  case shardsNotNamed
  /// No class has that name.
  case unknownClass(String)
  /// No learner of that name is in the class.
  case notInClass(learner: String, className: String)
  /// No course has that path.
  case unknownCourse(String)
  /// Both hubs went on with a session of a learner.
  case movedApart(learner: String)
  /// A hub was to be moved onto itself.
  case movedOntoItself(String)
  /// PostgreSQL refused something that it should not.
  case failed(host: String, state: String, reason: String)

  /// Of which kind it is.
  var kind: FailureKind {
    switch self {
    case .unusableAddress, .unusableTenant, .unusableShardCount, .otherShards, .shardsNotNamed, .movedApart,
      .movedOntoItself:
      .refused
    case .unknownClass, .notInClass, .unknownCourse: .notFound
    case .unreachable: .unavailable
    case .notMigrated, .otherMigration: .badData
    case .locked: .tryAgain
    case .failed, .diskFull: .inputOutput
    }
  }

  /// What was found and what to do next.
  var description: String {
    switch self {
    case .unusableAddress(let reason):
      "Could not use the address of a hub: \(reason). Write it as postgres://waymark@127.0.0.1/waymark, with special "
        + "characters of a password percent-encoded, such as %40 for @; it is not shown here, since it may hold one."
    case .unusableTenant(let text):
      "Could not use '\(text)' as a tenant: it has other signs than a to z, 0 to 9 and hyphens, or more than 40. "
        + "Choose another name with --tenant."
    case .unreachable(let host, let reason):
      "Could not reach PostgreSQL at '\(host)': \(reason). Look whether it runs, and whether the address is right."
    case .diskFull(let host, let reason):
      "Could not write to PostgreSQL at '\(host)': \(reason). Make room on its disk."
    case .notMigrated(let host):
      "Could not use PostgreSQL at '\(host)': it does not have the tables of this version. "
        + "Run 'waymark-server migrate' with the same address."
    case .otherMigration(let name):
      "Could not migrate: '\(name)' was run with other statements. Use the version of Waymark that ran it, or a later one."
    case .locked(let name, let attempts):
      "Could not migrate '\(name)': other transactions held a table at each of \(attempts) attempts. "
        + "Nothing of it was changed; run it again when less is done."
    case .unusableShardCount(let count):
      "Could not distribute learners over \(count) databases: PL/Proxy takes 2, 4, 8 or another power of two. "
        + "Name so many with --shard."
    case .otherShards(let known, let named):
      "Could not distribute learners over \(named) databases: they are distributed over \(known), and would not be found. "
        + "Name as many with --shard, in the same order."
    case .shardsNotNamed:
      "Could not migrate: this database passes on what it is asked. "
        + "Name the databases that have the learners with --shard, in the order in which they were named first."
    case .unknownClass(let name):
      "Could not find the class '\(name)': there is none of that name. See them with 'waymark-server class list'."
    case .notInClass(let learner, let className):
      "Could not take '\(learner)' out of the class '\(className)': they are not in it. "
        + "See who is with 'waymark-server class list'."
    case .unknownCourse(let path):
      "Could not report on '\(path)': no course has that path, or no learner of this hub has been in it. "
        + "Give a course by its path, such as english-for-business."
    case .movedApart(let learner):
      "Could not move '\(learner)': they went on with a session on both hubs. Have one of their databases synchronise with "
        + "the hub that was to be moved, then with the other one."
    case .movedOntoItself(let hub):
      "Could not move '\(hub)': it is both where learners come from and where they go to. Name two hubs."
    case .failed(let host, let state, let reason):
      "Could not ask PostgreSQL at '\(host)': \(reason) (\(state)). Look into its log."
    }
  }
}

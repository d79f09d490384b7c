import LearningModel

/// An error of a hub, mostly of one on PostgreSQL.
enum HubError: ExplainedError, Hashable {
  /// The text is not an address of PostgreSQL. The error does not contain the text, since it may have a password.
  case unusableAddress(reason: String)
  /// The name contains characters that a tenant must not have, or is too long.
  case unusableTenant(String)
  /// The server does not answer, or is read-only.
  case unreachable(host: String, reason: String)
  case diskFull(host: String, reason: String)
  /// The tables are missing, or belong to another version.
  case notMigrated(host: String)
  /// An applied migration differs from the migration of the same name in this program.
  case otherMigration(name: String)
  /// Other transactions held a lock on a table at each attempt.
  case locked(name: String, attempts: Int)
  /// The number of databases is not a power of two.
  case unusableShardCount(Int)
  /// The learners are already distributed over another number of databases.
  case otherShards(known: Int, named: Int)
  /// The database is a proxy, and its shards are not named.
  case shardsNotNamed
  case unknownClass(String)
  case notInClass(learner: String, className: String)
  case unknownCourse(String)
  /// A session of the learner was continued on both hubs.
  case movedApart(learner: String)
  case movedOntoItself(String)
  /// PostgreSQL reported an unexpected error.
  case failed(host: String, state: String, reason: String)

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

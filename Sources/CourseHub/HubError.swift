package import LearningModel

/// Why a hub on PostgreSQL could not be asked.
package enum HubError: ExplainedError, Hashable {
  /// The address is none of PostgreSQL's.
  case unusableAddress(String)
  /// The tenant's name cannot be one.
  case unusableTenant(String)
  /// The server does not answer, or is not the one that takes changes.
  case unreachable(host: String, reason: String)
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
  /// PostgreSQL refused something that it should not.
  case failed(host: String, state: String, reason: String)

  /// Of which kind it is.
  package var kind: FailureKind {
    switch self {
    case .unusableAddress, .unusableTenant, .unusableShardCount, .otherShards, .shardsNotNamed: .refused
    case .unreachable: .unavailable
    case .notMigrated, .otherMigration: .badData
    case .locked: .tryAgain
    case .failed: .inputOutput
    }
  }

  /// What was found and what to do next.
  package var description: String {
    switch self {
    case .unusableAddress(let text):
      "Could not use '\(text)' as a hub: it does not begin with postgres://. "
        + "Write it as postgres://waymark@127.0.0.1/waymark."
    case .unusableTenant(let text):
      "Could not use '\(text)' as a tenant: it has other signs than a to z, 0 to 9 and hyphens, or more than 40. "
        + "Choose another name with --tenant."
    case .unreachable(let host, let reason):
      "Could not reach PostgreSQL at '\(host)': \(reason). Look whether it runs, and whether the address is right."
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
    case .failed(let host, let state, let reason):
      "Could not ask PostgreSQL at '\(host)': \(reason) (\(state)). Look into its log."
    }
  }
}

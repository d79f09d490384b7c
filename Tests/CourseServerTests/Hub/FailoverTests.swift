import Foundation
import TestSupport
import Testing

/// Failures of machines in a Patroni cluster while leaf databases push.
@Suite(.enabled(if: Tier.isLong, "a long campaign"), .enabled(if: MachineCluster.missing == nil, "Patroni's machines"))
struct FailoverTests {
  @Test func `acknowledged events survive the failure of any machine, and writes resume`() throws {
    let machines = try MachineCluster(.patroni)
    let hub = try ClusteredHub(machines, at: "10.77.0.1,10.77.0.2,10.77.0.3")
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(20)
    #expect(try hub.sync(leaf).count("sent", "steps") == 21)
    let load = try hub.push(learners: 8, goal: 125_000)
    defer { load.end() }
    var waits: [String: Double] = [:]
    try load.wait(forMore: 10)

    // The leader loses power while it writes. It returns as a replica.
    let first = try machines.leader()
    try machines.tell("kill", first)
    waits["killed"] = try load.wait()
    #expect(try machines.leader() != first)
    try machines.tell("start", first)
    waits["healthy after the kill"] = try machines.waitUntilHealthy()

    // The leader is isolated. It considers itself the leader for a while, but has no followers.
    let second = try machines.leader()
    try machines.tell("cut", second)
    waits["cut off"] = try load.wait()
    #expect(try machines.leader() != second)
    try machines.tell("heal", second)
    waits["healthy after the cut"] = try machines.waitUntilHealthy()
    try load.wait()

    // The server is killed and another one is started.
    try hub.home.stop(SIGKILL)
    try hub.home.serve(hub.store + ["--port", String(hub.port)])
    waits["server killed"] = try load.wait()

    // All machines fail. The leaf keeps its events and delivers them later.
    #expect(load.acknowledged.allSatisfy { $0 < 125_000 })
    for name in ["n1", "n2", "n3"] { try machines.tell("kill", name) }
    try leaf.walk(4)
    let away = try hub.sync(leaf)
    for name in ["n1", "n2", "n3"] { try machines.tell("start", name) }
    waits["all killed"] = try load.wait()
    waits["healthy after all were killed"] = try machines.waitUntilHealthy()
    let back = try hub.sync(leaf)

    load.finish(within: 1_200)
    // A replica is created again from a copy.
    let replica = try machines.leader() == "n1" ? "n2" : "n1"
    #expect(try machines.tell("reinit", replica).contains("reinitialize"))
    waits["healthy after the reinit"] = try machines.waitUntilHealthy()

    print("Seconds: \(waits). Refused: \(load.refused). Steps: \(load.acknowledged.reduce(0, +)).")
    #expect(load.acknowledged == Array(repeating: 125_000, count: 8))
    try hub.expectExactly(load.acknowledged)
    for fault in ["killed", "cut off", "server killed"] {
      #expect(waits[fault, default: .infinity] <= 35, "\(fault): \(waits)")
    }
    #expect(away.code == 69 && away.errors.contains("Your changes are saved in this database."), "\(away)")
    #expect(back.code == 0 && (4...6).contains(back.count("sent", "steps") ?? 0), "\(back)")
  }
}

/// A hub in front of a cluster of machines, in their network.
struct ClusteredHub {
  let home: ServerFixture
  let machines: MachineCluster
  let address: String
  /// The options that select the store for the server's commands.
  let store: [String]
  let port: Int
  private let token: String

  /// Creates the tables and starts the server.
  ///
  /// - Parameter hosts: The hosts that may accept writes, separated by commas.
  init(_ machines: MachineCluster, at hosts: String, migrating more: [String] = []) throws {
    home = try ServerFixture(within: machines.network)
    self.machines = machines
    address = "postgres://waymark@\(hosts)/postgres"
    store = ["--hub", address]
    let migration = try home.run(ServerFixture.path("waymark-server"), ["migrate", address] + more)
    guard migration.code == 0 else { throw ServerFixture.Unexpected(answer: migration) }
    token = try Self.token(home, store, "ada")
    try home.serve(store)
    port = home.port
  }

  private static func token(_ home: ServerFixture, _ store: [String], _ name: String) throws -> String {
    let answer = try home.run(ServerFixture.path("waymark-server"), ["tokens", "add", name] + store)
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    return answer.output.trimmingCharacters(in: .newlines)
  }

  /// Synchronises a leaf.
  func sync(_ leaf: LeafDatabase) throws -> ServerFixture.Answer {
    try leaf.sync("--join", "--token", input: token + "\n")
  }

  /// Starts learners who push events.
  func push(learners: Int, goal: Int) throws -> PushLoad {
    let tokens = try (0..<learners).map { try Self.token(home, store, "learner-\($0)") }
    return PushLoad(tokens, port: port, goal: goal) { [machines] in try machines.join() }
  }

  /// Runs a query with psql. Returns a line for each row, with tabs between the columns.
  func query(_ sql: String, at host: String? = nil) throws -> String {
    let address = host.map { "postgres://waymark@\($0)/postgres" } ?? "\(address)?target_session_attrs=read-write"
    let answer = try home.run(
      "/usr/bin/psql", ["-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql])
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    return answer.output
  }

  /// Expects that the learners of a load have exactly the acknowledged events, without gaps or duplicates.
  func expectExactly(_ acknowledged: [Int], at hosts: [String?] = [nil]) throws {
    let rows = try hosts.flatMap { host in
      try query(
        """
        SELECT name, count(*), count(DISTINCT uuid), min(number), max(number)
        FROM waymark.event JOIN waymark.learner USING (tenant, learner) WHERE name LIKE 'learner-%' GROUP BY name
        """, at: host
      ).split(separator: "\n").map(String.init)
    }
    let expected = acknowledged.enumerated().map { "learner-\($0)\t\($1)\t\($1)\t1\t\($1)" }
    #expect(rows.sorted() == expected.sorted())
  }
}

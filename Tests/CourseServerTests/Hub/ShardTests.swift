import Foundation
import TestSupport
import Testing

/// A proxy with two shards.
struct ShardTests {
  @Test(
    .enabled(if: Tier.isLong, "a long campaign"), .enabled(if: MachineCluster.missing == nil, "machines of one's own"))
  func `a shard that is down affects only its own learners, and no data is lost`() throws {
    let machines = try MachineCluster(.shards)
    let shards = ["10.77.0.2", "10.77.0.3"]
    let hub = try ClusteredHub(
      machines, at: "10.77.0.1", migrating: shards.flatMap { ["--shard", "postgres://waymark@\($0)/postgres"] })
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(20)
    #expect(try hub.sync(leaf).count("sent", "steps") == 21)
    let load = try hub.push(learners: 16, goal: 20_000)
    defer { load.end() }
    let names = try shards.map {
      try hub.query("SELECT name FROM waymark.learner WHERE name LIKE 'learner-%'", at: $0).split(separator: "\n")
    }
    let others = names[1].compactMap { Int($0.dropFirst("learner-".count)) }
    try load.wait(forMore: 4)

    try machines.tell("kill", "s0")
    let waited = try load.wait(forMore: 4, of: others)
    let stopped = load.acknowledged
    try load.wait(forMore: 4, of: others)
    let acknowledged = load.acknowledged
    let ready = try hub.home.run("/usr/bin/curl", ["-s", "http://127.0.0.1:\(hub.port)/ready", "-w", "%{http_code}"])
    try machines.tell("start", "s0")
    let resumed = try load.wait()
    load.finish(within: 900)

    print("Seconds: \(waited), \(resumed). Refused: \(load.refused). Steps: \(load.acknowledged.reduce(0, +)).")
    #expect(names.allSatisfy { !$0.isEmpty } && names.joined().count == 16)
    for learner in acknowledged.indices where !others.contains(learner) {
      #expect(stopped[learner] == acknowledged[learner])
    }
    #expect(ready.output.hasSuffix("200"), "\(ready)")
    #expect(resumed <= 35)
    #expect(load.acknowledged == Array(repeating: 20_000, count: 16))
    try hub.expectExactly(load.acknowledged, at: shards)
    #expect(try hub.query("SELECT count(*) FROM waymark.event", at: "10.77.0.1") == "0\n")
    #expect(try hub.sync(leaf).code == 0)
  }

  @Test(.enabled(if: Tier.isLong, "PL/Proxy is there for long runs only"))
  func `a proxy keeps its number of shards and refuses a plain migration`() throws {
    let home = try ServerFixture()
    let server = try PostgresServer.shared.get()
    let program = ServerFixture.path("waymark-server")
    let proxy = try server.proxy(in: home)
    let four = try (0..<4).flatMap { _ in ["--shard", try server.database(in: home)] }

    let again = try home.run(program, ["migrate", proxy])
    let more = try home.run(program, ["migrate", proxy] + four)

    #expect(again.code == 1 && again.errors.contains("Could not migrate: this database forwards requests to others."))
    #expect(more.code == 1 && more.errors.contains("over 4 databases: they are already distributed over 2"), "\(more)")
  }

  @Test func `a number of shards that is not a power of two is refused`() throws {
    let home = try ServerFixture()
    let address = try PostgresServer.shared.get().database(in: home)

    let answer = try home.run(
      ServerFixture.path("waymark-server"), ["migrate", address] + Array(repeating: "--shard=\(address)", count: 3))

    #expect(
      answer.code == 1
        && answer.errors.contains("over 3 databases: PL/Proxy requires a power of two, such as 2, 4 or 8"), "\(answer)")
  }
}

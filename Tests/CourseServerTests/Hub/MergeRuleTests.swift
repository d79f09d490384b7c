@testable import waymark_server
import Foundation
import LearningModel
import LearningStore
@testable import NavigationKit
import TestSupport
import Testing

/// The rules of merging: the same messages to a hub on SQLite and to a hub on PostgreSQL.
struct MergeRuleTests {
  private static let account = LearnerAccount(
    uuid: "10000000-0000-4000-8000-000000000000", name: "ada", createdAt: Timestamp("2026-11-20T08:00:00Z")!)

  @Test func `random messages have the same answers and the same effect on both stores`() throws {
    var outcomes: Set<String> = []
    for seed in Tier.seeds([1, 2, 3, 4], long: 1..<101) {
      var messages = RandomMessages(of: Self.account.uuid, seed: seed)
      let hub = try ClockedHub(.sqlite, at: "2026-11-20T12:00:00Z")
      let stores: [any HubStore] = [hub.store, try hub.postgresHub()]
      for store in stores { _ = try store.add(Self.account) }

      for number in 0..<60 {
        let message = try messages.next()
        let answers = stores.map { answer(of: $0, to: message, at: hub.clock.now) }
        #expect(answers[0] == answers[1], "seed \(seed), message \(number)")
        outcomes.insert(String(answers[0].prefix { $0 != " " }))
        let rows = try stores.map { try $0.rows(of: ["ada"], at: hub.clock.now) }
        #expect(rows[0] == rows[1], "seed \(seed), message \(number): \(answers[0])")
        guard rows[0] == rows[1], answers[0] == answers[1] else { return }
      }
    }
    #expect(outcomes == ["acknowledged", "contradictory", "fork", "limited", "otherContent"])
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `both stores learn the other key and the new title of a place, whichever message arrives first`(
    order: [Int]
  ) throws {
    let hub = try ClockedHub(.sqlite, at: "2026-11-20T12:00:00Z")
    let stores: [any HubStore] = [hub.store, try hub.postgresHub()]
    var messages = RandomMessages(of: Self.account.uuid, seed: 1)
    var records = try (0...1).map { try messages.record(ofSession: $0, steps: 4, activityEvents: 3) }
    (records[1].nodes[4].title, records[1].nodes[4].sourceKey) = ("Renamed activity", "b1")

    let nodes = try stores.map { store in
      _ = try store.add(Self.account)
      for number in order {
        _ = answer(of: store, to: .push(SyncMessage.PushPayload(record: records[number])), at: hub.clock.now)
      }
      return try store.rows(of: ["ada"], at: hub.clock.now).filter { $0.hasPrefix("nodes ") && $0.contains("c/l") }
    }

    let expected = (0..<4).map { number in
      let title = number == 1 ? #""sourceKey":"b1","title":"Renamed activity"}"# : #""title":"Activity \#(number)"}"#
      return #"nodes {"course":"c","key":"a\#(number)","kind":"activity","parent":"c/l","slug":"a\#(number)","# + title
    }
    #expect(nodes == [expected, expected])
  }

  /// A change of a message that breaks a rule.
  typealias Contradiction = (rule: String, change: @Sendable (inout LearnerRecord) -> Void)

  /// A contradiction for each rule that a message fulfils by itself.
  static let contradictions: [Contradiction] = [
    ("a UUID does not have 36 characters", { $0.activities[0].uuid = "1" }),
    ("a session has no name, no database, or impossible times", { $0.sessions[0].replica = "" }),
    ("a session has no name, no database, or impossible times", { $0.sessions[0].activeMs = .max }),
    ("the numbers of events have a gap", { $0.steps.remove(at: 1) }),
    ("the numbers of events have a gap", { ($0.steps[2].sequence, $0.steps[3].sequence) = (.max, .max) }),
    ("a step does not begin where the previous one ended", { $0.steps[1].from = $0.steps[1].to }),
    ("a visit before another one has no end", { ($0.steps[0].leftAt, $0.steps[0].activeMs) = (nil, nil) }),
    ("a visit has an impossible end or duration", { $0.steps[0].activeMs = 1 << 40 }),
    ("a first step has a previous place, or another one has none", { $0.steps[1].transition = nil }),
    ("a place has a node that its kind excludes, or lacks one", { $0.steps[3].to.node = nil }),
    ("a stack does not end in the place of its step", { $0.steps[0].stack = [0] }),
    ("a transition contradicts its kind", { $0.steps[1].transition?.reason = .noMatch }),
    ("a step returns to a later visit, or is not a step back or forward", { $0.steps[1].returnsTo = 1 }),
    ("a revision is not positive", { $0.steps[0].courseRevision = 0 }),
    ("an activity event has an impossible score or order", { $0.activities[0].orderedAt = -1 }),
    ("a reading position or a quiz is impossible", { $0.positions[0].block = -1 }),
  ]

  /// Changes of a message after its first two steps and its first activity event were stored, with the answers.
  static let laterMessages: [(answer: String, change: @Sendable (inout LearnerRecord) -> Void)] = [
    ("acknowledged", { _ in }),
    ("contradictory", { $0.steps.removeFirst(3) }),
    ("contradictory", { $0.activities.removeFirst(2) }),
    (
      "contradictory",
      { record in
        record.steps.removeFirst(2)
        record.steps[0].from?.node = 4
      }
    ),
    ("otherContent", { $0.steps[1].operation = .select }),
    ("otherContent", { $0.activities[0].orderedAt += 1 }),
    ("fork", { $0.steps[1].uuid = RandomIdentifier.make() }),
    (
      "fork",
      { record in
        // Another session contains an event of this one.
        record.sessions[0].uuid = RandomIdentifier.make()
        for index in record.steps.indices { record.steps[index].session = record.sessions[0].uuid }
        record.steps[0].uuid = RandomIdentifier.make()
        record.activities = []
      }
    ),
  ]

  private static func validRecord() throws -> LearnerRecord {
    var messages = RandomMessages(of: account.uuid, seed: 1)
    return try messages.record(ofSession: 0, steps: 4, activityEvents: 3)
  }

  @Test func `both stores refuse a message that breaks any of the rules`() throws {
    let hub = try ClockedHub(.sqlite, at: "2026-11-20T12:00:00Z")
    let stores: [any HubStore] = [hub.store, try hub.postgresHub()]
    for store in stores { _ = try store.add(Self.account) }
    let valid = try Self.validRecord()
    #expect(RecordRule.broken(by: valid) == nil)

    for contradiction in Self.contradictions {
      var record = valid
      contradiction.change(&record)
      #expect(RecordRule.broken(by: record)?.contradiction == contradiction.rule)
      let message = SyncMessage.push(SyncMessage.PushPayload(record: record))
      #expect(stores.map { answer(of: $0, to: message, at: hub.clock.now) } == ["contradictory", "contradictory"])
    }
    #expect(Set(Self.contradictions.map(\.rule)) == Set(RecordRule.all.map(\.contradiction)))
    #expect(try stores.map { try $0.rows(of: ["ada"], at: hub.clock.now).count { $0.hasPrefix("steps ") } } == [0, 0])
  }

  @Test(arguments: laterMessages.indices)
  func `both stores answer a message that continues a session in the same way`(index: Int) throws {
    let hub = try ClockedHub(.sqlite, at: "2026-11-20T12:00:00Z")
    let stores: [any HubStore] = [hub.store, try hub.postgresHub()]
    var (first, second) = (try Self.validRecord(), try Self.validRecord())
    first.steps.removeLast(2)
    first.activities.removeLast(2)
    Self.laterMessages[index].change(&second)

    let answers = try stores.map { store in
      _ = try store.add(Self.account)
      return [first, second].map {
        answer(of: store, to: .push(SyncMessage.PushPayload(record: $0)), at: hub.clock.now)
      }
    }

    #expect(answers[0] == answers[1])
    #expect(answers[0][0].hasPrefix("acknowledged") && answers[0][1].hasPrefix(Self.laterMessages[index].answer))
  }

  /// Returns a description of an answer or an error, without what depends on the store.
  private func answer(of store: any HubStore, to message: SyncMessage, at now: Timestamp) -> String {
    do {
      switch try store.answer(message, about: store.name(of: Self.account), by: nil, at: now) {
      case .acknowledged(let merged):
        let versions = merged.sessions?.map { "\($0)" }.sorted() ?? []
        let limited = merged.limited.map { "\($0)" }.sorted()
        return (limited.isEmpty ? "acknowledged " : "limited ") + (versions + limited).joined(separator: ", ")
      case .fork(let session): return "fork \(session)"
      case let other: return "\(other)"
      }
    } catch SyncError.otherContent(let uuid) {
      return "otherContent \(uuid)"
    } catch SyncError.contradictory {
      return "contradictory"
    } catch {
      return "\(error)"
    }
  }
}

/// Messages with random parts of three sessions, of which some contradict earlier ones, and with random facts and erasures.
private struct RandomMessages {
  private let learner: String
  private var random: SplitMix64
  /// The sessions of which a part was erased.
  private var cutSessions: Set<Int> = []

  init(of learner: String, seed: UInt64) {
    self.learner = learner
    random = SplitMix64(seed: seed)
  }

  /// Returns a part of a learner's record without facts, with visits that have all ended.
  mutating func record(ofSession session: Int, steps: Int, activityEvents: Int) throws -> LearnerRecord {
    var list = step(session, upTo: steps)
    while list[steps - 1]["leftAt"] == nil { list = step(session, upTo: steps) }
    let record: [String: Any] = [
      "uuid": learner, "name": "ada", "createdAt": Self.time(0), "nodes": Self.nodes(),
      "sessions": [row(session, steps)],
      "steps": list, "activities": (1...activityEvents).map { act(session, $0) },
      "erased": ["sessions": [Any](), "spans": [Any]()], "bookmarks": [Any](),
      "positions": [["node": 3, "block": 1, "blockOffset": 0, "fraction": 0.5, "savedAt": Self.time(0)]],
      "quizzes": [Any](),
      "passages": [Any](), "changes": [Any](), "settings": [String: String](),
    ]
    return try SyncCoding.value(LearnerRecord.self, from: JSONSerialization.data(withJSONObject: record))
  }

  private func row(_ session: Int, _ steps: Int) -> [String: Any] {
    [
      "uuid": Self.uuid(session, 0, 0), "name": "shell", "timeZone": "GMT", "startedAt": Self.time(60 * session),
      "lastInputAt": Self.time(60 * session + steps, seconds: 40), "activeMs": 1000 * steps, "replica": "desk",
    ]
  }

  private static func nodes(renamed isRenamed: Bool = false) -> [[String: Any]] {
    var nodes: [[String: Any]] =
      [
        ["course": "c", "key": "c", "kind": "course", "slug": "c", "title": "Course"],
        ["course": "c", "key": "g", "kind": "goal", "parent": 0, "slug": "g", "title": "Goal"],
        ["course": "c", "key": "l", "kind": "lesson", "parent": 1, "slug": "l", "title": "Lesson"],
      ]
      + (0..<4).map {
        ["course": "c", "key": "a\($0)", "kind": "activity", "parent": 2, "slug": "a\($0)", "title": "Activity \($0)"]
      }
    if isRenamed { nodes[4].merge(["title": "Renamed activity", "sourceKey": "b1"]) { $1 } }
    return nodes
  }

  /// Returns a time on the day of the messages.
  private static func time(_ minutes: Int, seconds: Int = 0) -> String {
    Timestamp("2026-11-20T09:00:00Z")!.advanced(byMilliseconds: Int64(minutes * 60 + seconds) * 1000).description
  }

  private static func uuid(_ session: Int, _ log: Int, _ number: Int) -> String {
    "2000000\(session)-0000-4000-8\(log)00-\(String(1_000_000_000_000 + number).dropFirst())"
  }

  mutating func next() throws -> SyncMessage {
    let session = random.below(3)
    var steps = step(session, upTo: 1 + random.below(8))
    var acts = (1...(1 + random.below(5))).map { act(session, $0) }
    if random.oneIn(4) { acts = [] }
    var row = row(session, steps.count)
    if steps.last?["leftAt"] != nil, random.oneIn(6) { row["endedAt"] = steps.last?["leftAt"] }
    var erased: [String: Any] = ["sessions": [Any](), "spans": [Any]()]
    if random.oneIn(15) {
      cutSessions.insert(session)
      erased["sessions"] = [
        ["session": Self.uuid(session, 0, 0), "step": 1 + random.below(9), "act": 1 + random.below(6)]
      ]
    }
    if random.oneIn(15) { erased["spans"] = [["since": Self.time(10), "until": Self.time(20 + random.below(30))]] }
    // At most one contradiction, which both stores find first.
    switch random.below(20) {
    case 0: steps[random.below(steps.count)]["uuid"] = Self.uuid(session, 3, random.below(1000))
    case 1: steps[random.below(steps.count)]["operation"] = "jump"
    case 2 where !acts.isEmpty:
      acts[random.below(acts.count)]["orderedAt"] = 77
      steps = [steps[0]]
    case 3 where !cutSessions.contains(session): steps[0]["to"] = ["kind": "activity", "node": 99]
    case 4 where !cutSessions.contains(session): steps.remove(at: random.below(steps.count))
    default: break
    }
    var record: [String: Any] = [
      "uuid": learner, "name": "ada", "createdAt": Self.time(0), "sessions": [row],
      "nodes": Self.nodes(renamed: random.oneIn(10)),
      "steps": steps, "activities": acts, "erased": erased,
    ]
    record.merge(facts()) { $1 }
    let message: [String: Any] = ["push": ["record": record], "version": SyncMessage.version]
    return try SyncCoding.value(SyncMessage.self, from: JSONSerialization.data(withJSONObject: message))
  }

  /// Returns the first visits of a session. The last one may be open.
  private mutating func step(_ session: Int, upTo count: Int) -> [[String: Any]] {
    let isOpen = random.oneIn(2)
    return (1...count).map { number in
      let node = 3 + number % 4
      var step: [String: Any] = [
        "uuid": Self.uuid(session, 1, number), "session": Self.uuid(session, 0, 0), "sequence": number,
        "operation": "open", "animated": false, "cause": "api", "to": ["kind": "activity", "node": node],
        "stack": [0, 1, 2, node], "at": Self.time(60 * session + number), "courseRevision": 1,
      ]
      if number > 1 {
        step["from"] = ["kind": "activity", "node": 3 + (number - 1) % 4]
        step["transition"] = ["kind": "activityCard", "direction": "down", "reason": "matched", "node": node]
      }
      if number < count || !isOpen {
        step["leftAt"] = Self.time(60 * session + number, seconds: 30)
        step["activeMs"] = 20_000
      }
      return step
    }
  }

  private func act(_ session: Int, _ number: Int) -> [String: Any] {
    [
      "uuid": Self.uuid(session, 2, number), "session": Self.uuid(session, 0, 0), "sequence": number,
      "node": 3 + number % 4, "kind": "seenToEnd", "at": Self.time(60 * session + number, seconds: 10),
      "orderedAt": 1000 * (1 + session) + number,
    ]
  }

  private mutating func facts() -> [String: Any] {
    var lists: [String: [[String: Any]]] = [
      "bookmarks": [], "positions": [], "quizzes": [], "passages": [], "others": [], "changes": [],
    ]
    var settings: [String: String] = [:]
    for kind in ["bookmark", "position", "quiz", "setting", "pace"] where random.oneIn(3) {
      // One of some times, of which the last one is later than a clock may be.
      let minutes = [10, 30, 50, 100_000][random.below(random.oneIn(4) ? 4 : 3)]
      let stamp = (Timestamp(Self.time(minutes))!.milliseconds << 16) + Int64(random.below(2))
      let (node, savedAt) = (3 + random.below(2), Self.time([10, 30, 50][random.below(3)]))
      var change: [String: Any] = ["kind": kind, "stamp": stamp, "replica": ["desk", "laptop"][random.below(2)]]
      change[kind == "setting" ? "name" : "node"] = kind == "setting" ? "tour" : node
      lists["changes"]?.append(change)
      guard !random.oneIn(4) else { continue }
      let value = random.below(9)
      switch kind {
      case "bookmark": lists["bookmarks"]?.append(["node": node, "createdAt": Self.time(value)])
      case "position":
        lists["positions"]?.append(
          ["node": node, "block": value, "blockOffset": 0.25, "fraction": 0.5, "savedAt": savedAt])
      case "quiz":
        lists["quizzes"]?.append(
          [
            "node": node, "questions": "q", "answers": "[[\(value)]]", "question": value, "isChecked": true,
            "savedAt": savedAt,
          ])
      case "pace": lists["others"]?.append(["kind": kind, "node": node, "value": "\(value)", "savedAt": savedAt])
      default: settings["tour"] = "\(value)"
      }
    }
    if random.oneIn(3) {
      let first = random.below(50)
      lists["passages"]?.append([
        "node": 3, "digest": "0123456789abcdef", "characters": "\(first)-\(first + 9) 60-\(61 + random.below(9))",
        "savedAt": Self.time([10, 30, 50][random.below(3)]),
      ])
    }
    var facts: [String: Any] = lists
    facts["settings"] = settings
    return facts
  }
}

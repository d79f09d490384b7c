import Dispatch
import GRDB
import TestSupport
import Testing

@testable import LearningStore

/// Tests short reads on the writing connection, and the numbering of database states.
struct WriterReadTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try write("CREATE TABLE scribble (words TEXT)")
  }

  @discardableResult
  private func write(_ sql: String) throws -> Int {
    try store.write { transaction in
      try transaction.database.execute(sql: sql)
      return transaction.state
    }
  }

  private func notes(_ snapshot: StoreSnapshot) throws -> [String] {
    try String.fetchAll(snapshot.database, sql: "SELECT words FROM scribble")
  }

  private func elsewhere(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func `a read on the writing connection sees one state, including earlier writes`() throws {
    try write("INSERT INTO scribble VALUES ('here')")
    let first = try store.readLatest { snapshot in
      let before = try notes(snapshot)
      try elsewhere("INSERT INTO scribble VALUES ('elsewhere')")
      return [before, try notes(snapshot)]
    }

    #expect(first == [["here"], ["here"]])
    #expect(try store.readLatest(notes) == ["here", "elsewhere"])
  }

  @Test func `a read during a write sees the previous state without waiting`() throws {
    let answer = try store.write { transaction in
      try transaction.database.execute(sql: "INSERT INTO scribble VALUES ('not yet')")
      // A screen reads on another thread during an import.
      return try DispatchQueue(label: "screen").sync { Result { try store.readLatest(notes) } }.get()
    }

    #expect(answer == [])
    #expect(try store.readLatest(notes) == ["not yet"])
  }

  @Test func `a failed read on the writing connection throws, and later writes succeed`() throws {
    #expect(throws: LearningDatabaseError.self) {
      try store.readLatest { _ = try Row.fetchAll($0.database, sql: "SELECT * FROM nothing") }
    }

    try write("INSERT INTO scribble VALUES ('after')")

    #expect(try store.readLatest(notes) == ["after"])
  }

  @Test func `state numbers are consecutive unless another program wrote or a write failed`() throws {
    let first = try write("INSERT INTO scribble VALUES ('1')")
    let next = try write("INSERT INTO scribble VALUES ('2')")
    _ = try store.readLatest(notes)
    let third = try write("INSERT INTO scribble VALUES ('3')")
    try elsewhere("INSERT INTO scribble VALUES ('4')")
    let afterOthers = try write("INSERT INTO scribble VALUES ('5')")
    try elsewhere("INSERT INTO scribble VALUES ('6')")
    _ = try store.readLatest(notes)
    let seenBefore = try write("INSERT INTO scribble VALUES ('7')")
    #expect(throws: LearningDatabaseError.self) { try write("INSERT INTO scribble VALUES ('8'); SELECT nothing") }
    let afterFailure = try write("INSERT INTO scribble VALUES ('9')")
    try store.outsideTransaction { try $0.execute(sql: "INSERT INTO scribble VALUES ('10')") }
    let afterOutside = try write("INSERT INTO scribble VALUES ('11')")

    #expect([next, third] == [first + 1, first + 2])
    #expect(afterOthers > third + 1 && seenBefore > afterOthers + 1)
    #expect(afterFailure > seenBefore + 1 && afterOutside > afterFailure + 1)
  }
}

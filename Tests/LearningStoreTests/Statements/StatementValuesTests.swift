import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests values bound to statements by reading them back from SQLite.
struct StatementValuesTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
  }

  private enum Texts {
    static let echo = StatementText("SELECT ?1, ?2, ?3, typeof(?1)")
    // Without sorting, so that SQLite reads the bound value again for each row.
    static let first = StatementText("SELECT value || ?1 FROM json_each('[1,2,3]')")
    static let second = StatementText("SELECT ?1 || ?2")
    static let make = StatementText("CREATE TEMP TABLE noted (number, text, real, missing)")
    static let note = StatementText("INSERT INTO noted VALUES (?, ?, ?, ?)")
    static let noted = StatementText("SELECT number, text, real, missing IS NULL FROM noted")
  }

  @Test(arguments: [0, 1, 15, 16, 2_000, 4_095, 4_096, 4_097, 100_000])
  func `several texts of any length are bound unchanged to one statement`(length: Int) throws {
    let long = String(repeating: "ü", count: length / 2) + (length.isMultiple(of: 2) ? "" : "x")
    let rows = try store.read { snapshot in
      try snapshot.all(Texts.echo, long, "short", long) { row -> [String] in [row[0], row[1], row[2], row[3]] }
    }
    #expect(long.utf8.count == length)
    #expect(rows == [[long, "short", long, "text"]])
  }

  @Test func `a statement that runs inside the rows of another keeps the bound values`() throws {
    let rows = try store.read { snapshot in
      try snapshot.all(Texts.first, "-outer") { row -> [String] in
        let inner: String? = try snapshot.value(Texts.second, "in", "ner")
        // The same statement inside its own rows.
        return [row[0], inner ?? "", try snapshot.value(Texts.first, "-again") ?? ""]
      }
    }
    #expect(rows == ["1", "2", "3"].map { ["\($0)-outer", "inner", "1-again"] })
  }

  @Test func `values added one by one are stored in the row`() throws {
    let rows = try store.write { transaction in
      try transaction.run(Texts.make)
      try transaction.run(Texts.note) { parameters in
        parameters.add(Int64.min)
        parameters.add("text")
        parameters.add(0.25)
        parameters.add(String?.none)
      }
      return try transaction.snapshot.all(Texts.noted) { row -> (Int64, String, Double, Bool) in
        (row[0], row[1], row[2], row[3])
      }
    }
    #expect(rows.count == 1)
    #expect(rows.allSatisfy { $0 == (.min, "text", 0.25, true) })
  }

  @Test func `the log stores a stack as a JSON array of identifiers`() throws {
    let ids: [Int64] = [1, 20, .max, .min, 0]
    for count in 0...ids.count {
      let text = StackText.write(ids.prefix(count).map { NodeID(rawValue: $0) })
      #expect(text == "[" + ids.prefix(count).map(String.init).joined(separator: ",") + "]")
    }
  }

  @Test(arguments: [[], [0, 255, 0], [UInt8](repeating: 7, count: 5_000)])
  func `bytes are bound and read unchanged`(bytes: [UInt8]) throws {
    let row = try store.read { snapshot in
      try snapshot.first("SELECT ?1, typeof(?1)", bytes) { row -> ([UInt8], String) in (row[0], row[1]) }
    }
    #expect(row?.0 == bytes)
    #expect(row?.1 == "blob")
  }

  @Test func `a type names its columns in the order in which it reads them`() throws {
    let row = try store.read { try $0.first("SELECT \(Sample.columns)", as: Sample.init) }
    #expect(Sample.columns == "7, 'pop', NULL, 'lesson', 1 > 2")
    #expect(row == Sample(number: 7, operation: .pop, missing: nil, kind: .lesson, isTrue: false))
  }

  @Test func `an unknown value of an enumeration is reported as damage`() throws {
    #expect(throws: LearningDatabaseError.self) {
      try store.read { try $0.first("SELECT 7, 'pop', NULL, 'chapter', 0", as: Sample.init) }
    }
  }

  private struct Sample: StoredRow, Equatable {
    static let columns = RowReader.columns(of: Self.self)

    let number: Int
    let operation: NavigationOperation?
    let missing: Timestamp?
    let kind: ContentKind?
    let isTrue: Bool

    init(number: Int, operation: NavigationOperation?, missing: Timestamp?, kind: ContentKind?, isTrue: Bool) {
      (self.number, self.operation, self.missing, self.kind, self.isTrue) = (number, operation, missing, kind, isTrue)
    }

    init(_ column: inout RowReader) throws {
      number = column("7")
      operation = column.word("'pop'")
      missing = column("NULL")
      kind = try column.enumeration("'lesson'")
      isTrue = column("1 > 2")
    }
  }
}

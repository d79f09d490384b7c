import Foundation
import NavigationKit
import Testing

@testable import waymark

struct HistoryFileTests {
  @Test(arguments: HistoryFile.Form.allCases)
  func `the reported count equals the number of rows or statements in the file`(form: HistoryFile.Form) throws {
    let home = try HomeFixture.withBundledCourse()
    let service = try NavigationService(databaseAt: home.database.path, learner: "ada")
    for goal in ["meetings", "negotiating", "writing"] {
      try service.perform(.open(.text("english-for-business/\(goal)")))
    }
    var bytes: [UInt8] = []

    let count = try HistoryFile(form: form, service: service, filter: HistoryFilter()).write { bytes += $0 }

    let text = String(decoding: bytes, as: UTF8.self)
    let rows =
      switch form {
      case .csv: text.lines.count - 1
      case .jsonl: text.lines.count
      case .xapi: (text.json as? [Any])?.count
      }
    #expect(rows == count)
    #expect(count > 1)
  }
}

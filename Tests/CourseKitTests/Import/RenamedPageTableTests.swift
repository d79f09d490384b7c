import Foundation
import LearningModel
import Testing

@testable import CourseKit

/// Tests the pages that seven public repositories renamed, removed and added within one and two years.
///
/// Two of them, git-novice and nomicon, renamed none. The table contains the real paths and titles of the others, the
/// share of equal text in per cent, and whether the pages continue each other, which was checked by reading them. The
/// texts of the test have the same shares.
struct RenamedPageTableTests {
  struct Row {
    let course: String
    let old: (path: String, title: String)
    let new: (path: String, title: String)
    let share: Int
    let evidence: String
  }

  static let rows: [Row] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "renamed-pages.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Row(
        course: cells[0], old: (cells[1], cells[2]), new: (cells[3], cells[4]), share: Int(cells[5]) ?? 0,
        evidence: cells[6])
    }
  }()

  /// Creates a course of pages, each with a text of about 100 words.
  private func draft(_ pages: [(path: String, title: String, text: String)], declared: [FormerAddress]) -> CourseDraft {
    var nodes = [DraftNode(parent: nil, key: "english", kind: .course, title: "English")]
    var contents: [Int: ActivityContent] = [:]
    var goals: [String: Int] = [:]
    for page in pages + [("kept", "Kept", RenamedPageKindsTests.text("kept 0-100"))] {
      let folder = page.0.split(separator: "/").dropLast().joined(separator: "/") + "/"
      if goals[folder] == nil {
        goals[folder] = nodes.count
        nodes.append(DraftNode(parent: 0, key: folder, kind: .goal, title: folder))
      }
      nodes.append(DraftNode(parent: goals[folder], key: page.0, kind: .lesson, title: page.1))
      nodes.append(
        DraftNode(parent: nodes.count - 1, key: page.0 + "#", kind: .activity, title: page.1, type: .reading))
      contents[nodes.count - 1] = .reading([.paragraph([.text(page.2)])])
    }
    var draft = CourseDraft(
      format: "outline", sourceName: "english", sourceDigest: "", language: "en", nodes: nodes,
      contents: ContentsInMemory(contents))
    draft.formerAddresses = declared
    return draft
  }

  @Test(arguments: Set(rows.map(\.course)).sorted())
  func `exactly the pages that continue each other are joined`(course: String) throws {
    let rows = Self.rows.filter { $0.course == course }.enumerated()
    let fixture = try LibraryFixture()
    let before = rows.compactMap { number, row in
      row.old.path.isEmpty
        ? nil : (row.old.path, row.old.title, RenamedPageKindsTests.text("old\(number)x 0-100"))
    }
    let after = rows.compactMap { number, row in
      row.new.path.isEmpty
        ? nil
        : (
          row.new.path, row.new.title,
          RenamedPageKindsTests.text("old\(number)x 0-\(row.share + 2) new\(number)x \(row.share)-100")
        )
    }
    let declared = rows.filter { $1.evidence == "declared" }.map { FormerAddress($1.old.path, of: $1.new.path) }
    try fixture.importDraft(draft(before, declared: []))

    let report = try fixture.importDraft(draft(after, declared: declared), ImportOptions(replaces: true))

    let joined = report.joined.filter { $0.kind == .lesson }.map { "\($0.key) > \($0.sourceKey)" }
    let expected = rows.filter { !$1.evidence.isEmpty }.map { "\($1.old.path) > \($1.new.path)" }
    #expect(!rows.isEmpty && joined.sorted() == expected.sorted())
  }
}

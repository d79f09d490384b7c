import CourseKit
import NavigationKit
import Testing

struct FormerLessonTests {
  private func course(_ children: String) -> [UInt8] {
    Array(#"{"waymark": 1, "course": {"key": "c", "title": "C", "children": [\#(children)]}}"#.utf8)
  }

  @Test func `visits in a former lesson are moved with the activity that it becomes`() throws {
    let fixture = try NavigationFixture()
    let library = try CourseLibrary(databaseAt: fixture.database)
    func edition(_ firstText: String, _ secondText: String) throws {
      let lessons = [("one", firstText), ("two", secondText)].map {
        #"{"key": "\#($0.0)", "title": "\#($0.0)", "children": [\#($0.1)]}"#
      }.joined(separator: ", ")
      try library.importCourse(
        named: "c.json", bytes: course(#"{"key": "g", "title": "G", "children": [\#(lessons)]}"#),
        options: ImportOptions(replaces: true))
    }
    func activity(_ key: String) -> String { #"{"key": "\#(key)", "title": "\#(key)", "reading": ["W."]}"# }
    try edition(
      #"{"key": "l", "title": "L", "children": [\#(activity("a"))]}, {"key": "k", "title": "K", "children": []}"#,
      #"{"key": "m", "title": "M", "children": []}"#)
    let ada = try fixture.service()
    try ada.perform(.open("c/g/one/l/a"))
    // A learner who is at a place when it is removed would be moved, which also counts as a visit. Therefore the
    // session is ended.
    try ada.endSession()

    try edition(activity("l"), activity("b"))
    try edition("", activity("l") + ", " + activity("b"))

    #expect(try ada.check() == [])
    #expect(try ada.history.page(HistoryFilter(under: "c/g/two")).rows.count == 1)
  }
}

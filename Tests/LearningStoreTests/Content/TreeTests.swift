import LearningModel
import TestSupport
import Snapshots
import Testing

@testable import LearningStore

struct TreeTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
  }

  @Test func `a subtree is in reading order, down to the requested depth`() throws {
    try store.read { snapshot in
      try expectSnapshot(snapshot.drawing())
      #expect(
        try snapshot.drawing(depth: 1) == """
          english
            meetings
            negotiating
          """)
      let closing = try snapshot.node(at: "english/meetings/lclosing")
      #expect(
        try snapshot.drawing(of: .node(closing.id), depth: 1) == """
          lclosing
            lnested
            farewell
          """)
      #expect(try snapshot.drawing(of: .node(closing.id), depth: 0) == "lclosing")
    }
  }

  @Test func `a node is read with all its values`() throws {
    let node = try store.read { try $0.node(at: "english/meetings/lclosing/farewell") }

    #expect(
      node
        == ContentNode(
          id: NodeID(rawValue: 9), course: NodeID(rawValue: 1), parent: NodeID(rawValue: 6), key: "farewell",
          kind: .activity, position: 1, slug: "farewell", title: "Farewell", summary: "", minutes: nil,
          removedInRevision: nil))
    #expect(try store.read { try $0.node(withKey: "farewell", inCourse: NodeID(rawValue: 1)) } == node)
    #expect(try store.read { try $0.node(NodeID(rawValue: 99)) } == nil)
  }

  @Test func `the ancestors of a node begin with its course and end with its parent`() throws {
    try store.read { snapshot in
      let minutes = try snapshot.node(at: "english/meetings/lclosing/lnested/minutes")

      #expect(try snapshot.ancestors(of: minutes.id).map(\.slug) == ["english", "meetings", "lclosing", "lnested"])
      #expect(try snapshot.ancestors(of: minutes.course).isEmpty)
      #expect(try snapshot.path(of: minutes.id).description == "english/meetings/lclosing/lnested/minutes")
      #expect(
        try snapshot.reference(to: .node(minutes.id))
          == PlaceReference(
            path: PlacePath("english/meetings/lclosing/lnested/minutes"), kind: .activity, title: "Minutes"))
      #expect(try snapshot.reference(to: .root) == .root)
    }
  }

  @Test func `children are returned in order, and the children of the root are courses`() throws {
    try CourseOutlines("spanish\n  hola").write(to: store, position: 1)

    try store.read { snapshot in
      let closing = try snapshot.node(at: "english/meetings/lclosing")
      #expect(try snapshot.children(of: .root).map(\.slug) == ["english", "spanish"])
      #expect(try snapshot.children(of: .node(closing.id)).map(\.slug) == ["lnested", "farewell"])
    }
  }

  @Test(arguments: [
    ("english/meetings/lopening/agenda", "english/meetings/lopening/greeting"),
    ("english/meetings/lopening/greeting", "english/meetings/lclosing/lnested/minutes"),
    ("english/meetings/lclosing/farewell", "english/negotiating/loffers/brief"),
    ("english/meetings/lopening", "english/meetings/lclosing"),
    ("english/meetings/lclosing", "english/negotiating/loffers"),
    ("english/meetings", "english/negotiating"),
    ("english", "spanish"),
  ])
  func `the next place is the next sibling or the nearest place of its kind`(current: String, next: String) throws {
    try CourseOutlines("spanish\n  hola").write(to: store, position: 1)

    try store.read { snapshot in
      let current = try snapshot.node(at: current)
      let next = try snapshot.node(at: next)
      #expect(try snapshot.neighbour(current, after: true) == next)
    }
  }

  @Test(arguments: [
    ("english/negotiating/loffers/brief", "english/meetings/lclosing/farewell"),
    ("english/meetings/lclosing/farewell", "english/meetings/lclosing/lnested/minutes"),
    ("english/meetings/lclosing/lnested/minutes", "english/meetings/lopening/greeting"),
    ("english/negotiating/loffers", "english/meetings/lclosing/lnested"),
    ("english/meetings/lclosing/lnested", "english/meetings/lopening"),
    ("english/meetings/lopening/greeting", "english/meetings/lopening/agenda"),
  ])
  func `the previous place is the nearest of its kind, never an ancestor`(current: String, previous: String) throws {
    try store.read { snapshot in
      let current = try snapshot.node(at: current)
      let previous = try snapshot.node(at: previous)
      #expect(try snapshot.neighbour(current, after: false) == previous)
    }
  }

  @Test(arguments: [
    "english/negotiating/loffers/brief", "english/negotiating/loffers", "english/negotiating", "english",
  ])
  func `the last place of a course has no next place`(path: String) throws {
    try store.read { snapshot in
      let last = try snapshot.node(at: path)
      #expect(try snapshot.neighbour(last, after: true) == nil)
    }
  }

  @Test(arguments: ["english/meetings/lopening/agenda", "english/meetings/lopening", "english/meetings", "english"])
  func `the first place of a course has no previous place`(path: String) throws {
    try store.read { snapshot in
      let first = try snapshot.node(at: path)
      #expect(try snapshot.neighbour(first, after: false) == nil)
    }
  }

  @Test func `a course is read with its language, format, revision and counts`() throws {
    try store.read { snapshot in
      let course = try #require(try snapshot.courses().first)
      let node = try snapshot.node(at: "english")
      #expect(course == Course(node: node, language: "en", sourceFormat: "outline", revision: 1))
      #expect(try snapshot.course(course.id) == course)
      #expect(try snapshot.course(withKey: "english") == course)
      #expect(try snapshot.course(withKey: "spanish") == nil)
      #expect(try snapshot.counts(of: course.id) == ContentCounts(course: 1, goal: 2, lesson: 4, activity: 5))
    }
  }

  @Test func `the stored content of an activity is read unchanged`() throws {
    try store.read { snapshot in
      let brief = try snapshot.node(at: "english/negotiating/loffers/brief")
      #expect(try snapshot.content(of: brief.id) == .reading([.paragraph([.text("Read Brief.")])]))
      #expect(try snapshot.activityType(of: brief.id) == .reading)
      #expect(try snapshot.content(of: brief.course) == nil)
    }
  }
}

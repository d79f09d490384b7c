import LearningModel
import Testing

struct LevelNamesTests {
  @Test(arguments: [
    ("waymark", "course, goal, lesson, activity"), ("mdbook", "book, part, chapter, section"),
    ("epub", "book, part, chapter, section"), ("markdown", "course, folder, note, page"),
    ("anki", "course, deck, deck, activity"), ("learner", "course, goal, lesson, activity"),
  ])
  func `the source of a course decides what its levels are called`(format: String, names: String) {
    let levels = LevelNames(format: format)
    let kinds: [PlaceKind] = [.course, .goal, .lesson, .activity]

    #expect(kinds.map { levels.noun(for: $0).singular }.joined(separator: ", ") == names)
  }

  @Test func `a count has the noun in the right number`() {
    #expect(
      ContentCounts(course: 1, goal: 1, lesson: 2, activity: 0).texts(.course) == [
        "1 goal", "2 lessons", "0 activities",
      ])
    #expect(
      ContentCounts(course: 1, goal: 2, lesson: 1, activity: 1).texts(.book) == ["2 parts", "1 chapter", "1 section"])
  }
}

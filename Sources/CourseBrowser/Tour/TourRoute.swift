import CourseLibrary
import CoursePages
import LearningModel
import NavigationService

/// Where the tour goes: down a course to a text.
struct TourRoute: Hashable {
  let course: Place
  let goal: Place
  let lesson: Place
  let text: Place
  /// What is looked for in it.
  let words: String

  /// Plans a way through the course that comes with the program, or else the first that has a way.
  ///
  /// - Returns: `nil` where no course has a goal with a lesson with an activity.
  @MainActor init?(in navigation: NavigationService, _ library: CourseLibrary) throws {
    let courses = try library.courses()
    let bundled = courses.firstIndex { $0.path == CourseLibrary.bundledPath } ?? 0
    for course in courses.dropFirst(bundled) + courses.prefix(bundled) {
      let place = try navigation.place(named: .text(course.path.description)).place
      if let route = try Self.route(through: place, of: navigation) {
        self = route
        return
      }
    }
    return nil
  }

  private init(course: Place, goal: Place, lesson: Place, text: Card) {
    self.course = course
    self.goal = goal
    self.lesson = lesson
    self.text = text.place.place
    words = Self.words(of: text.place.title)
  }

  @MainActor private static func route(through course: Place, of navigation: NavigationService) throws -> TourRoute? {
    func children(_ place: Place) throws -> [Card] {
      try navigation.childCards(of: place, .some(32, around: .index(0))).cards
    }
    // The second of each, where there is one: that the frame moves is part of what is shown.
    func fromSecond(_ cards: [Card]) -> [Card] { Array(cards.dropFirst() + cards.prefix(1)) }

    for goal in fromSecond(try children(course)).prefix(8) where goal.place.kind == .goal {
      for lesson in fromSecond(try children(goal.place.place)).prefix(8) where lesson.place.kind == .lesson {
        let activities = fromSecond(try children(lesson.place.place).filter { $0.place.kind == .activity })
        guard let text = activities.first(where: { $0.type == .reading }) ?? activities.first else { continue }
        return TourRoute(course: course, goal: goal.place.place, lesson: lesson.place.place, text: text)
      }
    }
    return nil
  }

  /// The longest word of a title, which is the most likely to be found in few places; not much of it needs to be typed.
  private static func words(of title: String) -> String {
    let words = title.split { !$0.isLetter && !$0.isNumber }
    let longest = words.max { $0.count < $1.count } ?? "a"
    return String(longest.lowercased().prefix(8))
  }
}

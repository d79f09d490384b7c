/// A course of any size in which each place names the course's version, so that a partial import can be detected.
struct GeneratedCourse {
  /// The course's key, which is also the first word of its title.
  var key: String
  var goals: Int
  /// The number of lessons in each goal.
  var lessons: Int
  /// The number of activities in each lesson.
  var activities: Int
  /// The number of additional lessons in the first goal of every third version.
  var extraLessons = 1
  /// The number in all summaries and texts.
  var version = 1
  /// The number in every hundredth activity instead of ``version``, if not `nil`.
  var hundredth: Int?

  /// Whether the second half of each goal's lessons have different keys.
  var hasNewLessons = false

  /// The number of places, including the course.
  var count: Int { 1 + goals + (goals * lessons + extra) * (1 + activities) }

  private var extra: Int { version.isMultiple(of: 3) ? extraLessons : 0 }

  /// The summary of all places.
  var summary: String { Self.summary(of: version) }

  private static func summary(of version: Int) -> String { "Version \(version)." }

  private func summary(_ goal: Int, _ lesson: Int, _ activity: Int) -> String {
    let number: Int = (goal * lessons + lesson) * activities + activity
    return Self.summary(of: number.isMultiple(of: 100) ? hundredth ?? version : version)
  }

  /// The paths of the activities in reading order.
  var activityPaths: [String] {
    (1...goals).flatMap { goal in
      (1...lessons).flatMap { lesson in
        (1...activities).map { "\(key)/goal-\(goal)/lesson-\(goal)-\(lesson)/activity-\(goal)-\(lesson)-\($0)" }
      }
    }
  }

  /// The course in Waymark's JSON format.
  var json: String {
    func place(_ key: String, _ title: String, _ summary: String, _ rest: String) -> String {
      #"{"key": "\#(key)", "title": "\#(title)", "summary": "\#(summary)", \#(rest)}"#
    }
    let tree = (1...goals).map { goal -> String in
      let lessons = (1...(lessons + (goal == 1 ? extra : 0))).map { lesson -> String in
        let prefix = hasNewLessons && lesson > self.lessons / 2 ? "n" : ""
        let activities = (1...activities).map { activity -> String in
          let summary = self.summary(goal, lesson, activity)
          let sentence: String = "Words of activity \(activity) in lesson \(lesson) of goal \(goal)."
          let text: String = "\(summary) \(sentence)"
          return place(
            "\(prefix)a\(goal)-\(lesson)-\(activity)", "Activity \(goal) \(lesson) \(activity)", summary,
            #""reading": ["\#(text)"]"#)
        }
        return place(
          "\(prefix)l\(goal)-\(lesson)", "Lesson \(goal) \(lesson)", summary,
          #""children": [\#(activities.joined(separator: ",\n"))]"#)
      }
      return place("g\(goal)", "Goal \(goal)", summary, #""children": [\#(lessons.joined(separator: ",\n"))]"#)
    }
    let course = place(
      key, key.prefix(1).uppercased() + key.dropFirst(), summary, #""children": [\#(tree.joined(separator: ",\n"))]"#)
    return #"{"waymark": 1, "course": \#(course)}"#
  }
}

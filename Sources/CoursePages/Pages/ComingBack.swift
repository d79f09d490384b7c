import LearningModel
package import NavigationKit

/// Where the learner was and what is due: the first two rows of the list of courses, and the last rows of
/// `waymark where`.
package struct ComingBack: Hashable, Sendable {
  /// A row: a word such as `Continue`, what it leads to, and facts about it.
  package struct Row: Hashable, Sendable {
    package let label: String
    package let text: String
    /// The facts, such as `65 %, 2 min`.
    package let facts: String
    /// What the facts belong to, such as the title of the course. Empty if there is nothing to add.
    package let more: String

    /// The row without its label: `Who speaks first?  65 %, 2 min  English for Business`.
    package var sentence: String { [text, facts, more].filter { !$0.isEmpty }.joined(separator: "  ") }
  }

  /// The activity to continue or to begin with. `nil` if everything is done.
  package let next: Row?
  /// The cards of today. `nil` if none is due.
  package let review: Row?

  /// Reads the rows.
  ///
  /// - Parameter next: The suggested next step in all courses.
  package init(_ next: NextStep?, of navigation: NavigationService) throws(NavigationError) {
    let total = try navigation.reviews.overview().total
    let overdue = total.today == 0 ? nil : try navigation.reviews.overdueCards()
    review =
      total.today == 0
      ? nil
      : Row(
        label: "Review", text: ReviewText.count(total.today, "card"),
        facts: "",
        more: overdue.map { "\(ReviewText.number($0)) of them from earlier days" }
          ?? (total.new == 0 ? "" : "\(ReviewText.number(total.new)) new"))
    guard let next, next.reason != .allDone else {
      self.next = nil
      return
    }
    let summary = next.summary
    let course = try navigation.places.named(.path(PlacePath(slugs: Array(summary.place.path.slugs.prefix(1)))))
    let time = DisplayFormat.timeColumn(minutes: summary.minutesLeft)
    self.next = Row(
      label: summary.state == .begun ? "Continue" : "Begin", text: summary.place.title,
      facts: [DisplayFormat.shortened(CardModel.activityState(summary)), time].filter { !$0.isEmpty }
        .joined(separator: ", "), more: course.title)
  }
}

import Foundation

/// A small course in Waymark's JSON, before and after its author edited it in many ways.
enum EditedBookSource {
  static let before = course(
    goal(
      "meetings", "Meetings",
      lesson("opening", "Opening", text("agenda"), text("greeting"), text("names"))
        + "," + lesson("closing", "Closing", text("farewell"), text("thanks"))),
    goal("negotiating", "Negotiating", lesson("offers", "Offers", text("brief"), text("anchor"), text("range"))))

  /// The goals are swapped, "negotiating" and "anchor" are renamed, and "between" is added. "farewell" has moved to
  /// "opening", and the other activities there are reordered. "brief" has become a lesson of two activities. "greeting",
  /// "closing" and "thanks" are removed.
  static let after = course(
    goal(
      "negotiating", "Making deals",
      lesson(
        "offers", "Offers", lesson("brief", "Brief", text("first"), text("second")), text("anchor", "Anchoring"),
        text("range"))),
    goal(
      "meetings", "Meetings",
      lesson("opening", "Opening", text("names"), text("farewell"), text("agenda"))
        + "," + lesson("between", "Between", text("coffee"))))

  /// Most of the course is removed.
  static let ruin = course(goal("meetings", "Meetings", lesson("opening", "Opening", text("agenda"))))

  private static func course(_ goals: String...) -> String {
    #"{"waymark": 1, "course": {"key": "english", "title": "English", "children": [\#(goals.joined(separator: ","))]}}"#
  }

  private static func goal(_ key: String, _ title: String, _ lessons: String) -> String {
    #"{"key": "\#(key)", "title": "\#(title)", "children": [\#(lessons)]}"#
  }

  private static func lesson(_ key: String, _ title: String, _ children: String...) -> String {
    goal(key, title, children.joined(separator: ","))
  }

  private static func text(_ key: String, _ title: String? = nil) -> String {
    #"{"key": "\#(key)", "title": "\#(title ?? key.capitalized)", "reading": ["What \#(key) is about."]}"#
  }
}

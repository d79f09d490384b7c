import CourseLibrary
import LearningModel
import NavigationService

extension LinearBrowser {
  /// Gives the place where the learner is a name; an empty one gives its author's back.
  func rename(_ name: String) throws {
    let place = try navigation.currentPlace()
    let (before, now) = try library.rename(place.path, to: name.isEmpty ? nil : name)
    guard before != now else { return say("It is called that already: " + SpokenWords.ended(now)) }
    say("It is called now: " + SpokenWords.ended(now))
    say(name.isEmpty ? "That is its author's name." : "rename alone gives its author's name back.")
  }
}

import LearningModel

extension TransitionChoice {
  /// `lessonCard, down`
  var words: String {
    kind.rawValue + (direction.map { ", " + $0.rawValue } ?? "")
  }
}

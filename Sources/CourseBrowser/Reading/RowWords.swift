import CoursePages
import ScreenKit
import TextCanvas

/// What a row of a header said before it says something else, as far as that has not given way yet.
@MainActor final class RowWords {
  private weak var going: Layer?

  /// Lets what a row has said give way to what it says now. Where others do so already, and are still what is seen, they
  /// stay; what has just begun to be seen in their place turns round.
  ///
  /// - Parameters:
  ///   - old: What it has said.
  ///   - seconds: How long that takes.
  func giveWay(on row: Layer, from old: Surface?, within seconds: Double) {
    guard old != row.content else { return }
    let part = going?.superlayer === row ? going?.presentation.dissolved ?? 1 : 1
    if part < 0.5 { return }
    stop()
    let words = Layer(frame: row.bounds, content: old)
    words.dissolve = Dissolve(share: 1)
    // As bright while it leaves as while it comes.
    words.dissolved = 1 - part
    row.add(words)
    going = words
    words.giveWay(within: seconds * part)
  }

  /// Shows at once what the row says now.
  func stop() { going?.removeFromSuperlayer() }

  /// What still gives way, how far it has, and the seconds in which it will have; `nil` where nothing does.
  var now: (surface: Surface, dissolved: Double, left: Double)? {
    guard let going, going.superlayer != nil, let surface = going.content, let left = going.timeToGiveWay else {
      return nil
    }
    return (surface, going.presentation.dissolved, left)
  }
}

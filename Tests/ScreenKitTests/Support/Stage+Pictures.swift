import TextCanvas

@testable import ScreenKit

extension Stage {
  /// Returns the rows of the frame at a time.
  func picture(at time: Double) -> [String] {
    var compositor = Compositor()
    return compositor.compose(tick(at: time), size: size).surface.textRows
  }

  /// Returns the names of the sublayers of a screen from back to front, one letter each.
  func layers(in screen: Screen) -> String { screen.layer.sublayers.map(\.name).joined() }
}

@MainActor func makeStage(
  _ root: Screen, columns: Int = 10, rows: Int = 2, issues: IssueLog? = nil
) -> Stage {
  let stage = Stage(size: CellSize(columns: columns, rows: rows), rootScreen: root)
  if let issues { stage.onIssue = { issues.all.append($0) } }
  return stage
}

/// Collects the reported issues.
@MainActor final class IssueLog {
  var all: [ScreenIssue] = []
}

import NavigationKit
import TextCanvas

/// The places where the gestures begin.
enum GesturePlaces {
  static let goal: PlaceName = "english-for-business/negotiating"
  static let activity: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"
}

extension BrowserFixture {
  /// Drags with the button held from the first of the columns to each of the following ones, a tenth of a second apart.
  func drag(row: Int = 10, _ columns: Int..., at time: Double = 1) {
    mouse(.press(.left), columns[0], row, at: time)
    for (index, column) in columns.dropFirst().enumerated() {
      mouse(.drag(.left), column, row, at: time + 0.1 * Double(index + 1))
    }
  }

  func release(_ column: Int, row: Int = 10, at time: Double) {
    mouse(.release(.left), column, row, at: time)
  }
}

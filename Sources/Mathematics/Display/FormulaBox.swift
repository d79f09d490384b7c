/// A formula drawn in rows of one width, with the row that stands in line with what is beside it.
struct FormulaBox {
  var rows: [String]
  var width: Int
  var baseline: Int

  var height: Int { rows.count }
  var isFlat: Bool { rows.count == 1 }

  /// Rows as high as both, side by side with their baselines in line.
  static func beside(_ boxes: [FormulaBox]) -> FormulaBox {
    let above = boxes.map(\.baseline).max() ?? 0
    let below = boxes.map { $0.height - $0.baseline }.max() ?? 1
    var rows = Array(repeating: "", count: above + below)
    for box in boxes {
      for row in rows.indices {
        let index = row - above + box.baseline
        rows[row] += box.rows.indices.contains(index) ? box.rows[index] : String(repeating: " ", count: box.width)
      }
    }
    return FormulaBox(rows: rows, width: boxes.map(\.width).reduce(0, +), baseline: above)
  }

  /// Where a box stands in a width.
  enum Side { case left, center, right }

  func padded(to width: Int, _ side: Side) -> FormulaBox {
    let missing = max(0, width - self.width)
    let left =
      switch side {
      case .left: 0
      case .center: missing / 2
      case .right: missing
      }
    let rows = rows.map {
      String(repeating: " ", count: left) + $0 + String(repeating: " ", count: missing - left)
    }
    return FormulaBox(rows: rows, width: self.width + missing, baseline: baseline)
  }

  /// Boxes one below the other, centred; the baseline is that of one of them.
  static func stacked(_ boxes: [FormulaBox], baselineOf main: Int, _ side: Side = .center) -> FormulaBox {
    let width = boxes.map(\.width).max() ?? 0
    let baseline = boxes[..<main].map(\.height).reduce(0, +) + boxes[main].baseline
    return FormulaBox(rows: boxes.flatMap { $0.padded(to: width, side).rows }, width: width, baseline: baseline)
  }
}

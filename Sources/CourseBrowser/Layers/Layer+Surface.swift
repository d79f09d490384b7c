import ScreenKit
import TextCanvas

extension Layer {
  /// Shows a drawing at a cell of the superlayer.
  func show(_ surface: Surface, column: Int = 0, row: Int = 0) {
    content = surface
    frame = Rect(CellRect(column: column, row: row, columns: surface.columns, rows: surface.rows))
  }
}

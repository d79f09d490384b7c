public import TextCanvas

/// Pixels of a cell of the terminal.
public struct CellPixels: Hashable, Sendable {
  /// Pixels in a row of it; at least 1.
  public var width: Int
  /// Rows of it; at least 1.
  public var height: Int

  /// A cell that is drawn as two half blocks, each a pixel.
  public static let halfBlocks = CellPixels(width: 1, height: 2)

  /// Makes the size of a cell.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension PictureFacts {
  /// Returns the cells that the picture takes: as large as fits, its sides in proportion to the nearest whole cell, and
  /// no larger than its own pixels.
  ///
  /// - Parameters:
  ///   - columns: Columns that there are.
  ///   - rows: Rows that there are.
  ///   - cell: A cell's pixels. With those of half blocks, a picture of 16 × 16 pixels takes 16 columns; with the
  ///     terminal's own, two or three.
  /// - Returns: At least one cell, or none where there is no column or no row.
  public func fit(columns: Int, rows: Int, cell: CellPixels = .halfBlocks) -> CellSize {
    guard columns > 0, rows > 0 else { return .zero }
    let (wide, high) = (Double(width) / Double(cell.width), Double(height) / Double(cell.height))
    let scale = min(Double(columns) / wide, Double(rows) / high, 1)
    func whole(_ length: Double, _ limit: Int) -> Int { max(1, min(limit, Int((length * scale).rounded()))) }
    return CellSize(columns: whole(wide, columns), rows: whole(high, rows))
  }
}

extension Picture {
  /// Returns the cells that this picture takes: `PictureFacts.fit`, which needs no decoding.
  public func fit(columns: Int, rows: Int, cell: CellPixels = .halfBlocks) -> CellSize {
    PictureFacts(format: .png, width: width, height: height).fit(columns: columns, rows: rows, cell: cell)
  }
}

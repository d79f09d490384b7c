import CourseBrowser
import CourseKit
import CoursePages
import LearningModel
import TestSupport
import TextCanvas

/// The screens for measurements of the renderer.
enum Screens {
  static let size = CellSize(columns: 200, rows: 60)
  static let page = PageColours(foreground: 0xD6D9DF, background: 0x16181D)

  /// Returns a screen of words on panels. The foreground and background change every twelve cells.
  static func mosaic(seed: UInt64) -> Surface {
    var random = SplitMix64(seed: seed)
    var surface = Surface(size, filledWith: Cell(background: .hex(page.background)))
    for row in 0..<size.rows {
      for column in stride(from: 0, to: size.columns, by: 12) {
        let style = Style(
          foreground: .hex(UInt32.random(in: 0...0xFF_FFFF, using: &random)),
          background: .hex(UInt32.random(in: 0...0x3F_FFFF, using: &random) & 0x3F3F3F))
        var word = ""
        while word.count < 12 {
          let length = Int.random(in: 2...9, using: &random)
          for _ in 0..<length { word.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 97...122, using: &random))) }
          word += String(repeating: " ", count: Int.random(in: 1...9, using: &random))
        }
        surface.draw(String(word.prefix(12)), at: CellPoint(column: column, row: row), style: style)
      }
    }
    return surface
  }

  /// Returns two screens with texts of the bundled course in three columns. The width of the columns is chosen so that
  /// the share of non-blank cells is close to `ink`.
  static func texts(of library: CourseLibrary, ink: Double) throws -> (Surface, Surface) {
    let theme = Theme(colourDepth: .truecolor, pageAppearance: .dark)
    let blocks = try readings(of: library)
    let all = (40...66).map { width in
      // Blank lines between paragraphs are removed, because they would lower the share too much.
      let lines = ReadingLayout(width: width, theme: theme, symbols: .unicode).text(blocks).lines
        .filter { !$0.text.isEmpty }
      return (screen(of: lines, from: 0), screen(of: lines, from: 180))
    }
    return all.min { abs(share(of: $0) - ink) < abs(share(of: $1) - ink) }!
  }

  /// Returns the share of non-blank cells of two screens.
  static func share(of screens: (Surface, Surface)) -> Double {
    let cells = screens.0.cells + screens.1.cells
    return Double(cells.count { !$0.glyph.isBlank || $0.isContinuation }) / Double(cells.count)
  }

  /// Returns the texts of all activities in sequence.
  static func readings(of library: CourseLibrary) throws -> [Block] {
    var blocks: [Block] = []
    for entry in try library.tree() where entry.kind == .activity {
      if case .reading(let more) = try library.content(at: entry.path) { blocks += more }
    }
    return blocks
  }

  private static func screen(of lines: [StyledLine], from first: Int) -> Surface {
    var surface = Surface(size, filledWith: .blank)
    for (index, line) in lines.dropFirst(first).prefix(180).enumerated() {
      var column = index / 60 * 67 + line.indent
      for run in line.runs {
        column += surface.draw(run.text, at: CellPoint(column: column, row: index % 60), style: run.style)
      }
    }
    return surface
  }
}

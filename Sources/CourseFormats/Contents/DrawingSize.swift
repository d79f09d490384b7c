import Foundation
import LearningModel

extension KeptPicture.PixelSize {
  /// Pixels that a drawing asks for: its width and height, one of them in proportion to the other where only one is
  /// said, and a page's width where both depend on the page; `nil` where it says nothing of its sides.
  ///
  /// Sources: W3C, "SVG 2", 8.2 (`viewBox`) and 8.9 ("Intrinsic sizing properties"); W3C, "CSS Values and Units Level 3",
  /// 5.2 (lengths) and 5.1.1 (an `em` of 16 pixels).
  init?(drawing root: HTMLNode) {
    let box = (root.attribute("viewbox") ?? "").split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) }
    let sides = box.count == 4 && box[2] > 0 && box[3] > 0 ? (width: box[2], height: box[3]) : nil
    let width = Self.pixels(root.attribute("width"))
    let height = Self.pixels(root.attribute("height"))
    let size: (width: Double, height: Double)? =
      switch (width, height, sides) {
      case (let width?, let height?, _): (width, height)
      case (let width?, nil, let box?): (width, width * box.height / box.width)
      case (nil, let height?, let box?): (height * box.width / box.height, height)
      case (nil, nil, let box?): (Self.page, Self.page * box.height / box.width)
      case (_, _, nil): nil
      }
    // A page never shows more, and the largest number has no neighbours.
    guard let size, case let scale = min(1, Self.most / max(size.width, size.height)), scale.isFinite else {
      return nil
    }
    self.init(
      width: max(1, Int((size.width * scale).rounded())), height: max(1, Int((size.height * scale).rounded())))
  }

  /// The width of a drawing that fills its page, in pixels.
  private static let page = 600.0

  /// The longest side that a drawing gets, in pixels.
  private static let most = 2048.0

  /// A length in pixels; `nil` where it depends on the page or is none.
  private static func pixels(_ length: String?) -> Double? {
    guard let length = length?.trimmingCharacters(in: .whitespaces),
      let end = length.lastIndex(where: { $0.isNumber || $0 == "." }),
      let number = Double(length[...end]), number > 0, number.isFinite,
      let unit = units[length[length.index(after: end)...].lowercased()]
    else { return nil }
    return number * unit
  }

  private static let units: [String: Double] = [
    "": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96.0 / 2.54, "mm": 9.6 / 2.54, "em": 16,
  ]
}

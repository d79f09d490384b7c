import BenchmarkReference
import TerminalHarness
import TerminalIO
import TextCanvas

/// The time to compose a frame, compare it with the screen and encode the difference.
@MainActor final class FrameSpeed {
  private let below: Surface
  private let above: Surface
  private let digest: Digest
  private var compositor = Compositor(fading: .blend(page: Screens.page))
  private let encoder = FrameEncoder(size: Screens.size, features: OutputFeatures())
  // Two frames as in the browser: while one is composed, the encoder still refers to the other.
  private var frames = [Frame(surface: Surface(Screens.size)), Frame(surface: Surface(Screens.size))]
  private var bytes = 0

  init(seed: UInt64) {
    below = Screens.mosaic(seed: seed)
    above = Screens.mosaic(seed: seed &+ 1)
    var digest = Digest()
    digest.add(below)
    digest.add(above)
    self.digest = digest
  }

  /// Returns the tree of a frame: one screen over another, with an opacity that differs from those of the adjacent
  /// frames.
  private func tree(_ number: Int) -> RenderNode {
    let step = number % 12
    let opacity = Double(1 + (step < 7 ? step : 12 - step)) / 8
    let bounds = Rect(CellRect(Screens.size))
    return RenderNode(
      id: .init(1), frame: bounds,
      children: [
        RenderNode(id: .init(2), frame: bounds, surface: below),
        RenderNode(id: .init(3), frame: bounds, opacity: opacity, surface: above),
      ])
  }

  private func draw(_ tree: RenderNode, number: Int) {
    guard compositor.composeIfChanged(tree, into: &frames[number & 1]) else { return }
    encoder.begin(frames[number & 1])
    while let slice = encoder.nextSlice {
      bytes += slice.count
      encoder.commitSlice()
    }
  }

  func table() throws -> Table {
    var table = Table(
      "Renderer: time of a frame of 200 × 60",
      note: "Processor time. Inputs \(digest). The reference is a tight loop in C over the same cells. "
        + "Its cells are compared with Waymark's, and so are the screens that both outputs draw in libvterm.",
      columns: ["what", "median", "99 %", "reference", "ratio", "allocations per frame"])
    try compareWithReference()
    try addEverythingChanged(to: &table)
    addUnchanged(to: &table)
    return table
  }

  // MARK: Everything changed

  private func addEverythingChanged(to table: inout Table) throws {
    let reference = Reference(below: below, above: above)
    let trees = (0..<12).map { tree($0) }
    var ours = Samples(reserving: 6000)
    var theirs = Samples(reserving: 6000)
    for number in 0..<24 {
      draw(trees[number % 12], number: number)
      reference.draw(number)
    }
    bytes = 0
    var referenceBytes = 0
    var allocations: UInt64 = 0
    for round in 0..<40 {
      let before = allocation_count()
      for step in 0..<120 {
        ours.measure(.thread) { draw(trees[step % 12], number: round * 120 + step) }
      }
      allocations += allocation_count() - before
      for step in 0..<120 { theirs.measure(.thread) { referenceBytes += reference.draw(step) } }
    }
    let median = ours.median
    let each = Double(allocations) / Double(ours.count)
    table.add(
      "compose, compare, encode; every cell changed (\((bytes / ours.count).grouped) bytes, "
        + "reference \((referenceBytes / theirs.count).grouped))",
      median.asTime, ours.p99.asTime, theirs.median.asTime, (median / theirs.median).asRatio, each.rounded(digits: 3),
      target: "≤ 1.25 ×, 99 % ≤ 400 µs, no allocation",
      isMet: median <= 1.25 * theirs.median && ours.p99 <= 400_000 && each == 0)
  }

  // MARK: Nothing changed

  private func addUnchanged(to table: inout Table) {
    let bounds = Rect(CellRect(Screens.size))
    func still(_ shift: Double) -> RenderNode {
      RenderNode(
        id: .init(1), frame: bounds,
        children: [RenderNode(id: .init(2), frame: bounds.offset(x: shift, y: 0), surface: below)])
    }
    addUnchanged("an unchanged frame", [still(0), still(0)], target: 15_000, to: &table)
    addUnchanged("a frame with a movement of less than a cell", [still(0), still(0.2)], to: &table)
  }

  private func addUnchanged(
    _ name: String, _ trees: [RenderNode], target: Double? = nil, to table: inout Table
  ) {
    var ours = Samples(reserving: 6000)
    var theirs = Samples(reserving: 6000)
    for number in 0..<4 { draw(trees[number & 1], number: number) }
    bytes = 0
    let one = frames[0].surface.cells
    let other = Array(one)
    var allocations: UInt64 = 0
    var different = 0
    for round in 0..<40 {
      let before = allocation_count()
      for step in 0..<120 { ours.measure(.thread) { draw(trees[step & 1], number: round * 120 + step) } }
      allocations += allocation_count() - before
      one.withUnsafeBytes { one in
        other.withUnsafeBytes { other in
          let cells = one.bindMemory(to: reference_cell.self)
          let others = other.bindMemory(to: reference_cell.self)
          for _ in 0..<120 {
            theirs.measure(.thread) {
              different += reference_compare(cells.baseAddress!, others.baseAddress!, cells.count)
            }
          }
        }
      }
    }
    let median = ours.median
    table.add(
      "\(name) (\(bytes + different) bytes)", median.asTime, ours.p99.asTime,
      theirs.median.asTime + " for the comparison only", (median / theirs.median).asRatio,
      (Double(allocations) / Double(ours.count)).rounded(digits: 3), target: target == nil ? "" : "≤ 15 µs, 0 bytes",
      isMet: target.map { median <= $0 && bytes == 0 })
  }

  // MARK: The reference does the same

  private func compareWithReference() throws {
    let reference = Reference(below: below, above: above)
    let ours = Emulator(columns: Screens.size.columns, rows: Screens.size.rows)
    let theirs = Emulator(columns: Screens.size.columns, rows: Screens.size.rows)
    let encoder = FrameEncoder(size: Screens.size, features: OutputFeatures())
    for number in 0..<4 {
      compositor.compose(tree(number), into: &frames[0])
      reference.draw(number)
      guard reference.shows(frames[0].surface) else { throw BenchmarkError.differs("cells of frame \(number)") }
      ours.feed(encoder.encode(frames[0]))
      theirs.feed(reference.bytes)
      for row in 0..<Screens.size.rows where ours.cells(row: row).map(\.seen) != theirs.cells(row: row).map(\.seen) {
        throw BenchmarkError.differs("row \(row) of frame \(number) in libvterm")
      }
    }
  }
}

extension ShownCell {
  /// The visible properties of the cell. The foreground of a blank is invisible.
  fileprivate var seen: ShownCell {
    guard text == " " else { return self }
    var cell = self
    cell.foreground = .default
    return cell
  }
}

/// The reference in C, with its own memory.
@MainActor private final class Reference {
  private let below: [reference_cell]
  private let above: [reference_cell]
  private var shown: [reference_cell]
  private var output: [UInt8]
  private var count = 0

  init(below: Surface, above: Surface) {
    func cells(_ surface: Surface) -> [reference_cell] {
      surface.cells.withUnsafeBytes { Array($0.bindMemory(to: reference_cell.self)) }
    }
    self.below = cells(below)
    self.above = cells(above)
    shown = cells(Surface(below.size, filledWith: .blank))
    output = Array(repeating: 0, count: shown.count * 48)
  }

  /// Draws the frame with a number and returns the number of its bytes.
  @discardableResult
  func draw(_ number: Int) -> Int {
    let step = number % 12
    let strength = UInt32(1 + (step < 7 ? step : 12 - step)) * 32
    count = reference_frame(
      below, above, strength, &shown, Int32(Screens.size.columns), Int32(Screens.size.rows), &output)
    return count
  }

  var bytes: ArraySlice<UInt8> { output[..<count] }

  func shows(_ surface: Surface) -> Bool {
    surface.cells.withUnsafeBytes { ours in
      shown.withUnsafeBytes { theirs in ours.elementsEqual(theirs) }
    }
  }
}

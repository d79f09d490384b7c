import JSONCoding
import TextCanvas

/// Encodes rows as comma-separated values.
///
/// Nested members have separate columns, whose keys are joined by a dot. A list of paths is one cell with spaces
/// between the paths, because paths contain no spaces. Any other list is one cell of JSON.
///
/// The format has no escapes, so control characters are replaced by visible symbols. JSON output keeps control
/// characters.
///
/// Source: RFC 4180, with `\n` at the end of a line.
package final class CSVWriter: JSONSink {
  /// The columns that are lists of paths.
  private static let pathLists: Set = ["stack", "pathTaken"]

  /// A member of the rows: a column, or an object that contains columns.
  private final class Member {
    var column: Int?
    var isPathList = false
    private var members: [(key: String, member: Member)] = []
    /// The index at which the next member is expected: one more than that of the last member. Rows of one type have
    /// their members in the same order.
    private var expected = 0

    subscript(key: String) -> Member? {
      if expected < members.count, members[expected].key == key {
        expected += 1
        return members[expected - 1].member
      }
      guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
      expected = index + 1
      return members[index].member
    }

    func add(_ key: String) -> Member {
      if let existing = self[key] { return existing }
      let new = Member()
      members.append((key, new))
      return new
    }
  }

  private let header: [UInt8]
  /// The texts of the cells, and of the brackets between them.
  private let json = JSONTextSink(answerWithIndentation: nil)
  private let root = Member()
  /// The members of the open objects. `nil` for an object that contains no columns.
  private var objects: [Member?] = []
  private var member: Member?
  /// The range of each column's cell in ``json``.
  private var cells: [Range<Int>]
  /// The depth and the start of the outermost open list, which is encoded as one cell.
  private var list: (depth: Int, start: Int, isOfPaths: Bool)?

  /// - Parameter columns: The keys of the columns. Those of nested members are joined by a dot.
  package init(columns: [String]) {
    var header: [UInt8] = []
    for (index, column) in columns.enumerated() {
      if index > 0 { header.append(UInt8(ascii: ",")) }
      header.append(csvCell: Array(column.utf8)[...])
    }
    header.append(UInt8(ascii: "\n"))
    self.header = header
    cells = Array(repeating: 0..<0, count: columns.count)
    for (index, column) in columns.enumerated() {
      let member = column.split(separator: ".").reduce(root) { $0.add(String($1)) }
      member.column = index
      member.isPathList = Self.pathLists.contains(column)
    }
  }

  /// Appends the line with the column names.
  package func writeHeader(to text: inout [UInt8]) { text += header }

  /// Appends the line of one row. A column that the row does not contain has an empty cell.
  package func write(_ row: some Encodable, to text: inout [UInt8]) throws {
    for index in cells.indices { cells[index] = 0..<0 }
    try JSONEncoding(to: self).encode(row)
    for (index, cell) in cells.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(csvCell: json.bytes[cell])
    }
    text.append(UInt8(ascii: "\n"))
    json.bytes.removeAll(keepingCapacity: true)
  }

  /// Records the text after a position as the cell of the current member.
  private func fillCell(from start: Int) {
    if let column = member?.column { cells[column] = start..<json.bytes.count }
  }

  // MARK: - Structure

  package func open(isArray: Bool) {
    if list != nil || isArray {
      if list == nil { list = (json.depth, json.bytes.count, member?.isPathList == true) }
    } else {
      objects.append(objects.isEmpty ? root : member)
    }
    json.open(isArray: isArray)
    if let list, list.isOfPaths, json.depth == list.depth + 1 { json.bytes.removeLast() }
  }

  package func close() {
    json.close()
    guard let list else {
      objects.removeLast()
      return
    }
    guard json.depth == list.depth else { return }
    if list.isOfPaths { json.bytes.removeLast() }
    self.list = nil
    fillCell(from: list.start)
  }

  package func beginMember(_ key: String) {
    if list != nil { return json.beginMember(key) }
    member = objects.last.flatMap { $0?[key] }
  }

  package func beginElement() {
    guard let list, list.isOfPaths, json.depth == list.depth + 1 else { return json.beginElement() }
    if json.bytes.count > list.start { json.bytes.append(UInt8(ascii: " ")) }
  }

  package func write(text: String) {
    if let list, !list.isOfPaths { return json.write(text: text) }
    append { json.bytes.append(contentsOf: text.utf8) }
  }

  package func write(literal: String) {
    if list == nil, literal == "null" { return }
    append { json.write(literal: literal) }
  }

  package func write(integer: Int64) { append { json.write(integer: integer) } }

  /// Appends a scalar. Outside lists, it is a cell.
  private func append(_ body: () -> Void) {
    let start = json.bytes.count
    body()
    if list == nil { fillCell(from: start) }
  }
}

/// Comma-separated values of complete arrays.
package enum CSVText {
  /// Returns the header and all rows.
  package static func text(_ rows: [some Encodable], columns: [String]) throws -> String {
    let writer = CSVWriter(columns: columns)
    var text: [UInt8] = []
    writer.writeHeader(to: &text)
    for row in rows { try writer.write(row, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }
}

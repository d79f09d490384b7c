/// Gives each name that is asked for once, and a number behind it from then on: the slugs of siblings, the anchors of a text.
///
/// It remembers the last number of each name, so that ten thousand equal headings are ten thousand questions and not fifty
/// million.
public struct UniqueNames: Sendable {
  /// Everything that cannot be given any more.
  public private(set) var taken: Set<String>
  private let firstNumber: Int
  private var nextNumbers: [String: Int] = [:]

  /// Takes note of names that are given already.
  ///
  /// - Parameters:
  ///   - taken: Those names.
  ///   - firstNumber: What stands behind a name that is asked for a second time.
  public init(taken: Set<String> = [], numberedFrom firstNumber: Int) {
    self.taken = taken
    self.firstNumber = firstNumber
  }

  /// Returns the name, or the first of `name-1`, `name-2`, … that is not taken, and takes it.
  public mutating func take(_ name: String) -> String {
    var result = name
    while !taken.insert(result).inserted {
      let number = nextNumbers[name] ?? firstNumber
      nextNumbers[name] = number + 1
      result = "\(name)-\(number)"
    }
    return result
  }
}

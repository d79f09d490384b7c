import GRDB
import GRDBSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The SQL function `wordFit`, which returns how well a node of the search index matches a query. Lower is better.
///
/// It computes the same as `bm25`, with two differences. First, `bm25` reads all occurrences of each word to determine
/// its frequency. For a prefix of many words, this takes 2 to 6 ms, and it is repeated for each query. This function
/// reads a limited number of occurrences, and extrapolates the number of all occurrences from the row IDs of those.
/// Second, words that replace a prefix in the query count as one word.
///
/// `wordFit(nodeSearch, largestRow, scopes, wordCount, title, summary, text)`:
///
/// - `largestRow`: the highest row ID of the index.
/// - `scopes`: the number of phrases at the beginning that limit the search and are not scored.
/// - `wordCount`: the number of following phrases that are words of their own. All phrases after these replace one
///   prefix and count as one word.
/// - `title`, `summary`, `text`: the weights of the columns.
///
/// Source: SQLite, "The bm25() function" and "Custom Auxiliary Functions" of FTS5.
enum WordFit {
  /// The maximum number of occurrences of a word that are read.
  private static let counted = 2_000
  /// The constants of `bm25` in SQLite. Source: as above.
  private static let (k1, b) = (1.2, 0.75)

  /// Registers the function on a connection.
  static func register(with api: UnsafeMutablePointer<fts5_api>) throws {
    let code = api.pointee.xCreateFunction?(api, "wordFit", nil, { WordFit.answer($0, $1, $2, $3, $4) }, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code ?? SQLITE_ERROR)) }
  }

  private typealias Extension = UnsafePointer<Fts5ExtensionApi>
  private typealias Values = UnsafeMutablePointer<OpaquePointer?>

  /// The values that are the same for all rows of a query.
  private final class Question {
    let scopes: Int
    let wordCount: Int
    let weights: [Double]
    /// The weight of each word (inverse document frequency). Rare words have a higher weight.
    var weightsOfWords: [Double] = []
    /// The average number of words in a row.
    var averageLength = 1.0
    /// The weighted number of occurrences of each word in the current row.
    var counts: [Double] = []

    init(_ values: Values) {
      scopes = Int(sqlite3_value_int64(values[1]))
      wordCount = Int(sqlite3_value_int64(values[2]))
      weights = (3...5).map { sqlite3_value_double(values[$0]) }
    }

    /// Returns the index of the word to which a phrase belongs, or `nil` if the phrase limits the search.
    func word(ofPhrase phrase: Int) -> Int? {
      phrase < scopes ? nil : min(phrase - scopes, wordCount)
    }
  }

  private static func answer(
    _ api: Extension?, _ search: OpaquePointer?, _ context: OpaquePointer?, _ count: CInt, _ values: Values?
  ) {
    guard let api, let values, count == 6 else {
      return sqlite3_result_error(context, "wordFit takes six values besides the table", -1)
    }
    do {
      let question = try question(api, search, values)
      sqlite3_result_double(context, try fit(of: question, api, search))
    } catch {
      sqlite3_result_error_code(context, (error as? DatabaseError)?.resultCode.rawValue ?? SQLITE_ERROR)
    }
  }

  private static func check(_ code: CInt?) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code ?? SQLITE_ERROR)) }
  }

  /// Returns the values of a query. Computes them for its first row and stores them for the others.
  private static func question(_ api: Extension, _ search: OpaquePointer?, _ values: Values) throws -> Question {
    if let cached = api.pointee.xGetAuxdata?(search, 0) {
      return Unmanaged<Question>.fromOpaque(cached).takeUnretainedValue()
    }
    let question = Question(values)
    var (rows, words): (sqlite3_int64, sqlite3_int64) = (0, 0)
    try check(api.pointee.xRowCount?(search, &rows))
    try check(api.pointee.xColumnTotalSize?(search, -1, &words))
    question.averageLength = Double(words) / Double(max(1, rows))
    let largestRow = Double(sqlite3_value_int64(values[0]))
    var places: [Double] = []
    for phrase in 0..<Int(api.pointee.xPhraseCount?(search) ?? 0) {
      guard let word = question.word(ofPhrase: phrase) else { continue }
      while places.count <= word { places.append(0) }
      places[word] += try Self.places(ofPhrase: phrase, api, search, largestRow)
    }
    question.weightsOfWords = places.map { places in
      let rows = max(Double(rows), places)
      return max(1e-6, log((rows - places + 0.5) / (places + 0.5)))
    }
    question.counts = question.weightsOfWords.map { _ in 0 }
    try check(
      api.pointee.xSetAuxdata?(search, Unmanaged.passRetained(question).toOpaque()) { pointer in
        if let pointer { Unmanaged<Question>.fromOpaque(pointer).release() }
      })
    return question
  }

  private struct Count {
    var places = 0
    var lastRow: sqlite3_int64 = 0
  }

  /// Returns the number of rows that contain a phrase. Rows are read in ascending order, so the number is extrapolated
  /// from the density of the first ones.
  private static func places(
    ofPhrase phrase: Int, _ api: Extension, _ search: OpaquePointer?, _ largestRow: Double
  ) throws -> Double {
    var count = Count()
    try check(
      api.pointee.xQueryPhrase?(search, CInt(phrase), &count) { api, search, count in
        guard let count = count?.assumingMemoryBound(to: Count.self) else { return SQLITE_ERROR }
        count.pointee.places += 1
        guard count.pointee.places == WordFit.counted else { return SQLITE_OK }
        count.pointee.lastRow = api?.pointee.xRowid?(search) ?? 0
        return SQLITE_DONE
      })
    let places = Double(count.places)
    return count.lastRow == 0 ? places : max(places, places * largestRow / Double(count.lastRow))
  }

  private static func fit(of question: Question, _ api: Extension, _ search: OpaquePointer?) throws -> Double {
    for word in question.counts.indices { question.counts[word] = 0 }
    var (count, length): (CInt, CInt) = (0, 0)
    try check(api.pointee.xInstCount?(search, &count))
    for index in 0..<count {
      var (phrase, column, place): (CInt, CInt, CInt) = (0, 0, 0)
      try check(api.pointee.xInst?(search, index, &phrase, &column, &place))
      guard let word = question.word(ofPhrase: Int(phrase)), word < question.counts.count else { continue }
      question.counts[word] += Int(column) < question.weights.count ? question.weights[Int(column)] : 0
    }
    try check(api.pointee.xColumnSize?(search, -1, &length))
    let normalised = k1 * (1 - b + b * Double(length) / question.averageLength)
    return zip(question.weightsOfWords, question.counts).reduce(0) { sum, word in
      sum - word.0 * word.1 * (k1 + 1) / (word.1 + normalised)
    }
  }
}

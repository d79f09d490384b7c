import Answers
import CourseKit
import HTTPTypes
import Hummingbird
import LearningModel
import NIOCore
import NavigationKit
import TextCanvas

// The content of courses and the progress in it.

extension Endpoint {
  /// Lists the courses with the learner's progress.
  static let courses = Endpoint(.get, "/v1/courses", [.limit, .after], .list("Course")) { exchange in
    let (library, learner) = (exchange.backend.library, exchange.learner)
    return try await exchange.list { try library.courses(for: learner) }
  }

  private static let depth = Parameter(
    "depth", .number(0...1_000), "The number of levels below the place (default: all).")

  /// Lists a place and its content in reading order.
  static let course = Endpoint(
    .get, "/v1/courses/{path}", [depth, .limit, .after], .list("Place", problems: [404, 410])
  ) { exchange in
    let (library, learner) = (exchange.backend.library, exchange.learner)
    let (path, depth, rows) = (PlacePath(exchange.placeholderValue), exchange.query.number(depth), exchange.query.rows)
    return try await exchange.text {
      let (entries, hasMore) = try library.tree(
        from: path, depth: depth, for: learner, rows: rows.after..<rows.after + rows.limit)
      return (try AnswerText.json(entries), hasMore ? rows.after + entries.count : nil)
    }
  }

  /// Returns the content of an activity, in the format of an exported course.
  static let page = Endpoint(.get, "/v1/pages/{path}", [], Shape(answer: "Page", problems: [404, 409, 410])) {
    exchange in
    let (library, path) = (exchange.backend.library, PlacePath(exchange.placeholderValue))
    return try await exchange.text { (try library.page(at: path).harmlessJSON, nil) }
  }

  /// Returns an image or a sound of a page, by its digest.
  ///
  /// The response never expires, because a digest always identifies the same bytes. The content security policy
  /// prevents scripts in an SVG file from running.
  static let image = Endpoint(
    .get, "/v1/pictures/{digest}", [], Shape(answer: "Picture", type: "image/*", problems: [404])
  ) { exchange in
    let (library, digest) = (exchange.backend.library, exchange.placeholderValue)
    let bytes = try await exchange.read { try library.image(digest) }
    guard let bytes else {
      throw Problem(
        status: .notFound, name: "not-found",
        detail: "Could not find the image: no course has an image with this digest. Read the page again.")
    }
    let ending = CourseLibrary.imageFileExtension(of: bytes)
    return exchange.tagged(
      "\"\(digest)\"",
      [
        .cacheControl: "private, max-age=31536000, immutable",
        .contentType: ending == "media"
          ? "application/octet-stream" : "image/\(["jpg": "jpeg", "svg": "svg+xml"][ending] ?? ending)",
        .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ], ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// The maximum number of words in a search. Each word is looked up in the whole index.
  private static let maximumSearchWords = 16

  /// Searches the titles, summaries and texts of all places, best match first.
  static let search = Endpoint(
    .get, "/v1/search", cost: .heavy,
    [
      Parameter(
        "q", .text, "Up to \(maximumSearchWords) words; all must occur, the last one at least as a prefix.",
        isRequired: true),
      Parameter("course", .text, "The path of a course. Searches only this course."),
      Parameter("kind", .word(ContentKind.allCases.map(\.rawValue)), "Searches only places of this kind."),
      Parameter("limit", .number(1...1_000), "The maximum number of results (default: 100)."),
    ], Shape(answer: "Hit", isList: true, problems: [404, 409, 410])
  ) { exchange in
    let (library, query) = (exchange.backend.library, exchange.query)
    // The words are split in the same way as in the search index.
    let wordCount = (query["q"] ?? "").split { !$0.isLetter && !$0.isNumber }.count
    guard wordCount <= maximumSearchWords else {
      throw Problem.unreadable(
        "Could not search: 'q' has \(wordCount) words, and the maximum is \(maximumSearchWords). Omit some.")
    }
    try NavigationError.checkQuotation(of: query["q"] ?? "")
    let service = try exchange.navigation()
    return try await exchange.value {
      // Requests that read must not write. The search index is completed by ``Maintenance`` instead.
      let hits = try library.search(
        query["q"] ?? "", in: query["course"].map { PlacePath($0) }, kind: query.word("kind", of: ContentKind.self),
        limit: query.rows.limit, indexingFor: .zero
      ).hits
      return try service.hidingAnswers(in: hits)
    }
  }

  /// Returns the transition between two places, without navigating.
  static let transitions = Endpoint(
    .get, "/v1/transitions",
    [
      Parameter("from", .text, "The path of the first place.", isRequired: true),
      Parameter("to", .text, "The path of the second place.", isRequired: true),
    ], Shape(answer: "Step", problems: [404, 410])
  ) { exchange in
    let service = try exchange.navigation()
    let query = exchange.query
    return try await exchange.value {
      try service.step(from: query.place("from") ?? "/", to: query.place("to") ?? "/")
    }
  }
}

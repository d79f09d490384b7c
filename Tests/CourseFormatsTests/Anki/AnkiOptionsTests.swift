import CourseFormats
import Foundation
import Images
import LearningModel
import Testing

/// Tests of what a package contains besides its texts: presets, flags, masks and texts to type.
struct AnkiOptionsTests {
  /// Reads the oldest fixture after SQL was run on its collection.
  ///
  /// - Parameter media: The names and bytes of further media.
  private func read(
    after sql: String, media: [(name: String, bytes: [UInt8])] = [], withProgress: Bool = false
  ) throws -> CourseDraft {
    let folder = try TestFolder(name: "package")
    for file in try AnkiHostileTests.files("knots-anki2.apkg") { try folder.write(Data(file.bytes), to: file.path) }
    var names: [String: String] = [:]
    for (index, file) in media.enumerated() {
      names["\(100 + index)"] = file.name
      try folder.write(Data(file.bytes), to: "\(100 + index)")
    }
    if !media.isEmpty { try folder.write(JSONEncoder().encode(names), to: "media") }
    try AnkiHostileTests.runSQLite(sql, on: folder.path + "/collection.anki2")
    var options = ReadOptions()
    options.includesProgress = withProgress
    return try FormatRegistry.read(CourseSource(path: folder.path), options: options)
  }

  private func cards(of draft: CourseDraft) throws -> [Flashcard] {
    try draft.allContents().flatMap { content -> [Flashcard] in
      if case .flashcards(_, let cards) = content { cards } else { [] }
    }
  }

  // MARK: Presets

  @Test func `the settings of a preset that differ from Anki's defaults are read`() throws {
    let weights = MemoryModel.defaultWeights.enumerated().map { $0 == 3 ? 50 : $1 }
    let preset = """
      {"name": "Mine", "new": {"delays": [1, 5, 30], "perDay": 7}, "rev": {"perDay": 55, "maxIvl": 365},
       "lapse": {"delays": [], "leechFails": 5}, "desiredRetention": 0.85, "fsrsParams6": \(weights)}
      """
    let sql = AnkiHostileTests.preset(preset) + "; UPDATE col SET conf = json_object('rollover', 2)"

    #expect(
      try read(after: sql).progress.preset == [
        .learningSteps: "1m 5m 30m", .newCards: "7", .reviews: "55", .maximumInterval: "365", .relearningSteps: "none",
        .leechLapses: "5", .retention: "0.85", .dayStart: "2",
        .weights: MemoryModel(weights: weights)?.storedText ?? "",
      ])
  }

  @Test func `Anki's default preset has no settings`() throws {
    let preset = #"{"name": "Default", "new": {"delays": [1, 10], "perDay": 20}, "desiredRetention": 0.9}"#

    #expect(try read(after: AnkiHostileTests.preset(preset)).progress.preset == [:])
  }

  @Test func `the preset of the deck with the most cards is used, with the deck's own limits`() throws {
    let sql = """
      UPDATE col SET dconf = '{"7": {"new": {"perDay": 5}}, "8": {"new": {"perDay": 6}}}',
        decks = json_set(decks, '$."10".conf', 8, '$."11".conf', 7, '$."11".reviewLimit', 30, '$."11".desiredRetention', 80);
      UPDATE cards SET did = 11 WHERE id > 2003
      """
    let draft = try read(after: sql)

    #expect(draft.progress.preset == [.newCards: "5", .reviews: "30", .retention: "0.8"])
    #expect(
      draft.losses.contains(
        Loss(
          what: "deck with another preset", count: 1,
          treatment: "reviewed with the preset of the deck with the most cards", examples: ["Knots"])))
    #expect(draft.progress.otherDecks == ["Knots"])
  }

  @Test func `siblings and leeches of a preset are read, and the report names the options that reviews do not have`()
    throws
  {
    let preset = """
      {"name": "Mine", "new": {"bury": true, "perDay": 7}, "rev": {"bury": true}, "lapse": {"leechAction": 0}, "newMix": 1,
       "newSortOrder": 1, "reviewOrder": 3}
      """
    let draft = try read(after: AnkiHostileTests.preset(preset))

    #expect(draft.progress.preset == [.newCards: "7", .waitingSiblings: "all", .suspendsLeeches: "true"])
    #expect(
      draft.losses.filter { $0.what == "option of the preset" }.flatMap(\.examples) == [
        "the order of new cards", "the order of reviews", "new cards or learning steps before or after the reviews",
      ])
  }

  @Test(arguments: [
    (#"{"new": {"bury": false, "perDay": 7}}"#, "none"), (#"{"new": {"bury": false}}"#, nil),
    (#"{"new": {"bury": true, "perDay": 7}}"#, nil),
  ]) func `siblings that do not wait are taken over from a preset that was changed`(
    _ preset: String, _ siblings: String?
  ) throws {
    #expect(try read(after: AnkiHostileTests.preset(preset)).progress.preset[.waitingSiblings] == siblings)
  }

  @Test func `the number of cards with progress is known although the progress is not read`() throws {
    let draft = try read(after: "UPDATE cards SET reps = 1 WHERE id = 2005")

    // Card 2000 is in review, and card 2002 is suspended.
    #expect(draft.progress.cards == [] && draft.progress.unreadCards == 3)
    let progress = try read(after: "SELECT 1", withProgress: true).progress
    #expect(progress.cards.count == 2 && progress.unreadCards == 0)
  }

  // MARK: Flags and texts to type

  @Test func `a flag is a tag`() throws {
    let cards = try cards(
      of: read(after: "UPDATE cards SET flags = 1 WHERE id = 2000; UPDATE cards SET flags = 15 WHERE id = 2001"))

    #expect(
      cards.filter { $0.key == "bend/0" || $0.key == "sheet/0" }.map(\.tags) == [
        ["basics", "flag::red"], ["rope::two", "basics", "flag::purple"],
      ])
  }

  @Test func `the text of a field to type is expected in a review`() throws {
    let sql = """
      UPDATE col SET models = json_set(models, '$."101".tmpls[0].qfmt', '{{cloze:Text}} {{type:cloze:Text}}',
        '$."100".tmpls[0].qfmt', '{{Term}} {{type:Meaning}}')
      """
    let cards = try cards(of: read(after: sql))

    func typed(_ key: String) -> String? { cards.first { $0.key == key }?.typed }
    #expect(typed("bend/0") == "a knot that joins two ropes")
    #expect(typed("hitch/0") == "clove hitch" && typed("hitch/1") == "hitch, post")
    #expect(typed("sheet/1") == nil)
    let faces = try #require(cards.first { $0.key == "bend/0" }).faces(.forward)
    #expect(faces.isTyped && faces.expected == "a knot that joins two ropes")
    #expect(try JSONDecoder().decode([Flashcard].self, from: JSONEncoder().encode(cards)) == cards)
  }

  // MARK: Images

  private static let grey = PixelImage(
    width: 40, height: 20, pixels: [UInt8](repeating: 128, count: 4 * 800).enumerated().map { $0 % 4 == 3 ? 255 : $1 })

  @Test(arguments: ["a#b 50%.png", "a?b&c.png", "50%25.png"]) func `an image may have any name`(_ name: String) throws {
    let source = name.replacing("&", with: "&amp;")
    let draft = try read(
      after: "UPDATE notes SET flds = '<img src=\"\(source)\">' || char(31) || 'b' || char(31) WHERE id = 1001",
      media: [(name, Self.grey.png)])

    #expect(
      try draft.allContents().flatMap(\.storedImages).map(\.size) == [StoredImage.PixelSize(width: 40, height: 20)])
  }

  @Test func `an image may have a percent-encoded name`() throws {
    let draft = try read(
      after: "UPDATE notes SET flds = '<img src=\"a%23b%20c.png\">' || char(31) || 'b' || char(31) WHERE id = 1001",
      media: [("a#b c.png", Self.grey.png)])

    #expect(try draft.allContents().flatMap(\.storedImages).count == 1)
  }

  /// SQL that makes an image occlusion of the note with cloze deletions.
  private func occlusion(_ masks: String) -> String {
    """
    UPDATE notes SET flds = '\(masks)' || char(31) || '<img src="map.png">' WHERE id = 1003;
    UPDATE col SET models = json_set(models, '$."101".tmpls[0].qfmt', '<div>{{cloze:Text}}</div>{{More}}<canvas></canvas>',
      '$."101".tmpls[0].afmt', '{{cloze:Text}}{{More}}<script>draw()</script>')
    """
  }

  @Test func `an image occlusion shows the picture with the asked mask, and uncovers it on the answer`() throws {
    let masks =
      "{{c1::image-occlusion:rect:left=.1:top=.2:width=.4:height=.6:oi=1}}<br>"
      + "{{c2::image-occlusion:ellipse:left=.6:top=.2:rx=.15:ry=.3:oi=1}}<br>"
    let draft = try read(after: occlusion(masks), media: [("map.png", Self.grey.png)])
    let card = try #require(cards(of: draft).first { $0.key == "hitch/0" })

    func picture(_ blocks: [Block]) throws -> (words: String, colours: [[UInt8]]) {
      let images = ActivityContent.reading(blocks).storedImages
      let bytes = try #require(try draft.contents.image(images[0].digest))
      let image = try PixelImage(decoding: bytes, named: "picture")
      func colour(_ column: Int, _ row: Int) -> [UInt8] {
        Array(image.pixels[4 * (row * 40 + column)..<4 * (row * 40 + column) + 3])
      }
      // The border and the inside of the rectangle, the inside of the ellipse, and the picture.
      return (blocks.plainText, [colour(4, 10), colour(6, 6), colour(26, 10), colour(38, 18)])
    }
    let (red, yellow, black, grey): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
      [255, 142, 142], [255, 235, 162], [33, 33, 33], [128, 128, 128]
    )
    let question = try picture([.paragraph(card.front)])
    #expect(question.colours == [black, red, yellow, grey])
    #expect(question.words.contains("picture with box 1, which is asked, box 2"))
    let answer = try picture(card.back)
    #expect(answer.colours == [black, grey, yellow, grey])
    #expect(answer.words.contains("picture with box 1, which is uncovered, box 2"))
    #expect(draft.losses.map(\.what).filter { $0.contains("drawing") || $0.contains("script") } == [])
  }

  @Test func `rotated masks and polygons cover the same places as in Anki, and other masks may stay hidden`() throws {
    let masks =
      "{{c1::image-occlusion:polygon:left=.1:top=.1:points=.1,.1 .5,.1 .1,.9}}"
      + "{{c2::image-occlusion:rect:left=.9:top=.1:width=.4:height=.2:angle=90}}"
    let draft = try read(after: occlusion(masks), media: [("map.png", Self.grey.png)])

    func isCovered(_ key: String, _ column: Int, _ row: Int) throws -> Bool {
      let card = try #require(cards(of: draft).first { $0.key == key })
      let digest = ActivityContent.reading([.paragraph(card.front)]).storedImages[0].digest
      let image = try PixelImage(decoding: #require(try draft.contents.image(digest)), named: "picture")
      return image.pixels[4 * (row * 40 + column)] != 128
    }
    #expect(try isCovered("hitch/0", 6, 4) && !isCovered("hitch/0", 18, 16) && !isCovered("hitch/0", 34, 8))
    #expect(try isCovered("hitch/1", 34, 8) && !isCovered("hitch/1", 38, 4) && !isCovered("hitch/1", 6, 4))
  }

  @Test func `an image occlusion without its image is counted and left out`() throws {
    let draft = try read(after: occlusion("{{c1::image-occlusion:rect:left=.1:top=.2:width=.4:height=.6}}"))

    #expect(try cards(of: draft).map(\.key).filter { $0?.hasPrefix("hitch") == true } == [])
    #expect(
      draft.losses.contains(
        Loss(
          what: "card with an image occlusion whose image or mask is missing", count: 2, treatment: "left out")))
  }
}

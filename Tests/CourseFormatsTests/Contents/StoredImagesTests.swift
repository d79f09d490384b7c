import Foundation
import LearningModel
import Snapshots
import Testing

@testable import CourseFormats

/// Tests that every reader stores the images in its texts.
struct StoredImagesTests {
  private static let drawing = "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'><title>a</title></svg>"

  @Test func `the images of a folder are stored once and do not count as losses`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![one](img/x.png) and [![two](img/x.png)](b.md)", "b.md": "# B\n\nb"])
    try folder.write(tinyPNG(), to: "img/x.png")

    let draft = try folder.read()

    #expect(try draft.images() == ["img/x.png|one|3×2", "img/x.png|two|3×2"])
    #expect(draft.lost == [])
    #expect(try draft.contents.image(draft.digests()[0]).map { Data($0) } == tinyPNG())
  }

  @Test func `an image is found relative to its page, to the web address or to the site root`()
    throws
  {
    let folder = try TestFolder([
      "docs/guide/a.md": "# A\n\n![1](x.png)\n\n![2](../../img/y.png)\n\n![3](/z.png)\n\n![4](/w%20w.png?raw=1)"
    ])
    for (name, width) in [
      ("docs/guide/x.png", 1), ("docs/img/y.png", 2), ("docs/static/z.png", 3), ("docs/w w.png", 4),
    ] {
      try folder.write(tinyPNG(width: width), to: name)
    }

    #expect(
      try folder.read().images() == [
        "x.png|1|1×2", "../../img/y.png|2|2×2", "/z.png|3|3×2", "/w%20w.png?raw=1|4|4×2",
      ])
  }

  @Test func `an image that cannot be stored is counted as a loss with its reason`() throws {
    let folder = try TestFolder([
      "a.md": """
      # A

      ![a](gone.png) ![b](https://example.org/x.png) ![c](large.png) ![d](words.png) ![e](broken.png)
      ![](gone.png) ![f](../../outside.png) ![g](x.png) ![h](y.png) ![i](data:image/png;base64,AA!)
      """, "words.png": "no picture",
    ])
    var limits = SourceLimits()
    limits.imageSize = 1 << 20
    limits.totalImageSize = tinyPNG().count
    try folder.write(Data(count: 1 << 20 + 1), to: "large.png")
    try folder.write(tinyPNG().prefix(10), to: "broken.png")
    try folder.write(tinyPNG(), to: "x.png")
    try folder.write(tinyPNG(grey: 91), to: "y.png")

    let draft = try folder.read(limits: limits)

    expectSnapshot(draft.lost.sorted())
    #expect(try draft.images().filter { $0.hasSuffix("×2") } == ["x.png|g|3×2"])
  }

  @Test(arguments: [
    ("width='30' height='2e1'", "30×20"), ("width='1in' height='72pt'", "96×96"),
    ("width='2.54cm' height='6pc'", "96×96"),
    ("viewBox='0 0 30 10'", "600×200"), ("viewBox='0,0,30,10' width='60'", "60×20"),
    ("viewBox='0 0 30 10' height='1em' width='100%'", "48×16"), ("width='100%' height='50%'", "no pixels"),
    ("viewBox='0 0 0 10'", "no pixels"), ("width='8192000' height='4096000'", "2048×1024"),
    ("width='1e308' height='1e-308'", "2048×1"), ("width='wide' height='10'", "no pixels"),
    ("viewBox='0 0 1 1e400'", "no pixels"), ("width='1e308in' height='10'", "no pixels"),
    ("viewBox='0 0 1e-300 1e300'", "no pixels"), ("viewBox='0 0 nan inf'", "no pixels"),
    ("viewBox='0 0 1e-200 1' width='1e200'", "no pixels"), ("viewBox='0 0 1e300 1e-300'", "600×1"),
  ])
  func `an SVG image has the size that it specifies`(_ attributes: String, _ size: String) throws {
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>"
    let folder = try TestFolder(["a.md": "# A\n\n![a drawing](a.svg)", "a.svg": drawing])

    #expect(try folder.read().images() == ["a.svg|a drawing|\(size)"])
  }

  @Test func `an SVG image that is not XML is counted as a loss`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![a drawing](a.svg)", "a.svg": "<svg><g></svg>"])

    #expect(try folder.read().lost == ["1 image: shown as its description because its data is invalid"])
  }

  @Test func `an SVG element of a book is stored unless it is an icon`() throws {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
    let book = SmallBook(
      [
        "tea.xhtml": """
        <p>\(svg) viewBox="0 0 40 20"><title>A cup</title><path id='p' d="M1 1h8"/><a xlink:href="#p"/></svg></p>
        <p>\(svg) width="16" height="16"><title>Hot</title></svg></p>
        """
      ], contents: "<li><a href='tea.xhtml'>Tea</a></li>")

    let draft = try book.read()

    #expect(try draft.images() == ["|A cup|600×300", "|Hot"])
    #expect(
      try draft.contents.image(draft.digests()[0]).map { String(decoding: $0, as: UTF8.self) } == """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20">\
        <title>A cup</title><path id="p" d="M1 1h8"/><a xlink:href="#p"/></svg>
        """)
    #expect(draft.lost == ["1 drawing: shown as its text"])
  }

  @Test func `an SVG image without a size is stored without one`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![a drawing](a.svg)", "a.svg": Self.drawing])

    #expect(try folder.read().images() == ["a.svg|a drawing|no pixels"])
  }

  @Test func `an image in a data address is stored without the address`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n\n![it](data:image/png;base64,\(tinyPNG().base64EncodedString()))\n\n"
        + "<img alt='drawn' src=\"data:image/svg+xml,%3Csvg%3E%3C/svg%3E\">"
    ])

    let draft = try folder.read()

    #expect(try draft.images() == ["|it|3×2", "|drawn|no pixels"])
    #expect(draft.lost == [])
  }

  @Test func `images relative to pages of mdBook are stored`() throws {
    let folder = try TestFolder([
      "book.toml": "[book]\ntitle = \"B\"", "src/SUMMARY.md": "# S\n\n- [A](one/a.md)",
      "src/one/a.md": "# A\n\n![x](../img/x.png)",
    ])
    try folder.write(tinyPNG(), to: "src/img/x.png")

    #expect(try folder.read().images() == ["../img/x.png|x|3×2"])
  }

  @Test func `linked and embedded images of EPUB are stored`() throws {
    var book = SmallBook(
      ["a.xhtml": "<p>a <img src='i/x.png' alt='x'/><img src='i%20j/y.png'/></p><p><img src='DATA' alt='in it'/></p>"])
    book["a.xhtml"] = book["a.xhtml"].replacing(
      "DATA", with: "data:image/png;base64," + tinyPNG().base64EncodedString())
    book.files["O/i/x.png"] = tinyPNG(width: 5)
    book.files["O/i j/y.png"] = tinyPNG(width: 6)

    let draft = try book.read()

    #expect(try draft.images() == ["O/i/x.png|x|5×2", "O/i j/y.png||6×2", "|in it|3×2"])
    #expect(draft.lost == [])
  }

  @Test func `image outputs and attachments of notebook cells are stored`() throws {
    let base64 = tinyPNG().base64EncodedString()
    let folder = try TestFolder([
      "n.ipynb": """
      {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# N\\n", "\\n", "![here](attachment:a%20b.png)"],
         "attachments": {"a b.png": {"image/png": "\(tinyPNG(width: 7).base64EncodedString())"}}},
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "draw()", "outputs": [
          {"output_type": "display_data", "metadata": {}, "data": {
            "image/png": ["\(base64.prefix(8))\\n", "\(base64.dropFirst(8))"],
            "text/plain": "<Figure size 640x480 with 1 Axes>"}},
          {"output_type": "display_data", "metadata": {}, "data": {
            "image/svg+xml": "<svg>50%</svg>", "text/plain": "drawn"}},
          {"output_type": "display_data", "metadata": {}, "data": {"image/bmp": "Qk0=", "text/plain": "old"}}]}]}
      """
    ])

    let draft = try folder.read()

    #expect(
      try draft.images() == ["|here|7×2", "|Figure size 640x480 with 1 Axes|3×2", "|drawn|no pixels", "|old"])
    #expect(draft.lost == ["1 image: shown as its description"])
  }

  @Test func `images in texts, cards and questions of a Waymark folder are stored`() throws {
    let folder = try TestFolder([
      "course.yml": "title: C", "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L",
      "g/l/1-cards.md": "---\ntitle: Cards\ntype: flashcards\n---\n## ![f](x.png)\n\n![b](x.png)",
      "g/l/2-quiz.md": "---\ntitle: Quiz\ntype: quiz\n---\n## Which?\n\n![d](x.png)\n\n- [x] ![c](x.png)\n- [ ] no",
    ])
    try folder.write(tinyPNG(), to: "g/l/x.png")

    let draft = try folder.read()

    #expect(try draft.digests().count == 4)
    #expect(Set(try draft.digests()).count == 1)
    #expect(draft.losses == [])
  }

  @Test func `a changed image changes the digest of the source`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![one](x.png)"])
    try folder.write(tinyPNG(), to: "x.png")
    let first = try folder.read().sourceDigest
    try folder.write(tinyPNG(grey: 91), to: "x.png")

    #expect(try folder.read().sourceDigest != first)
  }
}

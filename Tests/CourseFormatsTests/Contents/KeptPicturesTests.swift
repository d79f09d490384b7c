import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

/// Every reader hands over the pictures that its texts show.
struct KeptPicturesTests {
  private static let drawing = "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'><title>a</title></svg>"

  @Test func `a folder's pictures are kept, each once, and are no loss`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![one](img/x.png) and [![two](img/x.png)](b.md)", "b.md": "# B\n\nb"])
    try folder.write(tinyPNG(), to: "img/x.png")

    let draft = try folder.read()

    #expect(try draft.images() == ["img/x.png|one|3×2", "img/x.png|two|3×2"])
    #expect(draft.lost == [])
    #expect(try draft.contents.picture(draft.digests()[0]).map { Data($0) } == tinyPNG())
  }

  @Test func `a picture is found beside its page, from the page's folder on the web, and below the tops of a site`()
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

  @Test func `what cannot be kept is told of, with the reason`() throws {
    let folder = try TestFolder([
      "a.md": """
      # A

      ![a](gone.png) ![b](https://example.org/x.png) ![c](large.png) ![d](words.png) ![e](broken.png)
      ![](gone.png) ![f](../../outside.png) ![g](x.png) ![h](y.png) ![i](data:image/png;base64,AA!)
      """, "words.png": "no picture",
    ])
    var limits = SourceLimits()
    limits.pictureSize = 1 << 20
    limits.picturesSize = tinyPNG().count
    try folder.write(Data(count: 1 << 20 + 1), to: "large.png")
    try folder.write(tinyPNG().prefix(10), to: "broken.png")
    try folder.write(tinyPNG(), to: "x.png")
    try folder.write(tinyPNG(grey: 91), to: "y.png")

    let draft = try folder.read(limits: limits)

    #expect(
      draft.lost.sorted() == [
        "1 image: its description is shown, for all pictures are larger than 0 MiB",
        "1 image: its description is shown, for it is larger than 1 MiB",
        "1 image: its description is shown, for it is no PNG, JPEG, GIF, WebP or SVG",
        "1 image: its description is shown, for it is on the net",
        "1 image: its place is shown, for its file is not there",
        "2 image: its description is shown, for its data are broken",
        "2 image: its description is shown, for its file is not there",
      ])
    #expect(try draft.images().filter { $0.hasSuffix("×2") } == ["x.png|g|3×2"])
  }

  @Test func `a drawing is kept, and has no pixels of its own`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![a drawing](a.svg)", "a.svg": Self.drawing])

    #expect(try folder.read().images() == ["a.svg|a drawing|no pixels"])
  }

  @Test func `a picture that stands in the text itself leaves its bytes behind`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n\n![it](data:image/png;base64,\(tinyPNG().base64EncodedString()))\n\n"
        + "<img alt='drawn' src=\"data:image/svg+xml,%3Csvg%3E%3C/svg%3E\">"
    ])

    let draft = try folder.read()

    #expect(try draft.images() == ["|it|3×2", "|drawn|no pixels"])
    #expect(draft.lost == [])
  }

  @Test func `a book of mdBook keeps the pictures beside its pages`() throws {
    let folder = try TestFolder([
      "book.toml": "[book]\ntitle = \"B\"", "src/SUMMARY.md": "# S\n\n- [A](one/a.md)",
      "src/one/a.md": "# A\n\n![x](../img/x.png)",
    ])
    try folder.write(tinyPNG(), to: "src/img/x.png")

    #expect(try folder.read().images() == ["../img/x.png|x|3×2"])
  }

  @Test func `a book in EPUB keeps the pictures that its pages name, and those in them`() throws {
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

  @Test func `a notebook keeps what its cells have drawn, and what is attached to them`() throws {
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
    #expect(draft.lost == ["1 image: its description is shown"])
  }

  @Test func `an own folder keeps the pictures of its texts, cards and questions`() throws {
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

  @Test func `another picture of the same name is another source`() throws {
    let folder = try TestFolder(["a.md": "# A\n\n![one](x.png)"])
    try folder.write(tinyPNG(), to: "x.png")
    let first = try folder.read().sourceDigest
    try folder.write(tinyPNG(grey: 91), to: "x.png")

    #expect(try folder.read().sourceDigest != first)
  }
}

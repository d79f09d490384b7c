"""Prints the words of a source that a text does not contain, one line of JSON for each word: {"word", "count"}.

    word-oracle.py SOURCE FORMAT < TEXT

SOURCE is a file or a folder, and FORMAT its format. In "epub" and "html", the words of the pages of HTML, also in a zip
archive, are read with html.parser. In other formats, those of Markdown and of notebooks are read with libcmark-gfm, whose
HTML is then read with html.parser. Both are independent of the program's own readers. A word is a run of letters in
Unicode's compatibility form. Words are compared as multisets.
"""
import collections
import ctypes
import ctypes.util
import html.parser
import json
import pathlib
import sys
import unicodedata
import zipfile

PAGES = (".html", ".htm", ".xhtml")
MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd")


class Text(html.parser.HTMLParser):
    """The text of a page, without programs, style sheets, the head and lists of links to other pages."""

    LEFT_OUT = {"script", "style", "head", "template", "nav"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.pieces = []
        self.open = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        # Elements that XML closes itself are not open.
        if tag in self.LEFT_OUT:
            self.open.append(tag)
        if tag not in INLINE:
            self.pieces.append(" ")
        description = dict(attributes).get("alt")
        if tag == "img" and description:
            self.pieces.append(" " + description + " ")

    def handle_startendtag(self, tag, attributes):
        if tag not in self.LEFT_OUT:
            self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if tag not in INLINE:
            self.pieces.append(" ")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if not self.open:
            self.pieces.append(data)


INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "rb", "s",
    "small", "span", "strong", "sub", "sup", "u", "var", "wbr",
}


def words(text):
    """The runs of letters in a text, with their numbers."""
    found = collections.Counter()
    word = []
    for letter in unicodedata.normalize("NFKC", text) + " ":
        # Soft hyphens and joiners are part of a word.
        if unicodedata.category(letter) == "Cf":
            continue
        if unicodedata.category(letter)[0] in "LM":
            word.append(letter)
        else:
            # A mark without a letter, such as the variation selector of a symbol, is no word.
            if any(unicodedata.category(letter)[0] == "L" for letter in word):
                found["".join(word)] += 1
            word = []
    return found


def cmark():
    library = ctypes.CDLL(ctypes.util.find_library("cmark-gfm") or "libcmark-gfm.so.0.29.0.gfm.6")
    library.cmark_markdown_to_html.restype = ctypes.c_char_p
    unsafe = 1 << 17

    def convert(text):
        data = text.encode()
        return library.cmark_markdown_to_html(data, len(data), unsafe).decode()

    return convert


def decoded(data):
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(name, "replace")
    return data.decode("utf-8", "replace")


def without_fields(text):
    """A page of Markdown without its front matter."""
    if text.startswith("---\n"):
        end = text.find("\n---", 4)
        if end >= 0:
            return text[end + 4 :]
    return text


def page_words(name, data, form, convert):
    kind = pathlib.PurePath(name).suffix.lower()
    if (kind in PAGES) != (form in ("epub", "html")):
        return collections.Counter()
    if kind in PAGES:
        return words("".join(Text(decoded(data)).pieces))
    if kind in MARKDOWN:
        return words("".join(Text(convert(without_fields(decoded(data)))).pieces))
    if kind == ".ipynb":
        found = collections.Counter()
        for cell in json.loads(data)["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                found += words("".join(Text(convert(source)).pieces))
            else:
                found += words(source)
        return found
    if kind in (".txt", ".text"):
        return words(decoded(data))
    return collections.Counter()


def files(source):
    path = pathlib.Path(source)
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file():
                yield str(file.relative_to(path)), file.read_bytes()
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                yield name, archive.read(name)
    else:
        yield path.name, path.read_bytes()


def main():
    shown = words(sys.stdin.read())
    convert = cmark()
    written = collections.Counter()
    for name, data in files(sys.argv[1]):
        written += page_words(name, data, sys.argv[2], convert)
    for word, count in sorted((written - shown).items()):
        print(json.dumps({"word": word, "count": count}, ensure_ascii=False))
    print(sum(written.values()), "words", file=sys.stderr)


main()

"""Prints program texts with the token classes that Pygments assigns to their characters, one line of JSON per text.

    pygments-oracle.py TEXTS [SAMPLES] [PYGMENTS]

TEXTS is the folder of texts next to this file. SAMPLES is a folder of third-party courses, of which the code blocks, notebook
cells, and HTML, CSS, TOML, YAML and JSON files are used. PYGMENTS is the unpacked source distribution of Pygments, of which the
example files and snippets are used. A line is {"language", "from", "text", "classes"}. "classes" has one letter per character:
the first letter of the class in pygments-classes.json, or a point for plain.
"""
import json
import pathlib
import re
import sys

import pygments
from pygments.lexers import get_lexer_by_name

HERE = pathlib.Path(__file__).parent
MAP = json.loads((HERE / "pygments-classes.json").read_text())
LETTERS = {"plain": ".", "comment": "c", "string": "s", "number": "n", "keyword": "k", "type": "t", "function": "f",
           "operator": "o"}
# Waymark's name, Pygments' name, folders of its examples, file extensions, info strings of code blocks.
LANGUAGES = [
    ("rust", "rust", "rust", "rs", "rust"),
    ("c", "c", "c", "c", "c"),
    ("c++", "cpp", "cpp", "cpp", "cpp c++"),
    ("python", "python", "python", "py", "python code-cell ipython source"),
    ("javascript", "javascript", "js javascript", "js", "js javascript"),
    ("typescript", "typescript", "typescript ts", "ts", "ts typescript"),
    ("go", "go", "go", "go", "go"),
    ("java", "java", "java", "java", "java"),
    ("kotlin", "kotlin", "kotlin", "kt", "kotlin"),
    ("swift", "swift", "swift", "swift", "swift"),
    ("c#", "csharp", "csharp", "cs", "csharp"),
    ("ruby", "ruby", "rb ruby", "rb", "ruby"),
    ("shell", "bash", "bash", "sh", "bash sh shell"),
    ("sql", "sql", "sql", "sql", "sql"),
    ("json", "json", "json", "json", "json"),
    ("yaml", "yaml", "yaml", "yaml yml", "yaml yml"),
    ("toml", "toml", "toml", "toml", "toml"),
    ("html", "html", "html", "html", "html"),
    ("css", "css", "css", "css", "css"),
    ("haskell", "haskell", "haskell", "hs", "haskell"),
    ("diff", "diff", "diff", "diff", "diff"),
    ("console", "console", "console", "console", "console"),
]
FILES = {"html", "css", "toml", "yaml", "json"}
# Files that are invalid or endless on purpose, and generated files that are longer than all others together.
LEFT_OUT = {"pypi-dump.json", "unicode.js", "evil_regex.js", "ltmain.sh"}
MOST = 60_000


def classes(language, lexer, text):
    own = MAP.get(language, {})
    known = {}

    def letter(kind):
        if kind not in known:
            names = [".".join(str(kind).split(".")[1:n]) for n in range(len(str(kind).split(".")), 1, -1)]
            names = [n for name in names for n in (name, name.removeprefix("Literal."))] + ["Token"]
            known[kind] = LETTERS[next(own[n] if n in own else MAP["all"][n] for n in names
                                       if n in own or n in MAP["all"])]
        return known[kind]

    letters = ["."] * len(text)
    for start, kind, value in lexer.get_tokens_unprocessed(text):
        letters[start:start + len(value)] = letter(kind) * len(value)
    return "".join(letters)[:len(text)]


def fenced(samples):
    fence = re.compile(r"^( *)(```+|~~~+) *\{?\.?([\w+#-]+)[^\n`]*\n(.*?)^\1\2 *$", re.M | re.S)
    for path in sorted(samples.rglob("*.md")):
        for match in fence.finditer(path.read_text(errors="replace")):
            indent = len(match.group(1))
            yield match.group(3).lower(), "".join(
                line[indent:] if line[:indent].isspace() else line for line in match.group(4).splitlines(True)
                if "{{#" not in line)


def texts(language, folders, endings, words, own, samples, source, blocks):
    for path in sorted(own.glob("*")):
        if path.suffix[1:] in endings:
            yield path.name, path.read_text()
    if samples:
        # The code blocks of a language are joined, so that the score of a line is meaningful.
        if blocks.get(language):
            yield "samples", "\n".join(blocks[language])
        if language in FILES:
            for ending in endings:
                for path in sorted(samples.rglob("*." + ending))[:40]:
                    yield path.name, path.read_text(errors="replace")
        if language == "python":
            for path in sorted(samples.rglob("*.ipynb")):
                for cell in json.loads(path.read_text())["cells"]:
                    if cell["cell_type"] == "code":
                        yield path.name, "".join(cell["source"]) + "\n"
    if source:
        for folder in folders:
            for path in sorted((source / "tests/examplefiles" / folder).glob("*")):
                if not path.name.endswith(".output") and path.name not in LEFT_OUT:
                    yield path.name, path.read_text(errors="replace")
            for path in sorted((source / "tests/snippets" / folder).glob("*.txt")):
                match = re.search(r"---input---\n(.*?)\n---tokens---", path.read_text(), re.S)
                if match:
                    yield path.name, match.group(1) + "\n"


def main(own, samples=None, source=None):
    samples = pathlib.Path(samples) if samples else None
    source = pathlib.Path(source) if source else None
    blocks = {}
    for word, text in fenced(samples) if samples else ():
        for language in LANGUAGES:
            if word in language[4].split():
                blocks.setdefault(language[0], []).append(text)
    print(json.dumps({"version": pygments.__version__}))
    for language, name, folders, endings, words in LANGUAGES:
        lexer = get_lexer_by_name(name)
        for origin, text in texts(
                language, folders.split(), endings.split(), words, pathlib.Path(own), samples, source, blocks):
            text = text.replace("\r\n", "\n").removeprefix("\ufeff")
            if len(text) > MOST and origin != "samples":
                text = text[:text.rindex("\n", 0, MOST) + 1]
            print(json.dumps({"language": language, "from": origin, "text": text,
                              "classes": classes(language, lexer, text)}))


main(*sys.argv[1:])

"""Prints the cells of a notebook as nbformat reads them: one line of JSON for each cell, and for each output.

    nbformat-oracle.py NOTEBOOK

A cell is {"kind", "text"}. An output is {"kind": "output", "form", "text"}: the form that is shown according to the
documentation, and its text without escape sequences. Adjacent outputs to the same stream are joined. Older notebooks are
converted to version 4 by nbformat itself.
"""
import json
import re
import sys

import nbformat

ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(\x07|\x1b\\)?|[ -/].|.)")
BARE = re.compile(r"<(Figure .*|.*( object| at 0x).*)>")


def say(**fields):
    print(json.dumps(fields, ensure_ascii=False))


def plain(text):
    text = ESCAPE.sub("", text).replace("\r\n", "\n")
    text = "\n".join(re.sub(r".*\r(?=.)", "", line) for line in text.split("\n"))
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", text)


def words(value):
    return "".join(value) if isinstance(value, list) else value


def form(output):
    if output.output_type == "stream":
        return "text", plain(output.text)
    if output.output_type == "error":
        return "text", plain("\n".join(output.traceback) or f"{output.ename}: {output.evalue}")
    data = output.data
    text = data.get("text/plain")
    text = None if text is None else plain(words(text))
    if any(kind.startswith("image/") for kind in data):
        bare = (text or "").strip()
        named = re.fullmatch(r"<(.*)>", bare)
        if not bare or (named and re.search(r" object| at 0x", bare)):
            return "picture", "Picture"
        return "picture", named.group(1) if named else bare
    is_bare = text is not None and BARE.fullmatch(text.strip()) is not None
    if "text/html" in data and "<table" in words(data["text/html"]):
        return "table", ""
    if text is not None and not is_bare:
        return "text", text
    for kind in ("text/html", "text/markdown", "text/latex"):
        if kind in data:
            return kind[5:], "" if kind == "text/html" else words(data[kind])
    return ("text", text) if text is not None else ("lost", "")


def main(path):
    for cell in nbformat.read(path, as_version=4).cells:
        say(kind=cell.cell_type, text=cell.source)
        last = None
        outputs = []
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and last is not None and last.output_type == "stream" \
                    and last.name == output.name:
                last.text += output.text
            else:
                last = output
                outputs.append(output)
        for output in outputs:
            kind, text = form(output)
            say(kind="output", form=kind, text=text)


main(sys.argv[1])

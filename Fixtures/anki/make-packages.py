"""Writes the packages in this folder: the deck "Knots" as each version of Anki exports it.

    make-packages.py

Needs Python 3 and the program zstd. No part of Anki is used: the tables are those of Anki's schema versions 11 and 18,
with the columns that a reader needs. Equal runs write equal bytes.
"""
import json
import os
import sqlite3
import subprocess
import tempfile
import zipfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
IMAGE = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M2 10 Q20 -8 38 10 T2 10"/></svg>'
SOUND = b"not really a sound"
MEDIA = [("bowline.svg", IMAGE), ("rope.mp3", SOUND)]
CREATED = 1_700_000_000

DECKS = {1: "Default", 10: "Knots", 11: "Knots::1. Bends", 12: "Knots::2. Hitches", 13: "Knots::10. Loops", 14: "Empty"}
# Name, kind (1 for cloze deletions), fields, templates.
TYPES = {
    100: ("Term", 0, ["Term", "Meaning", "Hint"], [
        ("Meaning", "{{Term}}{{hint:Hint}}", "{{FrontSide}}\n\n<hr id=answer>\n\n{{Meaning}}"),
        ("Term", "{{#Hint}}{{text:Meaning}}{{/Hint}}", "{{furigana:Term}} <small>{{Deck}} {{Tags}}</small>"),
    ]),
    101: ("Sentence", 1, ["Text", "More"], [("Cloze", "{{cloze:Text}}", "{{cloze:Text}}<br>{{More}}")]),
    102: ("Spelling", 0, ["Prompt", "Word"], [
        ("Card 1", "{{Prompt}} {{type:Word}}", "{{FrontSide}}<hr id=answer>{{type:Word}}")]),
}
# Identifier, guid, type, deck, tags, fields.
NOTES = [
    (1001, "bend", 100, 10, "basics", ["bend", "a knot that joins <b>two</b> ropes", ""]),
    (1002, "sheet", 100, 11, "rope::two basics", ["sheet bend", "joins ropes of different thickness", "used on sails"]),
    (1003, "hitch", 101, 12, "", ["A {{c1::clove {{c2::hitch}}::two words}} ties a rope to a {{c2::post}}.", "It slips."]),
    (1004, "loop", 102, 13, "", ["<img src=\"bowline.svg\" alt=\"a loop\"> the king of knots [sound:rope.mp3]", "bowline"]),
    (1005, "load", 100, 13, "", ["tension in a loop", "\\(T = \\frac{F}{2}\\) in each leg", ""]),
]
# Note, ordinal, kind, queue, due, interval, reviews, lapses, data.
CARDS = [
    (1001, 0, 2, 2, 12, 9, 2, 0, '{"pos":1,"s":9.1,"d":4.2}'), (1002, 0, 0, 0, 2, 0, 0, 0, "{}"),
    (1002, 1, 0, -1, 2, 0, 0, 0, "{}"), (1003, 0, 0, 0, 3, 0, 0, 0, "{}"), (1003, 1, 0, 0, 3, 0, 0, 0, "{}"),
    (1004, 0, 0, 0, 4, 0, 0, 0, "{}"), (1005, 0, 0, 0, 5, 0, 0, 0, "{}"),
]
# Identifier (time in milliseconds), note, rating, interval, previous interval, time in milliseconds, kind.
LOG = [(1_700_086_400_000, 1001, 3, -600, 0, 4_200, 0), (1_700_087_100_000, 1001, 3, 9, -600, 2_500, 0)]

COMMON = """
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
  usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
  flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
  ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL,
  odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
  ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL, type integer NOT NULL);
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
  ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
  models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
"""
TABLES = """
CREATE TABLE decks (id integer PRIMARY KEY NOT NULL, name text NOT NULL COLLATE unicase, mtime_secs integer NOT NULL,
  usn integer NOT NULL, common blob NOT NULL, kind blob NOT NULL);
CREATE TABLE notetypes (id integer NOT NULL PRIMARY KEY, name text NOT NULL COLLATE unicase, mtime_secs integer NOT NULL,
  usn integer NOT NULL, config blob NOT NULL);
CREATE TABLE fields (ntid integer NOT NULL, ord integer NOT NULL, name text NOT NULL COLLATE unicase,
  config blob NOT NULL, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
CREATE TABLE templates (ntid integer NOT NULL, ord integer NOT NULL, name text NOT NULL COLLATE unicase,
  mtime_secs integer NOT NULL, usn integer NOT NULL, config blob NOT NULL, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
CREATE UNIQUE INDEX idx_decks_name ON decks (name);
"""


def varint(number):
    result = b""
    while number > 127:
        result += bytes([number & 127 | 128])
        number >>= 7
    return result + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def collection(newest, empty=False):
    """Returns the bytes of a collection. An empty one has a single note that asks for a newer version of Anki."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/collection"
        database = sqlite3.connect(path)
        database.create_collation("unicase", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
        database.executescript("PRAGMA page_size = 1024;" + COMMON + (TABLES if newest else ""))
        models, decks = {}, {}
        notes, cards = NOTES, CARDS
        if empty:
            notes = [(1, "update", 100, 1, "", ["Please update Anki.", "This is a placeholder.", ""])]
            cards = [(1, 0, 0, 0, 1, 0, 0, 0, "{}")]
        for number, (name, kind, fields, templates) in TYPES.items():
            if newest:
                database.execute("INSERT INTO notetypes VALUES (?, ?, 0, 0, ?)", (number, name, field(1, kind) if kind else b""))
                for ord, text in enumerate(fields):
                    database.execute("INSERT INTO fields VALUES (?, ?, ?, x'')", (number, ord, text))
                for ord, (text, question, answer) in enumerate(templates):
                    config = field(1, question) + field(2, answer) + field(8, 1 << 40)
                    database.execute("INSERT INTO templates VALUES (?, ?, ?, 0, 0, ?)", (number, ord, text, config))
            models[number] = {
                "id": number, "name": name, "type": kind, "flds": [{"name": n, "ord": i} for i, n in enumerate(fields)],
                "tmpls": [{"name": n, "ord": i, "qfmt": q, "afmt": a} for i, (n, q, a) in enumerate(templates)]}
        for number, name in DECKS.items():
            if newest:
                database.execute("INSERT INTO decks VALUES (?, ?, 0, 0, x'', ?)", (number, name.replace("::", "\x1f"), field(1, b"")))
            decks[number] = {"id": number, "name": name}
        texts = ("{}", "{}") if newest else (json.dumps(models), json.dumps(decks))
        database.execute("INSERT INTO col VALUES (1, ?, 0, 0, ?, 0, 0, 0, '{}', ?, ?, '{}', '{}')",
                         (CREATED, 18 if newest else 11, *texts))
        for number, guid, kind, deck, tags, fields in notes:
            database.execute("INSERT INTO notes VALUES (?, ?, ?, 0, 0, ?, ?, 0, 0, 0, '')",
                             (number, guid, kind, f" {tags} " if tags else "", "\x1f".join(fields)))
        places = {note[0]: note[3] for note in notes}
        identifiers = {}
        for index, (note, ord, kind, queue, due, interval, reviews, lapses, data) in enumerate(cards):
            identifiers.setdefault(note, 2000 + index)
            database.execute("INSERT INTO cards VALUES (?, ?, ?, ?, 0, 0, ?, ?, ?, ?, 0, ?, ?, 0, 0, 0, 0, ?)",
                             (2000 + index, note, places[note], ord, kind, queue, due, interval, reviews, lapses, data))
        for time, note, rating, interval, before, duration, kind in LOG if not empty else []:
            database.execute("INSERT INTO revlog VALUES (?, ?, 0, ?, ?, ?, 0, ?, ?)",
                             (time, identifiers[note], rating, interval, before, duration, kind))
        database.commit()
        database.close()
        with open(path, "rb") as file:
            return file.read()


def compressed(data):
    return subprocess.run(["zstd", "-q", "-c", "-19"], input=data, stdout=subprocess.PIPE, check=True).stdout


def write(name, entries):
    with zipfile.ZipFile(os.path.join(FOLDER, name), "w", zipfile.ZIP_DEFLATED) as package:
        for entry, data in entries:
            package.writestr(zipfile.ZipInfo(entry, (2026, 1, 1, 0, 0, 0)), data)


names = json.dumps({str(index): name for index, (name, _) in enumerate(MEDIA)}).encode()
files = [(str(index), data) for index, (_, data) in enumerate(MEDIA)]
listed = b"".join(field(1, field(1, name) + field(2, len(data))) for name, data in MEDIA)
placeholder = ("collection.anki2", collection(newest=False, empty=True))
write("knots-anki2.apkg", [("collection.anki2", collection(newest=False)), ("media", names), *files])
write("knots-anki21.apkg", [
    ("meta", field(1, 2)), placeholder, ("collection.anki21", collection(newest=False)), ("media", names), *files])
write("knots.apkg", [
    ("meta", field(1, 3)), placeholder, ("collection.anki21b", compressed(collection(newest=True))),
    ("media", compressed(listed)), *[(name, compressed(data)) for name, data in files]])

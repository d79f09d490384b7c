#!/usr/bin/env python3
"""Writes WidthTable.swift from the Unicode Character Database.

Usage, from the root of the repository:
    python3 Sources/TextCanvas/Width/generate-width-table.py [folder of the database]

The folder must contain EastAsianWidth.txt, UnicodeData.txt, LineBreak.txt, DerivedCoreProperties.txt,
HangulSyllableType.txt and emoji/. The default is the folder of Debian's package unicode-data. The rules are those of
ScalarTraits.swift. For a new version of Unicode, run this script unchanged and review the difference.
"""
import re
import sys
from pathlib import Path

LIMIT = 0x40000  # ScalarTraits has a separate rule for larger scalars.
BLOCK = 128
FIRST = 0x24  # '$': characters from here to '~' need no escape in a raw Swift string.

# Roles and line breaking classes, in the order of the enumerations in ScalarTraits.swift.
ROLES = ["text", "control", "dropped", "mark", "joiner", "regional", "pictographic", "plainPictographic", "modifier",
         "jamo", "keycap", "emojiSelector", "textSelector", "tag"]
BREAKS = ["word", "ideograph", "closing", "opening", "glue", "space", "invisibleSpace", "hyphen", "slash", "softHyphen",
          "newline", "quote"]


def ranges(path, column=1):
    """Yields (first, last, value) for each line of a database file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        fields = [field.strip() for field in line.split(";")]
        if not re.fullmatch(r"[0-9A-F]+(\.\.[0-9A-F]+)?", fields[0]):
            continue
        first, _, last = fields[0].partition("..")
        yield int(first, 16), int(last or first, 16), fields[column]


def members(path, value):
    found = set()
    for first, last, is_value in ranges(path):
        if is_value == value:
            found.update(range(first, last + 1))
    return found


def mapping(path):
    found = {}
    for first, last, value in ranges(path):
        for scalar in range(first, min(last, LIMIT - 1) + 1):
            found[scalar] = value
    return found


def categories(path):
    found, start = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split(";")
        scalar, name, category = int(fields[0], 16), fields[1], fields[2]
        if name.endswith(", First>"):
            start = scalar
            continue
        for each in range(start if name.endswith(", Last>") else scalar, scalar + 1):
            found[each] = category
        start = None
    return found


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    version = re.match(r"# EastAsianWidth-([0-9.]+)\.txt", (folder / "EastAsianWidth.txt").read_text()).group(1)
    width_of = mapping(folder / "EastAsianWidth.txt")
    break_of = mapping(folder / "LineBreak.txt")
    category_of = categories(folder / "UnicodeData.txt")
    ignorable = members(folder / "DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    pictographic = members(folder / "emoji/emoji-data.txt", "Extended_Pictographic")
    modifiers = members(folder / "emoji/emoji-data.txt", "Emoji_Modifier")
    regional = members(folder / "emoji/emoji-data.txt", "Regional_Indicator") or set(range(0x1F1E6, 0x1F200))
    jamo = members(folder / "HangulSyllableType.txt", "V") | members(folder / "HangulSyllableType.txt", "T")
    selectable = {
        int(line.split()[0], 16)
        for line in (folder / "emoji/emoji-variation-sequences.txt").read_text(encoding="utf-8").splitlines()
        if "; emoji style;" in line
    }

    def role(scalar):
        category = category_of.get(scalar, "Cn")
        if scalar in (0x200C, 0x200D): return "joiner"
        if scalar == 0xFE0E: return "textSelector"
        if scalar == 0xFE0F: return "emojiSelector"
        if category == "Cc" or category in ("Zl", "Zp") or scalar & 0xFFFE == 0xFFFE or 0xFDD0 <= scalar <= 0xFDEF:
            return "control"
        if 0xFE00 <= scalar <= 0xFE0D: return "mark"
        if scalar in ignorable or category == "Cs": return "dropped"
        if 0xFFF9 <= scalar <= 0xFFFB: return "dropped"
        if scalar in modifiers: return "modifier"
        if scalar in regional: return "regional"
        if scalar in pictographic: return "pictographic" if scalar in selectable else "plainPictographic"
        if scalar in selectable: return "keycap"
        if scalar in jamo: return "jamo"
        if category in ("Mn", "Me"): return "mark"
        return "text"

    def width(scalar, its_role):
        if its_role in ("dropped", "mark", "joiner", "emojiSelector", "textSelector", "tag", "jamo"): return 0
        if its_role == "control": return 1
        return 2 if width_of.get(scalar, "N") in ("W", "F") else 1

    def breaking(scalar, its_role):
        kind = break_of.get(scalar, "XX")
        if scalar == 0x09: return "space"
        if kind in ("BK", "LF", "CR", "NL"): return "newline"
        if kind == "ZW": return "invisibleSpace"
        if scalar == 0xAD: return "softHyphen"
        if kind in ("GL", "WJ") or scalar == 0x202F: return "glue"
        if scalar == 0x20 or kind == "BA" and category_of.get(scalar) == "Zs" or scalar == 0x3000: return "space"
        if kind == "OP": return "opening"
        if kind in ("CL", "CP", "EX", "NS", "IS", "CJ"): return "closing"
        if kind in ("HY", "BA", "B2"): return "hyphen"
        if kind == "SY": return "slash"
        if kind == "QU": return "quote"
        if width(scalar, its_role) == 2: return "ideograph"
        return "word"

    def traits(scalar):
        its_role = role(scalar)
        category = category_of.get(scalar, "Cn")
        ambiguous = width_of.get(scalar, "N") == "A" and its_role not in ("mark", "dropped")
        disputed = (category in ("Mc", "Cn", "Co", "Cf") and its_role == "text" or its_role in ("regional", "jamo"))
        return (width(scalar, its_role) | ambiguous << 2 | disputed << 3 | ROLES.index(its_role) << 4
                | BREAKS.index(breaking(scalar, its_role)) << 8)

    kinds, blocks, stage1 = [], [], []
    for start in range(0, LIMIT, BLOCK):
        numbers = []
        for scalar in range(start, start + BLOCK):
            value = traits(scalar)
            if value not in kinds:
                kinds.append(value)
            numbers.append(kinds.index(value))
        if numbers not in blocks:
            blocks.append(numbers)
        stage1.append(blocks.index(numbers))
    assert len(kinds) <= 0x7F - FIRST and len(blocks) < 64 * 64

    def literal(text):
        lines = [text[i:i + 112] for i in range(0, len(text), 112)]
        return '#"""\n' + "\\#\n".join("    " + line for line in lines) + '\n    """#'

    first = literal("".join(chr(FIRST + block // 64) + chr(FIRST + block % 64) for block in stage1))
    second = literal("".join(chr(FIRST + number) for block in blocks for number in block))
    values = "\n".join("    " + ", ".join(f"0x{kind:03X}" for kind in kinds[i:i + 16]) + ","
                       for i in range(0, len(kinds), 16))
    (Path(__file__).parent / "WidthTable.swift").write_text(f"""\
// Generated from Unicode {version} by generate-width-table.py in this folder. To change this file, run the script again:
//     python3 Sources/TextCanvas/Width/generate-width-table.py

/// The traits of all scalars below U+{LIMIT:X}, as a two-stage table of printable characters.
///
/// `blocks` has two characters for each {BLOCK} scalars: the number of their row in `kinds`, in base 64. `kinds` has one
/// character for each scalar of a row: the index of its traits in `traits`. All numbers start at the character `$`.
enum WidthTable {{
  /// The version of Unicode from which the table was generated.
  static let unicodeVersion = "{version}"

  /// The bits of `ScalarTraits`: width, flags, role and line breaking class.
  static let traits: [UInt16] = [
{values}
  ]

  static var blocks: StaticString {{
    {first}
  }}

  static var kinds: StaticString {{
    {second}
  }}
}}
""")
    print(f"Unicode {version}: {len(kinds)} kinds, {len(blocks)} blocks, {2 * len(stage1) + BLOCK * len(blocks)} bytes")


main()

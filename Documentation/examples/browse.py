#!/usr/bin/env python3
"""A front end for Waymark's server that needs only Python's standard library.

    WAYMARK_URL=http://127.0.0.1:8080 WAYMARK_TOKEN=waymark_... python3 browse.py

A number opens a place of the list, n and p the next and the previous place; b goes back, u up, q quits. The server returns
the new place and a transition. Its direction is the side from which the new page covers the old one; a transition without a
direction replaces the page.
"""
import json
import os
import shutil
import sys
import textwrap
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("WAYMARK_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("WAYMARK_TOKEN", "")
FRAMES = 8  # of one transition
SECONDS = 0.25  # of one transition


def ask(method, path, body=None, **query):
    """Sends a request and returns the decoded JSON. Raises LookupError with the detail of a problem document."""
    text = "?" + urllib.parse.urlencode(query) if query else ""
    request = urllib.request.Request(URL + urllib.parse.quote(path) + text, method=method)
    request.add_header("Authorization", "Bearer " + TOKEN)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or "null")
    except urllib.error.HTTPError as error:
        raise LookupError(json.loads(error.read())["detail"]) from None


def children(path):
    """Returns the children of a place, in reading order."""
    if path == "/":
        return ask("GET", "/v1/courses")
    return ask("GET", "/v1/courses/" + path, depth=1)[1:]


def words(value):
    """Returns the text of a part of a page. Items of lists and cells of tables are separated by spaces."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(words(part) for part in value)
    if isinstance(value, dict):
        items = value.get("ul", []) + value.get("ol", []) + [cell for row in value.get("table", []) for cell in row]
        if items:
            return " " + " ".join(words(item) for item in items) + " "
        return " ".join(words(part) for key, part in value.items() if key not in ("language", "link", "id"))
    return ""


def page(place, width):
    """Returns the lines of a page (its title, and its text or its children), and the children."""
    lines = [place["title"], "─" * width]
    if place["kind"] == "activity":
        content = ask("GET", "/v1/pages/" + place["path"])
        for part in ("reading", "introduction", "flashcards", "quiz", "text"):
            for block in content.get(part, []):
                lines += textwrap.wrap(" ".join(words(block).split()), width) + [""]
        return lines, []
    held = children(place["path"])
    for number, child in enumerate(held, 1):
        done = round(100 * child["progress"])
        lines.append(f"{number:3}  {child['title'][:width - 12]:<{width - 12}} {done:4} %")
    return lines, held


def frame(old, new, share, direction, width, height):
    """Returns the screen at a fraction of the transition, 0 to 1."""
    old = [line.ljust(width)[:width] for line in (old + [""] * height)[:height]]
    new = [line.ljust(width)[:width] for line in (new + [""] * height)[:height]]
    columns, rows = round(share * width), round(share * height)
    if direction == "down":  # opening: the new page enters from below
        return old[:height - rows] + new[:rows]
    if direction == "up":  # closing: the new page enters from above
        return new[:rows] + old[:height - rows]
    if direction == "left":
        return [(a + b)[columns:columns + width] for a, b in zip(old, new)]
    if direction == "right":
        return [(b + a)[width - columns:2 * width - columns] for a, b in zip(old, new)]
    return new if share > 0.5 else old


def draw(lines):
    """Draws one screen."""
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[H\x1b[2J")
    print("\n".join(line.rstrip() for line in lines).rstrip())
    sys.stdout.flush()


def travel(old, new, transition, size):
    """Draws the transition from the old page to the new one."""
    transition = transition or {"kind": "crossFade", "direction": None}
    print(f"~ {transition['kind']} {transition['direction'] or ''}".rstrip())
    for number in range(1, FRAMES + 1):
        if sys.stdout.isatty():
            draw(frame(old, new, number / FRAMES, transition["direction"], *size))
            time.sleep(SECONDS / FRAMES)
    draw(new)


def main():
    columns, rows = shutil.get_terminal_size()
    size = (min(columns, 76), rows - 2)
    place = ask("GET", "/v1/where")["place"]
    lines, held = page(place, size[0])
    draw(lines)
    for key in sys.stdin:
        key = key.strip()
        operations = {"n": "next", "p": "previous", "b": "back", "u": "pop"}
        if key == "q":
            break
        if key.isdigit() and 0 < int(key) <= len(held):
            body = {"operation": "open", "place": held[int(key) - 1]["path"]}
        elif key in operations:
            body = {"operation": operations[key]}
        else:
            print("A number opens; n, p, b and u move; q leaves.")
            continue
        try:
            step = ask("POST", "/v1/steps", body, device="browse.py")
            if not step["performed"]:
                print(step["message"])
                continue
            arrived, held = page(step["to"], size[0])
        except LookupError as problem:
            print(problem)
            continue
        travel(lines, arrived, step["transition"], size)
        lines = arrived


if __name__ == "__main__":
    try:
        main()
    except (LookupError, OSError) as error:
        sys.exit(str(error))

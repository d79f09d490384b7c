"""Prints the navigation of a folder as other programs read it: one line of JSON per page, with the titles of its groups.

    navigation-oracle.py mkdocs|toc|carpentries|hugo FOLDER

A MkDocs navigation is read by MkDocs itself, after the theme, plugins and extensions, which are not installed, were removed
from its file. The others are read with PyYAML. A page is {"above": [title, …], "page": path}; a parent that is a page is
named by its path.
"""
import json
import os
import sys
import tempfile

import yaml


def say(above, page):
    print(json.dumps({"above": above, "page": page}, ensure_ascii=False))


def mkdocs(folder):
    from mkdocs.config import load_config
    from mkdocs.structure.files import get_files
    from mkdocs.structure.nav import Link, Section, get_navigation

    class Loose(yaml.SafeLoader):
        pass

    Loose.add_multi_constructor("", lambda loader, suffix, node: None)
    with open(os.path.join(folder, "mkdocs.yml"), encoding="utf-8") as file:
        fields = yaml.load(file, Loose)
    for name in ["theme", "plugins", "markdown_extensions", "hooks"]:
        fields.pop(name, None)
    fields["docs_dir"] = os.path.abspath(os.path.join(folder, fields.get("docs_dir", "docs")))
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "mkdocs.yml")
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(fields, file, allow_unicode=True, sort_keys=False)
        config = load_config(path, plugins=[])
        navigation = get_navigation(get_files(config), config)

    def walk(items, above):
        for item in items:
            if isinstance(item, Section):
                walk(item.children, above + [item.title])
            elif not isinstance(item, Link):
                say(above, item.file.src_uri)

    walk(navigation.items, [])


def toc(folder):
    with open(os.path.join(folder, "_toc.yml"), encoding="utf-8") as file:
        tree = yaml.safe_load(file)
    say([], tree["root"] + ".md")

    def walk(entries, above):
        for entry in entries:
            say(above, entry["file"] + ".md")
            walk(entry.get("sections", []), above + [entry["file"] + ".md"])

    for part in tree["parts"]:
        walk(part["chapters"], [part["caption"]])


def carpentries(folder):
    with open(os.path.join(folder, "config.yaml"), encoding="utf-8") as file:
        fields = yaml.safe_load(file)
    say([], "index.md")
    for name in ["episodes", "learners", "instructors", "profiles"]:
        place = os.path.join(folder, name)
        if not os.path.isdir(place):
            continue
        for page in fields[name] or sorted(os.listdir(place)):
            say([name.capitalize()], name + "/" + page)


def hugo(folder):
    """Returns the pages by weight, those without a weight last, and by name if weights are equal, as Waymark does."""
    top = os.path.join(folder, "content", "en")

    def fields(path):
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            text = file.read()
        return yaml.safe_load(text.split("\n---", 1)[0]) if text.startswith("---") else {}

    def walk(place, above):
        found = []
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if os.path.isdir(path):
                own = "index.md" if os.path.exists(os.path.join(path, "index.md")) else "_index.md"
                found.append((fields(os.path.join(path, own)).get("weight") or float("inf"), name, path, own))
            elif name.endswith(".md") and name not in ("_index.md", "index.md"):
                found.append((fields(path).get("weight") or float("inf"), name[:-3], path, None))
        for _, name, path, own in sorted(found, key=lambda each: each[:2]):
            if own is None:
                say(above, os.path.relpath(path, top))
            elif own == "index.md":
                say(above, os.path.relpath(os.path.join(path, own), top))
            else:
                walk(path, above + [fields(os.path.join(path, own))["title"]])

    walk(top, [])


{"mkdocs": mkdocs, "toc": toc, "carpentries": carpentries, "hugo": hugo}[sys.argv[1]](sys.argv[2])

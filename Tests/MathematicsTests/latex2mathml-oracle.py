"""Prints the MathML that latex2mathml produces: reads a JSON list of LaTeX formulas and prints a JSON list of trees.

    latex2mathml-oracle.py < FORMULAS

A tree is {"name", "attributes", "children"}; a child is a tree or a text. The result is null if latex2mathml fails.
"""
import json
import re
import sys
from xml.etree import ElementTree

from latex2mathml.converter import convert


def tree(element):
    children = [element.text] if element.text else []
    for child in element:
        children.append(tree(child))
        if child.tail:
            children.append(child.tail)
    return {"name": element.tag.split("}")[-1], "attributes": dict(element.attrib), "children": children}


def converted(latex):
    try:
        text = convert(latex)
        # latex2mathml does not escape all XML characters.
        text = re.sub(r"&(?!#?\w+;)", "&amp;", text)
        text = re.sub(r"<(m\w+)([^>]*)><</\1>", r"<\1\2>&lt;</\1>", text)
        return tree(ElementTree.fromstring(text))
    except Exception:
        return None


json.dump([converted(latex) for latex in json.load(sys.stdin)], sys.stdout)

"""Elements of SVG and HTML: names, attributes and words, all escaped by the serialiser."""

from typing import Final
from xml.etree.ElementTree import Element, tostring

from replay.lists.writers import printable

SVG: Final = "http://www.w3.org/2000/svg"


def element(tag: str, text: str = "", /, **attributes: object) -> Element:
    """Make an element; an underscore in the name of an attribute stands for a hyphen.

    >>> markup(element("text", "a<b", font_size=12, x=1))
    '<text font-size="12" x="1">a&lt;b</text>'
    """
    named = {name.strip("_").replace("_", "-"): str(value) for name, value in attributes.items()}
    made = Element(tag, named)
    made.text = printable(text) or None
    return made


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    """Make an element within another."""
    made = element(tag, text, **attributes)
    parent.append(made)
    return made


def markup(root: Element) -> str:
    """Write an element and all that is in it, well-formed as XML; what a terminal would hide is escaped."""
    return tostring(root, encoding="unicode")

"""Person at the console, with a keyboard and eyes, and no mouse."""

import re
from contextlib import ExitStack, nullcontext, suppress
from typing import Final, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ConsoleMessage, Error, Locator, Page, expect

PATIENCE: Final = 60_000  # milliseconds, on a machine that may be busy
expect.set_options(timeout=PATIENCE)
_TABS: Final = 240  # so often at most one goes on to get anywhere on a page: twice round the longest
_AT_ONCE: Final = 10  # so often before one looks where the focus is
# One who has come to what is sought presses Tab no more: what is pressed too often leaves the focus there.
_STOPS: Final = """(sought) => {
  if (window.sought === undefined)
    addEventListener("keydown", (event) => {
      if (event.key !== "Tab" || !window.sought || document.activeElement !== window.sought) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
  window.sought = sought === document.activeElement ? null : sought;
  return window.sought === null;
}"""
# Every rule but those that never hinder gravely, which take as long, or the one of colours alone. What
# hinders is fetched alone: what is in order is many times as much.
#
# To compare each row of a hundred in the same colours takes axe longer than all else: of the texts that look
# the same, with all that they stand on, the first is looked at. One letter alone axe does not judge.
_HINDRANCES: Final = """(onlyColours) => {
  const [looks, fresh] = [new Set(), new Set()];
  const look = (element, ground) => {
    const style = getComputedStyle(element);
    const own = [
      ground, element.localName, element.checkVisibility({ visibilityProperty: true }), element.disabled,
      element.ariaDisabled, style.color, style.fill, style.background, style.opacity, style.fontSize,
      style.fontWeight, style.position, style.clip, style.clipPath, style.textShadow, style.filter,
    ].join();
    const texts = [...element.childNodes].map((node) => (node.nodeType === 3 ? node.data : ""));
    const isRead = texts.join("").trim().length > 1 || element.matches("input, select, textarea");
    if (isRead && looks.size < looks.add(own).size) fresh.add(element);
    for (const each of element.children) look(each, own);
  };
  look(document.body, "");
  const colours = axe._audit.rules.find(({ id }) => id === "color-contrast");
  const isJudged = colours.matches;
  colours.matches = (element, ...more) => fresh.has(element) && isJudged(element, ...more);
  const isLeft = ({ id, impact }) =>
    onlyColours ? id !== colours.id : impact === "minor" || impact === "moderate";
  const left = axe._audit.rules.filter(isLeft);
  const rules = Object.fromEntries(left.map(({ id }) => [id, { enabled: false }]));
  return axe.run({ resultTypes: ["violations"], rules })
    .then(({ violations }) => violations)
    .finally(() => { colours.matches = isJudged; });
}"""
_GRAVE: Final = ("serious", "critical")


class Person:
    """Person at a page of the console; `address` is where the console is served."""

    def __init__(self, page: Page, address: str, *, scripts: bool = True) -> None:
        self._page, self.address, self._runs_scripts = page, address, scripts
        # Scripts wait for the styles before them; where there are none, nothing does.
        self._ready: Literal["domcontentloaded", "load"] = "domcontentloaded" if scripts else "load"
        page.set_default_timeout(PATIENCE)
        self.failures: list[str] = []
        self._ends = ExitStack()
        for event, hears in (("pageerror", self._fail), ("console", self._hear)):
            page.on(event, hears)  # type: ignore[call-overload]
            self._ends.callback(page.remove_listener, event, hears)

    def _fail(self, error: Error) -> None:
        self.failures.append(str(error))

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error" and "status of 4" not in said.text:  # a refusal is an answer
            self.failures.append(said.text)

    def begins_with(self, script: str) -> None:
        """Run a script on each page that is loaded from now on, before the page's own."""
        self._ends.enter_context(self._page.add_init_script(script))

    def rises(self) -> Page:
        """Stop and forget all, who was logged in too; return the tab, or another for one that was closed."""
        context = self._page.context
        with suppress(Error) if self._page.is_closed() else nullcontext():
            self._ends.close()
        for page in context.pages:
            if page is not self._page:
                page.close()
        context.clear_cookies()
        if self._page.is_closed():
            return context.new_page()
        self._page.unroute_all()
        self._page.goto("about:blank")
        return self._page

    def goes_to(self, path: str) -> None:
        """Type an address; a page can be used when its scripts have run, though a picture may be missing."""
        answer = self._page.goto(f"{self.address}{path}", wait_until=self._ready)
        assert answer is not None
        assert answer.ok, (path, answer.status)

    def opens(self, path: str) -> "Person":
        """Open a page in another tab of the same browser; give who sits before that one."""
        tab = Person(self._page.context.new_page(), self.address)
        tab.failures = self.failures
        tab.goes_to(path)
        return tab

    def leaves(self) -> None:
        """Close the tab."""
        self._page.close()

    def stays_where_settled(self) -> None:
        """Choose, as in the dialogs, to stay on an alert's page when it is closed, from the next page on."""
        self.begins_with("localStorage.setItem('advance', 'false')")

    def is_silenced(self) -> None:
        """Block this tab's messages to the others, as on a sleeping telephone."""
        self._page.evaluate("BroadcastChannel.prototype.postMessage = () => {}")

    def lets_time_pass(self, seconds: int) -> None:
        """Advance the page's own clock by so much, sooner than the one on the wall."""
        self._page.clock.run_for(seconds * 1000)

    def presses(self, *keys: str) -> None:
        """Press keys, one after the other; on a page that is still coming they would do nothing yet."""
        self._page.wait_for_load_state(self._ready)
        for key in keys:
            self._page.keyboard.press(key)

    def presses_twice_at_once(self, key: str) -> None:
        """Press a key twice, sooner than anything can have come of the first time."""
        self._page.evaluate(
            """(key) => {
              for (const _ of [1, 2])
                document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }""",
            key,
        )

    def presses_as_it_closes(self, key: str) -> None:
        """Press a key as a dialog closes, before the browser draws again: the focus is in the dialog yet."""
        self._page.evaluate(
            """(key) => {
              document.querySelector("dialog[open]").close();
              document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }""",
            key,
        )

    def finds_bound(self, *keys: str) -> list[str]:
        """Press keys, sooner than anything comes of one; return those with which the page does something."""
        return list(
            self._page.evaluate(
                """(keys) => keys.filter((key) => !document.activeElement.dispatchEvent(
                  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))""",
                keys,
            )
        )

    def types(self, text: str) -> None:
        """Type a text where the focus is."""
        self._page.keyboard.type(text)

    def gets_to(self, what: Locator) -> None:
        """Press Tab until something has the focus, and assert that it does."""
        expect(what).to_be_attached()
        at_once = _AT_ONCE if self._runs_scripts else 1
        for _ in range(_TABS // at_once):
            try:
                has_focus = what.evaluate(_STOPS)
            except Error as error:
                if "because of a navigation" not in error.message:
                    raise
                continue  # the page gave way to another, where one begins anew
            if has_focus:
                assert self.is_marked(), f"the focus on {what} cannot be seen"
                return
            for _ in range(at_once):
                self._page.keyboard.down("Tab")  # held down: a page hears no more of one let go in between
            self._page.keyboard.up("Tab")
        raise AssertionError(f"{what} cannot be got to with the keyboard")

    def is_marked(self) -> bool:
        """Return True if it can be seen what has the focus, once the page looks as it is meant to."""
        self._page.wait_for_function(
            "() => [...document.querySelectorAll('link[rel=stylesheet]')].every((each) => each.sheet)"
        )
        return bool(
            self._page.evaluate(
                """() => {
                  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
                  return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
                }"""
            )
        )

    def sees(self, what: str | Locator) -> Locator:
        """Wait until something is seen: a text, or a part of the page."""
        found = self.part(what) if isinstance(what, str) else what
        expect(found.first).to_be_visible(timeout=PATIENCE)
        return found.first

    def part(self, selector: str, has_text: str | None = None) -> Locator:
        """Find a part of the page, by what is written in it where that is said."""
        return self._page.locator(selector, has_text=has_text)

    def field(self, label: str) -> Locator:
        """Find a field by what is written at it."""
        return self._page.get_by_label(label, exact=True)

    def is_at(self, path: str) -> None:
        """Wait until a page is there."""
        self._page.wait_for_url(re.compile(re.escape(f"{self.address}{path}") + r"\??\Z"), timeout=PATIENCE)

    def place_of(self, what: Locator) -> tuple[int, int]:
        """Measure where something is on the screen: pixels from the left and from the top."""
        box = what.bounding_box()
        assert box is not None
        return round(box["x"]), round(box["y"])

    @property
    def overflows(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return int(
            self._page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        )

    def has_size(self, width: int, height: int) -> None:
        """Set the size of the window, in pixels; the page stays as it is."""
        self._page.set_viewport_size({"width": width, "height": height})
        self._page.wait_for_function(
            "([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height]
        )

    def has_theme(self, theme: str) -> None:
        """Set the theme of the page as it is."""
        self._page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)

    def obstacles(self) -> list[str]:
        """Return what axe finds to be a serious hindrance, and where."""
        return self._hindrances()

    def poor_contrasts(self) -> list[str]:
        """Return the colours that axe finds too alike."""
        return self._hindrances(only_colours=True)

    def _hindrances(self, *, only_colours: bool = False) -> list[str]:
        if not self._page.evaluate("'axe' in window"):
            self._page.evaluate(AXE_SCRIPT)
        return [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
            for each in self._page.evaluate(_HINDRANCES, only_colours)
            if each["impact"] in _GRAVE
            for node in each["nodes"]
        ]

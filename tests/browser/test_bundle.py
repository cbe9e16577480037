"""An evidence bundle taken from a dispute's page with the keyboard alone, in whatever theme and size."""

from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from projections.web.auth.guard import SESSION
from tests.browser.conftest import THEMES, Enters
from tests.browser.served import Served
from tests.browser.steps import CALL_TIME, post_action
from tests.builders.evidence_bundles import check_bundle, read_bundle_json

WHY = "the agent asks for it"


def disputed(served: Served, number: int, seat: int | None = None) -> tuple[str, dict[str, Any]]:
    """Open a dispute of a hand, of the seat where something was found or another; give its name and that."""
    with closing(served.person("supervisor")) as client:
        rows = client.get("/api/alerts").json()["findings"]
        found = next(each for each in rows if each.get("seat") and "round" in each and "bettor" not in each)
        about = {name: found[name] for name in ("table", "gaming_date")}
        about |= {"rounds": [found["round"]], "seat": seat or found["seat"]}
        about |= {"claim": "he was paid the wrong amount"}
        subject = post_action(client, number, action="dispute-open", about=about, call={"called": CALL_TIME})
    return subject.removeprefix("dispute:"), found


def test_a_bundle_is_asked_for_with_a_reason_and_comes_as_a_file(
    served: Served, enters: Enters, tmp_path: Path
) -> None:
    name, found = disputed(served, 5)
    for theme, size in zip(THEMES, ("phone", "1366x768"), strict=True):
        person = enters("supervisor", size, theme)
        person.goes_to(f"/disputes/{name}")
        person.gets_to(person.part('#actions a[href="#evidence-form"]'))
        person.presses("Enter")
        assert person.obstacles() == []
    person.gets_to(person.part('#evidence-form [name="reason"]'))
    person.types(WHY)
    with person.part("body").page.expect_download() as taken:
        person.presses("Enter")
    assert taken.value.suggested_filename == f"dispute-{name}-{found['round']}.zip"
    expect(person.part("#evidence-form .message")).to_have_text(
        f"The bundle was made: {taken.value.suggested_filename}"
    )
    expect(person.part("#facts")).to_contain_text(taken.value.suggested_filename)
    expect(person.part('#evidence-form [name="reason"]')).to_have_value("")
    taken.value.save_as(tmp_path / "bundle.zip")
    content = (tmp_path / "bundle.zip").read_bytes()
    check_bundle(content)
    manifest = read_bundle_json(content, "bundle")
    assert (manifest["by"], manifest["why"], manifest["seats"]) == ("supervisor", WHY, [str(found["seat"])])


def test_what_is_refused_is_said_at_the_form_and_what_was_typed_stays(served: Served, enters: Enters) -> None:
    # Nobody sits there: it is offered as the dispute's own, and has no part in the hand.
    name, _ = disputed(served, 6, seat=77)
    person = enters("supervisor", "1366x768", THEMES[0])
    person.goes_to(f"/disputes/{name}#evidence-form")
    person.gets_to(person.part('#evidence-form [name="reason"]'))
    person.types(WHY)
    person.presses("Enter")
    expect(person.part("#evidence-form .message")).to_contain_text("seat 77 has no part in it")
    expect(person.part('#evidence-form [name="reason"]')).to_have_value(WHY)
    expect(person.part('#evidence-form [name="seat"]')).to_have_value("77")
    person.is_at(f"/disputes/{name}#evidence-form")


def test_a_browser_that_runs_no_scripts_gets_it_by_the_form_alone(served: Served, browser: Browser) -> None:
    name, found = disputed(served, 7)
    with closing(browser.new_context(java_script_enabled=False)) as context:
        context.add_cookies([{"name": SESSION, "value": served.token("supervisor"), "url": served.address}])
        page = context.new_page()
        page.goto(f"{served.address}/disputes/{name}#evidence-form")
        page.fill('#evidence-form [name="reason"]', WHY)
        with page.expect_download() as taken:
            page.click("#evidence-form button")
        assert taken.value.suggested_filename == f"dispute-{name}-{found['round']}.zip"
        check_bundle(taken.value.path().read_bytes())

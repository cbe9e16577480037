"""An evidence bundle taken from a dispute's page with the keyboard alone, in whatever theme and size."""

from contextlib import closing
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import THEMES, Enters
from tests.browser.served import Served
from tests.browser.test_footage import CALLED, act
from tests.bundled import checked, told

WHY = "the agent asks for it"


def test_a_bundle_is_asked_for_with_a_reason_and_comes_as_a_file(
    served: Served, enters: Enters, tmp_path: Path
) -> None:
    with closing(served.person("supervisor")) as client:
        rows = client.get("/api/alerts").json()["findings"]
        found = next(each for each in rows if each.get("seat") and "round" in each and "bettor" not in each)
        about = {name: found[name] for name in ("table", "gaming_date", "seat")}
        about |= {"rounds": [found["round"]], "claim": "he was paid the wrong amount"}
        subject = act(client, 5, action="dispute-open", about=about, call={"called": CALLED})
    name = subject.removeprefix("dispute:")
    for theme, size in zip(THEMES, ("phone", "1366x768"), strict=True):
        person = enters("supervisor", size, theme)
        person.goes_to(f"/disputes/{name}")
        person.gets_to(person.part('#doing a[href="#evidence-form"]'))
        person.presses("Enter")
        assert person.obstacles() == []
    person.gets_to(person.part('#evidence-form [name="reason"]'))
    person.types(WHY)
    with person.part("body").page.expect_download() as taken:
        person.presses("Enter")
    assert taken.value.suggested_filename == f"dispute-{name}-{found['round']}.zip"
    taken.value.save_as(tmp_path / "bundle.zip")
    content = (tmp_path / "bundle.zip").read_bytes()
    checked(content)
    manifest = told(content, "bundle")
    assert (manifest["by"], manifest["why"], manifest["seats"]) == ("supervisor", WHY, [str(found["seat"])])
    person.goes_to(f"/disputes/{name}")
    expect(person.part("#facts")).to_contain_text(taken.value.suggested_filename)

"""Pictures of the docs: `python docs/pictures.py` makes them.

Needs Debian's chromium and chromium-driver, `pip install selenium`, the extra `asterism[charts]`,
and the demo: `asterism demo`. Works on the local server, and logs in to Browser with the real
password. The style sheet and the saved queries are dropped into Browser as a person drops them, and
every inspect statement is pasted: a picture is only made if all of that works.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from asterism import demo, statements
from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.local import server
from asterism.local.home import home
from asterism.settings import Settings
from asterism.view import browser_queries, charts, drawing

HERE = Path(__file__).parent
PICTURES = HERE / "pictures"
SHEET, QUERIES = HERE / "browser" / "asterism.grass", HERE / "browser" / "asterism.zip"
PAGES = {  # picture: what `asterism view` is asked for
    "stars": ("star", "lamp", 22),
    "consolidation": ("memory", "meridian-lost", 14),
    "exploration": ("run", None, 60),
    "causality": ("session", "lighthouse", 8),
    "realm": (None, None, 80),
}
CHARTS = {
    "stars-strength": ("star", "lamp"),
    "memories-strength": ("memory", "HERRING@10.5"),
}
STATEMENTS = {  # picture: the inspect statement pasted into Browser, and its values
    "browser": ("brightest_stars", {"limit": "8"}),
    "recall": ("why_found", {"seed_id": "meridian-lost", "hit_id": "lamp-lit"}),
}
FRAME = 620  # pixels that Browser takes for one answer
DROP = """
const [selector, name, bytes] = arguments;
const data = new DataTransfer();
data.items.add(new File([new Uint8Array(bytes)], name));
const target = document.querySelector(selector);
for (const kind of ['dragenter', 'dragover', 'drop'])
  target.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
"""
PASTE = """
const data = new DataTransfer();
data.setData('text/plain', arguments[0]);
const editor = document.querySelector('#monaco-main-editor textarea');
editor.focus();
editor.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
"""


async def draw(folder: Path) -> None:
    """Write the pages for the screenshots and the charts."""
    async with Graph.open(realm=demo.REALM, clock=FixedClock(demo.NOON)) as graph:
        [run] = await graph.exploration.runs(1)
        for name, (kind, id, limit) in PAGES.items():
            subgraph = await graph.view.look(kind, run.id if kind == "run" else id, limit=limit)
            (folder / f"{name}.html").write_text(drawing.subgraph_page(subgraph), encoding="utf-8")
        for name, (kind, id) in CHARTS.items():
            charts.draw(await graph.view.timeline(kind, id), PICTURES / f"{name}.svg")


@contextmanager
def chromium() -> Iterator[Any]:
    """Open headless Chromium with a profile of its own."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in (
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        *("--window-size=1400,900", "--force-device-scale-factor=1"),
    ):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        driver.implicitly_wait(20)
        yield driver
    finally:
        driver.quit()


def log_in(driver: Any, address: str, password: str) -> None:
    """Fill in the form that Browser shows first."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    driver.get(address)
    user = driver.find_element(By.CSS_SELECTOR, "input[data-testid='username']")
    user.send_keys(Keys.CONTROL, "a")
    user.send_keys(server.USER)
    driver.find_element(By.CSS_SELECTOR, "input[type='password']").send_keys(password, Keys.ENTER)
    time.sleep(5)  # Browser opens its welcome page over the form


def drop(driver: Any, file: Path) -> None:
    """Drop a file onto Browser."""
    driver.execute_script(DROP, ".filedrop", file.name, list(file.read_bytes()))
    time.sleep(3)


def ask(driver: Any, text: str) -> None:
    """Paste a text into the editor and run it."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    driver.execute_script(PASTE, text)
    time.sleep(1)
    keys = ActionChains(driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL)
    keys.perform()
    time.sleep(3)


def check_statements(driver: Any) -> None:
    """Paste every file of cypher/inspect as it is and require that each line succeeds."""
    from selenium.webdriver.common.by import By

    for name in browser_queries.names():
        ask(driver, (statements.folder() / "inspect" / f"{name}.cypher").read_text())
        frame = driver.find_element(By.CSS_SELECTOR, "article")
        marks = frame.find_elements(By.CSS_SELECTOR, "[data-testid='multi-statement-list-icon']")
        titles = [mark.get_attribute("title") for mark in marks]
        lines = 1 + len(browser_queries.load(name).samples)
        assert titles == ["Status: success"] * lines, f"{name}: {titles}"
        print(name, "pastes")
        ask(driver, ":clear")


def shoot(driver: Any, name: str, height: int | None = None) -> None:
    """Take a screenshot in few colours, so that the file stays small."""
    file = PICTURES / f"{name}.png"
    driver.save_screenshot(str(file))
    with Image.open(file) as picture:
        cropped = picture.crop((0, 0, picture.width, height or picture.height)).convert("RGB")
        small = cropped.quantize(128, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def browse(driver: Any) -> None:
    """Make the pictures of Browser, with the style sheet and the saved queries in it."""
    from selenium.webdriver.common.by import By

    state = server.start(home(), Settings().local)
    log_in(driver, state.browser, server.password(home()))
    drop(driver, SHEET)
    drop(driver, QUERIES)
    check_statements(driver)
    for name, (statement, values) in STATEMENTS.items():
        ask(driver, ":clear")
        ask(driver, browser_queries.with_values(statement, demo.REALM, values))
        time.sleep(6)  # the layout of the graph comes to rest
        shoot(driver, name, FRAME)
    driver.find_element(By.CSS_SELECTOR, "[data-testid='navigationFavorites']").click()
    time.sleep(1)
    driver.find_element(By.XPATH, "//*[text()='Asterism']").click()
    time.sleep(2)
    shoot(driver, "browser-queries", FRAME)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, chromium() as driver:
        asyncio.run(draw(Path(scratch)))
        for name in PAGES:
            driver.get(Path(scratch, f"{name}.html").as_uri())
            time.sleep(8)
            fetched = driver.execute_script(
                "return performance.getEntriesByType('resource').length"
            )
            assert fetched == 0, f"{name} fetches something"
            shoot(driver, name)
        browse(driver)


if __name__ == "__main__":
    main()

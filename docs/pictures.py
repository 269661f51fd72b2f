"""Makes the pictures of the docs: `python docs/pictures.py`.

Needs Debian's chromium and chromium-driver, and `pip install selenium`. Works in a realm of its own
on the local server, logs in with the real password, and deletes the realm at the end.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.graph import Graph
from engine.local import server
from engine.local.home import home
from engine.settings import Settings

PICTURES = Path(__file__).parent / "pictures"
REALM = "pictures"
WORLD = """
CYPHER 25
UNWIND ['Lyra', 'Vega', 'Altair', 'Deneb', 'Spica'] AS name
CREATE (:Star {realm: $realm, id: name, name: name, caption: name})
WITH collect(name) AS names
MATCH (a:Star {realm: $realm}), (b:Star {realm: $realm}) WHERE a.id < b.id AND a.id < 'M'
CREATE (a)-[:RESONANCE {realm: $realm}]->(b)
WITH count(*) AS drawn
MATCH (realm:Realm {realm: $realm})
RETURN realm.caption
"""
LOOK = "MATCH (n:Star {realm: 'pictures'})-[r]->(m) RETURN n, r, m"


async def draw_world() -> None:
    """A small world to look at."""
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
    async with Graph.open(realm=REALM) as graph:
        await graph.database.driver.execute_query(WORLD, realm=REALM)


async def clean_up() -> None:
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)


@contextmanager
def chromium() -> Iterator[Any]:
    """Headless Chromium, with a profile of its own."""
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


def ask(driver: Any, query: str) -> None:
    """Type a query into the editor and run it."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    driver.find_element(By.CSS_SELECTOR, "#monaco-main-editor").click()
    keys = ActionChains(driver).send_keys(query).key_down(Keys.CONTROL).send_keys(Keys.ENTER)
    keys.key_up(Keys.CONTROL).perform()
    time.sleep(6)  # the layout of the graph comes to rest


def main() -> None:
    asyncio.run(draw_world())
    try:
        state = server.start(home(), Settings().local)
        with chromium() as driver:
            log_in(driver, state.browser, server.password(home()))
            time.sleep(4)  # Browser opens its welcome page over the form
            ask(driver, LOOK)
            PICTURES.mkdir(exist_ok=True)
            driver.save_screenshot(str(PICTURES / "browser.png"))
    finally:
        asyncio.run(clean_up())


if __name__ == "__main__":
    main()

"""Measure the memory of one process of the app while all pages are opened: `python -m tests.browser.memory` (Linux)."""

from tests.browser.proxied import read_memory, run_processes
from tests.browser.running import launch_chromium, list_addresses, settle


def main() -> None:
    with run_processes(1) as (address, [server]), launch_chromium() as browser:
        print(f"started: {read_memory(server, 'VmRSS'):.2f} GB")
        page = browser.new_page()
        page.set_default_timeout(120_000)
        for path in dict.fromkeys(["", *list_addresses()]):
            page.goto(f"{address}/{path}")
            settle(page)
            page.wait_for_timeout(2000)  # models are loaded ahead
            print(f"/{path}: {read_memory(server, 'VmRSS'):.2f} GB")


if __name__ == "__main__":
    main()

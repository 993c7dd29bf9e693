"""Keep Streamlit from asking servers on the internet for this machine's address.

Streamlit does so when a page from another origin tries to connect, even if `browser.serverAddress` is set. It caches
the addresses, so setting the cache prevents the requests.
"""

from streamlit import net_util

LOOPBACK = "127.0.0.1"


def disable_address_lookup() -> None:
    """Set Streamlit's cached addresses to the loopback address. Call it at the start of every run."""
    net_util._internal_ip = net_util._external_ip = LOOPBACK

"""Nothing is asked of the net, not even by Streamlit.

When a page from elsewhere tries to connect, Streamlit compares where it comes from with the addresses of this machine,
and asks two servers outside for the one it has there; `browser.serverAddress` is looked at before that and does not
spare it. It keeps both addresses once it knows them, so here it is told that there are none but the loopback's.
"""

from streamlit import net_util

LOOPBACK = "127.0.0.1"


def disable_address_lookup() -> None:
    """Let Streamlit know this machine's addresses without asking anybody; for the beginning of every run."""
    net_util._internal_ip = net_util._external_ip = LOOPBACK

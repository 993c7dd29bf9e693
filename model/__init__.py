"""Everything that is true without a screen: text, networks, search, training, measures."""

import os

# torch shares each small step out among its threads, which by default wait for one another by spinning. Where another
# program keeps a core busy they wait for it so: a file of 64 sentences then took 32 s instead of 4 on two cores. This
# has to be said before torch is loaded; who has said something else is heard.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

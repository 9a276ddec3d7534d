"""Which cells of the matrix are worse than HAProxy's, and which of these are explained."""

REFERENCE = "haproxy.cfg"
# A cell is worse if it has more requests without success by more than this share and this number, or a longest wait that
# is longer by more than this time, in seconds.
SHARE, FEW, WAIT = 0.05, 3, 2.0

NGINX = ("nginx.conf", "nginx-round-robin.conf")
HANGS = "nginx has no checks of its own, so one request waits for proxy_read_timeout, 20 s, before nginx leaves the server out"
PASSES_ON = "each of the three servers refuses after 2 s, and nginx asks one after the other"
STARTS = "until a request fails, nginx sends requests to a server that restarts"
# The cells in which nginx cannot be as good: recipes, states, kinds, the largest share without success, the longest
# wait, the date of the measurement, and the reason.
EXPLAINED = [
    (NGINX, ["one hung"], ["GET", "POST", "page", "file", "invite", "stream"], 0.1, 21.0, "2026-11-29", HANGS),
    # Few connections in the time of the measurement, since the client gives up after 25 s.
    (NGINX, ["one hung"], ["token"], 1.0, 26.0, "2026-11-29", HANGS),
    (NGINX[1:], ["one hung"], ["entry"], 0.5, 26.0, "2026-11-29", HANGS),
    (NGINX, ["database away"], ["GET", "invite", "token"], 1.0, 7.0, "2026-11-29", PASSES_ON),
    (NGINX[1:], ["rolling restart"], ["GET", "POST", "invite", "stream"], 0.4, 21.0, "2026-11-29", STARTS),
]


class Comparison:
    def __init__(self):
        self.cells, self.unexplained = {}, []

    def add(self, recipe, state, kind, cell):
        """Notes a cell. Returns a line about one that is worse than HAProxy's, else None."""
        self.cells[recipe, state, kind] = cell
        other = self.cells[REFERENCE, state, kind]
        expected = other.missing / max(other.count, 1) * cell.count
        loses = cell.missing > expected + max(FEW, SHARE * cell.count)
        if not loses and cell.slowest <= other.slowest + WAIT:
            return None
        worse = f"worse than {REFERENCE}, which has {other}"
        for recipes, states, kinds, share, wait, date, reason in EXPLAINED:
            if recipe in recipes and state in states and kind in kinds:
                if cell.missing <= share * cell.count and cell.slowest <= wait:
                    return f"{worse}: {reason} ({date})"
        self.unexplained.append(f"{recipe}: {state}: {kind}")
        return worse

    def __str__(self):
        if not self.unexplained:
            return f"No cell is worse than that of {REFERENCE} without an explanation."
        return "Worse without an explanation: " + ", ".join(self.unexplained)

"""Which cells of the matrix are worse than HAProxy's, and which of these are explained."""

REFERENCE = "haproxy.cfg"
# A cell is worse if it has more requests without success by more than this share and this number, or a longest wait that
# is longer by more than this time, in seconds.
SHARE, FEW, WAIT = 0.05, 3, 2.0

NGINX = ("nginx.conf", "nginx-round-robin.conf")
# The cells in which nginx cannot be as good, since it has no checks of its own and learns from the requests of clients
# alone: recipes, state, kind, the largest share without success, the longest wait, the date of the measurement, and the
# reason.
EXPLAINED = []


class Comparison:
    def __init__(self):
        self.cells, self.unexplained = {}, []

    def add(self, recipe, state, kind, cell):
        """Notes a cell. Returns a line about one that is worse than HAProxy's, else None."""
        self.cells[recipe, state, kind] = cell
        other = self.cells[REFERENCE, state, kind]
        expected = other.missing / other.count * cell.count
        loses = cell.missing > expected + max(FEW, SHARE * cell.count)
        if not loses and cell.slowest <= other.slowest + WAIT:
            return None
        worse = f"worse than {REFERENCE}, which has {other}"
        for recipes, *place, share, wait, date, reason in EXPLAINED:
            if recipe in recipes and place == [state, kind]:
                if cell.missing <= share * cell.count and cell.slowest <= wait:
                    return f"{worse}: {reason} ({date})"
        self.unexplained.append(f"{recipe}: {state}: {kind}")
        return worse

    def __str__(self):
        if not self.unexplained:
            return f"No cell is worse than that of {REFERENCE} without an explanation."
        return "Worse without an explanation: " + ", ".join(self.unexplained)

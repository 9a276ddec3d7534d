"""What was checked, and what came of it."""

import sys


class Report:
    """A table that is printed as it grows; one line for each thing that was checked."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, subject, what, is_so, detail=""):
        """Notes one check; `detail` says what was seen."""
        self.passed += bool(is_so)
        self.failed += not is_so
        seen = "" if detail in ("", None) else f": {detail}"
        print(f"{'✔' if is_so else '✘'} {subject:<9} {what}{seen}", flush=True)
        return is_so

    def holds(self, subject, what, body):
        """Notes whether `body` runs without an exception, and gives what it returns; None otherwise."""
        try:
            result = body()
        except Exception as error:  # Whatever the library throws is the finding.
            self.check(subject, what, False, f"{type(error).__name__}: {error}")
            return None
        self.check(subject, what, True)
        return result

    def throws(self, subject, what, kind, body):
        """Notes whether `body` is refused by an exception of that kind."""
        try:
            body()
        except kind:
            return self.check(subject, what, True)
        return self.check(subject, what, False, "it was taken")

    def end(self):
        """The exit code."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def say(text):
    print(text, file=sys.stderr, flush=True)

"""A match of two; one of them is notified in every way there is."""

from service import Person, tomorrow

# The longest name and the longest task.
NAME, TASK = "🦊" * 64, "🎯" * 200


class Match:
    """No other person is in tomorrow's slot: the two are certain to meet."""

    def __init__(self, service, device):
        Person(service, NAME).enter_match(tomorrow(), TASK)
        self.person = Person(service)
        self.device = self.person.add(kind="apns", deviceToken=device)

    def begin(self):
        self.registration = self.person.enter_match(tomorrow())

    def is_told_in(self, text):
        return NAME in text and TASK in text

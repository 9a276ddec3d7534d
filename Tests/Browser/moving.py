"""Two people whose partners cancel are brought together: one of them moves to the other's room, which is open.

The page goes there by itself, says so, and both cheer as before.
"""

import meeting
import tour
from service import Person

SUBJECT = "Moving"
HOUR = 9
# The seconds after the start from which members who are alone are rematched.
NO_SHOW = 600


def check(suite, playwright, report):
    with suite.stage(playwright, "moving", tour.PLAIN, 2, no_show=NO_SHOW) as stage:
        move(stage, report)
        stage.check_quiet(report)


def move(stage, report):
    stage.people += [Person(stage.service, name) for name in ("Cal", "Dee")]
    made = {person: stage.register(person, HOUR)[0] for person in stage.people}
    stage.jump(HOUR - 0.25)
    rooms = {}
    for person in stage.people:
        rooms.setdefault(stage.room(person, made[person]), []).append(person)
    assert len(rooms) == 2, "Four people are not in two rooms"
    one, other = (stage.visitor(stay) for stay, _ in rooms.values())
    for visitor, room in zip((one, other), rooms):
        visitor.go(f"/room/{room}")
        visitor.page.locator(".person.you.present").wait_for()
    for _, leave in rooms.values():
        leave.call("DELETE", f"/v1/registrations/{made[leave]}")
    # The server is away while its clock is put forward, and both come back to their rooms by themselves.
    with tour.expected(one), tour.expected(other):
        stage.jump(HOUR + (NO_SHOW + 60) / 3600)
        for visitor in (one, other):
            meeting.wait_for("the connection", lambda who=visitor: meeting.is_open(who), visitor.page, limit=60)

    def where(visitor):
        return visitor.page.evaluate("location.pathname.split('/').pop()")

    def names(visitor):
        return " ".join(visitor.page.locator(".person:not(.you).present").all_inner_texts())

    room = meeting.wait_for("one room", lambda: where(one) == where(other) and where(one), one.page, limit=90)
    left = next(old for old in rooms if old != room)
    mover = one if left == list(rooms)[0] else other
    report.check(SUBJECT, "one of two who are alone moves, and the address is that of the other's room",
                 room in rooms, room)
    said = mover.page.locator(".notice")
    words = meeting.wait_for("a word of the move", lambda: said.count() and said.first.inner_text(), mover.page)
    report.check(SUBJECT, "the page says that it has moved", "another room" in words, words.split("\n")[0])
    notifications = rooms[left][0].call("GET", "/v1/notifications?limit=200")["notifications"]
    told = [one["data"]["roomId"] for one in notifications if one["type"] == "room.changed"]
    report.check(SUBJECT, "and the last notification of a change names that room", told[-1:] == [room], len(told))
    report.check(SUBJECT, "both see each other there",
                 meeting.wait_for("the new partner", lambda: names(one) and names(other), one.page),
                 f"{names(one)}; {names(other)}".replace("\n", " "))
    for visitor in (one, other):
        meeting.wait_for("the connection", lambda who=visitor: meeting.is_open(who), visitor.page)
    for sender, receiver, whose in (one, other, "of the first"), (other, one, "of the second"):
        meeting.cheer(report, SUBJECT, sender, receiver, sender.page.locator(".ale").click, 3, whose)

"""What a schema cannot say, for schemathesis: who asks, what is in the database, and what the time is.

Only data that the schema allows is changed here; whatever it does not allow is sent as it was made.
"""

import datetime
import functools
import json
import os
import time
import urllib.request
import uuid

import schemathesis
from schemathesis import GenerationMode

URL = os.environ["LETSSWITCH_URL"]
# A call that ends the token or the account that it is sent with has one of its own.
ENDING = {"deleteAccount", "replaceToken", "revokeToken", "endOwnSession", "endSession"}
tokens = {}


def call(method, path, content=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(URL + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def sign_up():
    return call("POST", "/v1/users", {"name": "Ann"})["token"]


def name(operation):
    return operation.definition.raw.get("operationId")


def token(operation):
    if operation not in tokens:
        tokens[operation] = sign_up()
    return tokens[operation]


@schemathesis.auth(cache_by_key=None, refresh_interval=None)
class Token:
    """Each call has an account, so that none fills what another one needs."""

    def get(self, case, context):
        operation = name(context.operation)
        return sign_up() if operation in ENDING else token(operation)

    def set(self, case, token, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def filter_case(context, case):
    # A server without lengths of slots knows no such parameter, and ignores whatever it is.
    return name(case.operation) != "listSlots" or "minutes" not in (case.query or {})


@schemathesis.hook
def map_case(context, case):
    if case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE:
        headers(case)
        if case.query:
            query(case.query)
        operation = name(case.operation)
        if isinstance(case.body, dict):
            body(operation, case.body)
        if operation not in ENDING and case.path_parameters:
            identify(case.operation.path, operation, case.path_parameters)
    return case


def identify(path, operation, parameters):
    """Names something that the account has, or had before an earlier call."""
    if path.startswith("/v1/registrations/"):
        parameters["id"] = registration(operation)
    elif path.startswith("/v1/rooms/"):
        parameters["id"] = meeting(operation)["roomId"]
    elif path.startswith(("/v1/blocks/", "/v1/favourites/")):
        parameters["registrationId"] = partner(operation)
    elif path.startswith("/v1/endpoints/"):
        parameters["id"] = made(operation, "/v1/endpoints", {"kind": "webhook", "url": f"{URL}/hook"})
    elif path.startswith("/v1/routines/"):
        rule = {"task": "Write", "rrule": "FREQ=DAILY", "localTime": "00:00", "timeZone": "UTC"}
        parameters["id"] = made(operation, "/v1/routines", rule)
    elif path.startswith("/v1/me/calendars/"):
        parameters["id"] = made(operation, "/v1/me/calendars")


@functools.cache
def registration(operation):
    body = {"task": "Write", "slots": [midnight(2)]}
    return call("POST", "/v1/registrations", body, token(operation))["registrations"][0]["id"]


@functools.cache
def meeting(operation):
    """A registration whose room is open, with another person in it."""
    body = {"task": "Write", "slots": [midnight(0)]}
    for person in sign_up(), token(operation):
        id = call("POST", "/v1/registrations", body, person)["registrations"][0]["id"]
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = call("GET", f"/v1/registrations/{id}", token=token(operation))
        if found["roomId"] and partners(found["roomId"], operation):
            return found
        time.sleep(0.05)
    raise TimeoutError("No partner came.")


def partners(room, operation):
    members = call("GET", f"/v1/rooms/{room}", token=token(operation))["members"]
    return [member["id"] for member in members if not member["you"]]


@functools.cache
def partner(operation):
    return partners(meeting(operation)["roomId"], operation)[0]


_made = {}


def made(operation, path, content=None):
    if operation not in _made:
        _made[operation] = call("POST", path, content, token(operation))["id"]
    return _made[operation]


def midnight(number):
    """The start of today's slot, or of one so many days later."""
    day = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=number)
    return day.strftime("%Y-%m-%dT00:00:00Z")


def headers(case):
    for field in list(case.headers or {}):
        # One request has one key; the same key with another body is refused.
        if field.lower() == "idempotency-key":
            case.headers[field] = str(uuid.uuid4())
        # The tag is that of a state of the server's.
        if field.lower() == "if-match":
            case.headers[field] = "*"


def routine(content):
    # The grammar of a rule is longer than an expression should be.
    if "rrule" in content:
        content["rrule"] = "FREQ=DAILY"
    # The one time that is on the grid of days.
    if "localTime" in content:
        content["localTime"] = "00:00"
    if content.get("timeZone"):
        content["timeZone"] = "UTC"
    # How far ahead a routine may begin is a setting.
    for member in "startDate", "from":
        if content.get(member):
            content[member] = midnight(2)[:10]


def query(parameters):
    # A cursor is one of the server's own.
    parameters.pop("cursor", None)
    if "timeZone" in parameters:
        parameters["timeZone"] = "Europe/Berlin"


def body(operation, content):
    # The names of time zones are those of the database.
    if content.get("timeZone"):
        content["timeZone"] = "Europe/Berlin"
    # The grid of slots, and how far ahead they may be had, are settings.
    for member, length in ("slots", 20), ("localSlots", 16):
        if operation == "register" and member in content:
            content[member] = [midnight(3 + day)[:length] for day in range(len(content[member]))]
            # Local midnights are on the grid of days in UTC alone.
            content.pop("timeZone", None)
    # A past partner.
    if operation in ("addBlock", "addFavourite") and "registrationId" in content:
        content["registrationId"] = partner(operation)
    # Lengths of slots are a setting.
    content.pop("minutes", None)
    if operation in ("makeRoutine", "changeRoutine"):
        routine(content)
    # A day of the routine.
    if operation == "skipDay" and "date" in content:
        content["date"] = midnight(3)[:10]
    # What is past at the time of the request is refused.
    if content.get("expiresAt"):
        content["expiresAt"] = "2999-01-01T00:00:00Z"

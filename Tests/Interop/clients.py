"""Clients that three generators make from the description: they read every notification, message and problem, and
write it again without a loss."""

import datetime
import importlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import dateutil.parser
import httpx

from service import Person, until

SUBJECT = "clients"
PACKAGE = "generated_{}"
# The unions of whole objects.
UNIONS = (
    "Notification", "WebhookMessage", "Problem", "SocketServerMessage", "SocketServerMessageV1", "SocketClientMessage",
    "NewEndpoint")
# One more member of each object, as a later server adds it.
LATER = {"later": {"a": [1]}}


def check(report, service):
    with urllib.request.urlopen(f"{service.url}/openapi.json", timeout=30) as answer:
        document = json.load(answer)
    folder = tempfile.mkdtemp(dir=service.folder)
    path = os.path.join(folder, "openapi.json")
    with open(path, "w") as file:
        json.dump(document, file)
    sys.path.insert(0, folder)
    values = samples(document)
    values["Problem"] += refusals(service)
    values["Notification"] += heard(service)
    generate(report, folder, path, document, values)


def generate(report, folder, path, document, values):
    schemas = document["components"]["schemas"]
    for generator in GeneratedByPythonClient, GeneratedByCodeGenerator, GeneratedByOpenAPIGenerator:
        made = report.holds(SUBJECT, f"{generator.name} generates a client", lambda: generator(folder, path, schemas))
        if made:
            compare(report, made, values)


def samples(document):
    """The examples of each union, by its name: one at least for each value of the discriminator."""
    schemas = document["components"]["schemas"]
    found = {}
    for union in UNIONS:
        known = schemas[f"Known{union}"] if f"Known{union}" in schemas else schemas[union]
        names = [choice["$ref"].split("/")[-1] for choice in known["oneOf"]]
        if f"Other{union}" in schemas:
            names.append(f"Other{union}")
        found[union] = [example for name in names for example in schemas[name]["examples"]]
    for response in document["components"]["responses"].values():
        examples = response["content"]["application/problem+json"]["examples"]
        found["Problem"] += [example["value"] for example in examples.values()]
    ale = schemas["SocketAleResponse"]["examples"][0]
    found["SocketServerMessage"] += [ale | {"first": 5, "count": 3}, ale | {"first": 5, "count": 3, "since": 4}]
    for union, values in found.items():
        known = schemas.get(f"Known{union}", schemas[union])
        member = known["discriminator"]["propertyName"]
        missing = set(known["discriminator"]["mapping"]) - {value[member] for value in values}
        assert not missing, f"{union} has no example of {missing}"
    return found


def refusals(service):
    """Problems of the server itself."""
    found = []
    for method, path, body in (
            ("GET", "/v1/me", None), ("GET", "/v1/nothing", None), ("POST", "/v1/users", {"name": ""}),
            ("POST", "/v1/users", {"name": "Ann", "mood": 1}), ("POST", "/livez", {})):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            service.url + path, data=data, headers={"Content-Type": "application/json"}, method=method)
        try:
            urllib.request.urlopen(request, timeout=30).close()
        except urllib.error.HTTPError as error:
            found.append(json.load(error))
    assert len(found) == 5, found
    return found


def heard(service):
    """Notifications of the server itself, of two people who register for one slot."""
    people = [Person(service, name) for name in ("Cleo", "Dora")]
    for person in people:
        person.enter_match()

    def opened():
        found = [one for person in people for one in person.call("GET", "/v1/notifications")["notifications"]]
        return found if len([one for one in found if one["type"] == "room.opened"]) == 2 else None

    found = until("the opening of the room", opened)
    for person in people:
        person.call("DELETE", "/v1/me")
    return found


def compare(report, made, values):
    for union, list_ in values.items():
        lost = []
        for value in list_:
            # Requests are closed. A later server adds members to answers.
            extended = value if union in ("SocketClientMessage", "NewEndpoint") else value | LATER
            for one in (value, extended):
                try:
                    model = made.read(union, one)
                    written = made.write(model)
                except Exception as error:
                    lost.append(f"{one}: {str(error)[:300]}")
                    continue
                if normal(written) != normal(one):
                    lost.append(f"{one} became {written}")
                if type(model).__name__.startswith("Other") == is_known(made.schemas, union, one):
                    lost.append(f"{one} is a {type(model).__name__}")
        report.check(
            SUBJECT, f"{made.name} loses nothing of {union}", not lost, "; ".join(lost[:2]) or f"{len(list_)} values")
    summary = next(one for one in values["Notification"] if one["type"] == "session.completed")
    data = made.read("Notification", summary).data
    counts = [getattr(data, name, None) for name in made.names]
    report.check(
        SUBJECT, f"{made.name} reads session.completed by its members",
        counts == [summary["data"]["alesSent"], summary["data"]["alesReceived"]], str(counts))


def is_known(schemas, union, value):
    known = schemas.get(f"Known{union}", schemas[union])["discriminator"]
    return value[known["propertyName"]] in known["mapping"]


def normal(value):
    """The value with its times in one form: `Z` and `+00:00`, and fractions, are written differently."""
    if isinstance(value, dict):
        return {name: normal(member) for name, member in value.items()}
    if isinstance(value, list):
        return [normal(element) for element in value]
    if isinstance(value, str) and len(value) > 18 and value[4] == "-" and value[10] == "T":
        return dateutil.parser.isoparse(value).astimezone(datetime.timezone.utc).isoformat()
    return value


def run(program, *arguments, folder):
    path = os.path.join(os.path.dirname(sys.executable), program)
    made = subprocess.run(
        [path, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)
    if made.returncode != 0:
        raise RuntimeError(made.stdout[-2000:])


class GeneratedByPythonClient:
    name = "openapi-python-client"
    names = ("ales_sent", "ales_received")

    def __init__(self, folder, path, schemas):
        self.package = package = PACKAGE.format("python_client")
        settings = os.path.join(folder, "settings.yml")
        with open(settings, "w") as file:
            file.write("post_hooks: []\ncontent_type_overrides:\n  application/yaml: text/plain\n")
        run(
            self.name, "generate", "--path", path, "--meta", "none", "--config", settings, "--output-path",
            os.path.join(folder, package), "--fail-on-warning", folder=folder)
        self.models = importlib.import_module(f"{package}.models")
        self.schemas = schemas

    def read(self, union, value):
        """Reads a notification and a problem as the calls do that answer with one. The other unions are in no answer:
        the program picks the class by the discriminator."""
        if union == "Notification":
            return self.models.NotificationList.from_dict({"notifications": [value]}).notifications[0]
        if union == "Problem":
            call = importlib.import_module(f"{self.package}.api.accounts.read_account")
            client = importlib.import_module(self.package).Client(base_url="http://localhost")
            return call._parse_response(client=client, response=httpx.Response(401, json=value))
        known = self.schemas.get(f"Known{union}", self.schemas[union])["discriminator"]
        name = known["mapping"].get(value[known["propertyName"]], f"Other{union}").split("/")[-1]
        return getattr(self.models, name).from_dict(value)

    def write(self, model):
        return model.to_dict()


class GeneratedByCodeGenerator:
    name = "datamodel-code-generator"
    names = ("alesSent", "alesReceived")

    def __init__(self, folder, path, schemas):
        module = PACKAGE.format("code_generator")
        run(
            "datamodel-codegen", "--input", path, "--input-file-type", "openapi", "--output",
            os.path.join(folder, f"{module}.py"), "--output-model-type", "pydantic_v2.BaseModel", "--extra-fields",
            "allow", folder=folder)
        self.module = importlib.import_module(module)
        self.schemas = schemas

    def read(self, union, value):
        model = getattr(self.module, union).model_validate(value)
        while hasattr(model, "root"):
            model = model.root
        return model

    def write(self, model):
        return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


class GeneratedByOpenAPIGenerator:
    name = "openapi-generator-cli"
    names = ("ales_sent", "ales_received")

    def __init__(self, folder, path, schemas):
        package = PACKAGE.format("openapi_generator")
        run(
            self.name, "generate", "-i", path, "-g", "python", "-o", os.path.join(folder, "openapi-generator"),
            "--additional-properties", f"disallowAdditionalPropertiesIfNotPresent=false,packageName={package}",
            folder=folder)
        sys.path.insert(0, os.path.join(folder, "openapi-generator"))
        self.models = importlib.import_module(f"{package}.models")
        self.schemas = schemas

    def read(self, union, value):
        model = getattr(self.models, union).from_dict(value)
        while hasattr(model, "actual_instance"):
            model = model.actual_instance
        return model

    def write(self, model):
        return json.loads(model.to_json())

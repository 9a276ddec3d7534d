"""Runs the examples of docs/integrate/notifications.md that verify a webhook, each with its own language."""

import json
import pathlib
import re
import subprocess
import tempfile
import time

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/integrate/notifications.md"
SUBJECT = "webhook"

# Each language: the command, and what reads a case {secret, headers, body} from the file that the command names last,
# calls the example's `verify`, and exits with 0 if it accepts the request, else with 1.
LANGUAGES = {
    "python": (["python3"], "", """
import json, sys
case = json.load(open(sys.argv[1]))
sys.exit(0 if verify(case["secret"], case["headers"], case["body"].encode()) else 1)
"""),
    "js": (["node"], "", """
const given = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"))
process.exit(verify(given.secret, given.headers, Buffer.from(given.body)) ? 0 : 1)
"""),
    "php": (["php"], "<?php\n", """
$case = json_decode(file_get_contents($argv[1]), true);
exit(verify($case['secret'], $case['headers'], $case['body']) ? 0 : 1);
"""),
    "ruby": (["ruby"], "", """
require "json"
given = JSON.parse(File.read(ARGV[0]))
exit(verify(given["secret"], given["headers"], given["body"]))
"""),
}


def blocks(text):
    """The code of each language, from the first fence that names it."""
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {language: code for language, code in reversed(found)}


def cases(secret, request):
    """Whether a verifier accepts, with the case."""
    headers, body = dict(request.headers), request.body.decode()
    stamp = headers["webhook-timestamp"]
    right, other = headers["webhook-signature"], "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    yield "as it came", True, headers, body
    yield "two signatures", True, headers | {"webhook-signature": f"{other} {right}"}, body
    yield "the body changed", False, headers, body.replace("room", "Room", 1)
    yield "another id", False, headers | {"webhook-id": headers["webhook-id"] + "0"}, body
    yield "another time", False, headers | {"webhook-timestamp": str(int(stamp) + 1)}, body
    yield "another signature", False, headers | {"webhook-signature": other}, body
    yield "no signature", False, headers | {"webhook-signature": ""}, body


def old(secret, request, sign):
    """The same request, signed ten minutes earlier: right, and too old."""
    stamp = str(int(time.time()) - 600)
    headers = dict(request.headers) | {"webhook-timestamp": stamp}
    headers["webhook-signature"] = sign(secret, request, int(stamp))
    return "ten minutes old", False, headers, request.body.decode()


def check(report, secret, request, sign):
    examples = blocks(PAGE.read_text())
    for language, (command, before, after) in LANGUAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            program.write_text(before + examples[language] + after)
            for name, accepted, headers, body in [*cases(secret, request), old(secret, request, sign)]:
                case = pathlib.Path(folder, "case")
                case.write_text(json.dumps({"secret": secret, "headers": headers, "body": body}))
                run = subprocess.run([*command, program, case], capture_output=True, text=True, timeout=60)
                is_right = run.returncode == (0 if accepted else 1) and not run.stderr
                verdict = "accepted" if accepted else "refused"
                report.check(SUBJECT, f"the example in {language}: {name}: {verdict}", is_right, run.stderr)

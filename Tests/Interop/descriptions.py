"""The description of the calls, in JSON and in YAML."""

import json
import urllib.request

import yaml

SUBJECT = "OpenAPI"


def check(report, service):
    with urllib.request.urlopen(f"{service.url}/openapi.json", timeout=30) as answer:
        as_json = json.loads(answer.read())
    with urllib.request.urlopen(f"{service.url}/v1/openapi.yaml", timeout=30) as answer:
        as_yaml = report.holds(SUBJECT, "PyYAML reads it", lambda: yaml.safe_load(answer.read()))
    report.check(SUBJECT, "YAML and JSON say the same", as_json == as_yaml)

#!/usr/bin/python3
"""schema.py SCHEMA FILE... - what the JSON Schema says of each file: pass, fail or notjson, and its name."""
import json
import sys

import jsonschema


def strict(word):
    raise ValueError(word + " is not JSON")


def verdict(validator, path):
    try:
        with open(path, "rb") as file:
            descriptor = json.loads(file.read().decode("utf-8"), parse_constant=strict)
    except (ValueError, RecursionError):
        return "notjson"
    return "pass" if validator.is_valid(descriptor) else "fail"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for path in sys.argv[2:]:
        print(verdict(validator, path), path)


main()

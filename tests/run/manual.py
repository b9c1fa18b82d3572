#!/usr/bin/python3
"""manual.py WHAT FILE... - facts for manual.sh, one a line, sorted

codes DEF        code and status of src/base/diag.def
codes MANUAL     the same from the table in qemu-handoff(1)
keys SCHEMA      what tests/run/keys prints, from the JSON Schema
keys MANUAL      the same from qemu-handoff(5)
members SOURCE   members of the JSON documents that a source file makes
members MANUAL   members that a section of a manual describes: LAUNCH REPORT, DIAGNOSTICS
examples DIR FILE...
                 write each example descriptor of manuals and README into DIR
"""
import json
import os
import pathlib
import re
import sys

STATUS = {"EXIT_NONE": "warning", "EXIT_DESC": "100", "EXIT_HOST": "101", "EXIT_CALL": "111",
          "EXIT_NOEXEC": "126", "EXIT_NOQEMU": "127"}
MODES = os.environ.get("MODES", "").split()  # of the parser, in its order


def codes(name, text):
    if name.endswith(".def"):
        for status, code in re.findall(r"^DIAG\(\w+,\s*(\w+),\s*\"([^\"]+)\"\)", text, re.M):
            yield f"{code} {STATUS[status]}"
    else:
        for code, status, meaning in re.findall(r"^\.It Sy (\S+) Ta (\S+) Ta\n(.*)", text, re.M):
            yield f"{code} {status}" if meaning[0] not in "." else f"{code} has no meaning"


def modes_words(modes):
    modes = [mode for mode in MODES if mode in modes]
    return " ".join(modes) if modes != MODES else "all modes"


def keys_schema(text):
    schema = json.loads(text)
    modes = {}
    yield from (f"mode {mode}" for mode in schema["$defs"]["nic"]["properties"]["mode"]["enum"])
    for key in schema["properties"]:
        yield f"descriptor {key}"
    for key in schema["$defs"]["expect"]["properties"]:
        yield f"expect {key}"
    for key in schema["properties"]["seccomp"]["then"]["properties"]:
        yield f"seccomp {key}"
    for mode in MODES:
        for key in schema["$defs"].get("nic_" + mode.replace("-", "_"), {"properties": {}})["properties"]:
            modes.setdefault(key, []).append(mode)
    for key, its in modes.items():
        yield f"nic {key}: {modes_words(its)}"
    for mode in MODES:
        options = schema["$defs"].get("options_" + mode.replace("-", "_"), {"properties": {}})
        for key in options["properties"]:
            yield f"option {key}: {mode}"


def options_mode(section):
    """The mode whose options a section of the manual has, as in PASST OPTIONS."""
    name = section.removesuffix(" OPTIONS").lower()
    return name if section.endswith(" OPTIONS") and name in MODES else None


def keys_manual(text):
    section, depth, key = None, 0, None
    for line in text.split("\n"):
        if line.startswith(".Sh "):
            section = {"DESCRIPTOR KEYS": "descriptor", "NIC KEYS": "nic", "EXPECT KEYS": "expect",
                       "SECCOMP KEYS": "seccomp"}.get(line[4:], options_mode(line[4:]))
        depth += line.startswith(".Bl ") - line.startswith(".El")
        item = re.match(r"\.It Cm ([\w$-]+)(?: Pq Em (.*))?$", line)
        if not section or not item:
            continue
        if section == "nic" and depth == 2 and key == "mode":
            yield f"mode {item.group(1)}"
        if depth != 1:
            continue
        key, modes = item.groups()
        if section == "nic":
            modes = MODES if modes == "all modes" else modes.replace(",", " ").split()
            yield f"nic {key}: {modes_words(modes)}"
        elif section in MODES:
            yield f"option {key}: {section}"
        else:
            yield f"{section} {key}"


def keys(name, text):
    return keys_schema(text) if name.endswith(".json") else keys_manual(text)


def members(name, text):
    if name.endswith(".c"):
        found = re.findall(r'\\"(\w+)\\":', text) + re.findall(r'put_(?:member|numbers)\(s, "(\w+)"', text)
    else:
        section = re.search(r"^\.Sh (?:LAUNCH REPORT|DIAGNOSTICS)\n(.*?)^\.Sh ", text, re.M | re.S).group(1)
        lines = re.findall(r"^\.(?:It )?(Va .*)", section, re.M)
        found = [word for line in lines for word in re.findall(r"\b[a-z_]{2,}\b", line.replace("Pc", ""))]
    return set(found)


def examples(text):
    """Every { ... } that begins a line and closes its brackets, and names a version."""
    for match in re.finditer(r"^\{", text, re.M):
        try:
            value, end = json.JSONDecoder().raw_decode(text, match.start())
        except ValueError as error:
            if '"version"' in text[match.start():].split("\n\n")[0]:
                raise SystemExit(f"not JSON: {text[match.start():][:200]}") from error
            continue
        mistake = text[:match.start()].endswith("cat typo.json\n")  # what follows says so
        if "version" in value and "argv" not in value and not mistake:
            yield text[match.start():end]


def main():
    what, *names = sys.argv[1:]
    if what == "examples":
        directory = pathlib.Path(names.pop(0))
    for name in names:
        text = pathlib.Path(name).read_text(encoding="utf-8")
        if what == "examples":
            count = 0
            for count, example in enumerate(examples(text.replace("\\&", "").replace("\\(dq", '"')), 1):
                (directory / f"{pathlib.Path(name).name}-{count:02}.json").write_text(example + "\n", encoding="utf-8")
            print(f"{pathlib.Path(name).name} {count}")
        else:
            facts = {"codes": codes, "keys": keys, "members": members}[what]
            print("\n".join(sorted(facts(name, text))))


main()

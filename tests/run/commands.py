#!/usr/bin/python3
"""commands.py DIR FILE... - the shell commands of manuals and README, one file each, in order

Writes DIR/NAME-NN.KIND, where KIND is

session  lines that begin with "# " or "$ " are commands, the others what they print
message  an error as it is printed, broken into lines
sh       commands without what they print
text     neither: the forms of things, and parts of configuration files

and prints the names. Descriptors are tested by manual.sh.
"""
import pathlib
import re
import sys

COMMAND = re.compile(r"^(\{ cat|ip|ln|cat|jq|qemu-handoff|qemu-system|/usr/|packaging/|apt|\./|QEMU_|ethtool|chmod|mkdir|install|useradd|strace|journalctl) ?")


def plain(text):
    """The text that a reader sees of a line of mdoc."""
    for code, char in (("\\e", "\\"), ("\\(dq", '"'), ("\\&", "")):
        text = text.replace(code, char)
    return text


def manual(text):
    for match in re.finditer(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed|^\.Dl ([^\n]*)$", text, re.M | re.S):
        yield plain(match.group(1) or match.group(2) + "\n")


def readme(text):
    fenced = r"^```(\w*)\n(.*?)^```"
    for match in re.finditer(fenced + r"|((?:^    [^\n]*\n)+)", text, re.M | re.S):
        language, block, indented = match.groups()
        if language != "json":
            yield block if block is not None else re.sub(r"^    ", "", indented, flags=re.M)


def kind(block):
    if block.startswith(("# ", "$ ")):
        return "session"
    if block.startswith("qemu-handoff: "):
        return "message"
    return "sh" if COMMAND.match(block) else "text"


def main():
    directory = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        text = path.read_text(encoding="utf-8")
        blocks = [b for b in (readme if path.suffix == ".md" else manual)(text) if not b.lstrip().startswith('{ "version"')
                  and not b.startswith("{\n")]
        for number, block in enumerate(blocks, 1):
            target = directory / f"{path.name}-{number:02}.{kind(block)}"
            target.write_text(block, encoding="utf-8")
            print(target.name)


main()

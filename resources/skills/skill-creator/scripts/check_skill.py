#!/usr/bin/env python3
"""Checks the folder of a skill and prints its problems with file and line.

Reads only: nothing is written, and nothing of the skill is run.
Usage: check_skill.py [FOLDER...]
Without FOLDER: the working folder if it holds a SKILL.md, otherwise every skill in
.satchel/skills and .agents/skills of the working folder.
Exit codes: 0 no errors, 1 at least one error, 2 wrong usage or no such folder.
"""

import os
import re
import sys
import unicodedata
from collections import namedtuple

Problem = namedtuple("Problem", "file line level text")
Field = namedtuple("Field", "key value line kind children")

FIELDS = ["allowed-tools", "compatibility", "description", "license", "metadata", "name"]
INTERPRETERS = {".sh": "bash", ".bash": "bash", ".py": "python3", ".js": "node", ".mjs": "node",
                ".cjs": "node", ".rb": "ruby", ".pl": "perl"}
PROJECT_FOLDERS = [".satchel/skills", ".agents/skills"]
MAX_SKILL_BYTES = 1_000_000
MAX_TEXT_BYTES = 1_000_000
MAX_FILES = 200
MAX_PROBLEMS = 100
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)")
MENTION = re.compile(r"(?<![\w./-])((?:scripts|references|assets)/[\w./-]*\w\.\w+)")
PLACEHOLDER = re.compile(r"\b(?:TODO|FIXME|TBD|lorem ipsum)\b|\{\{[^}]*\}\}", re.IGNORECASE)
HOME_PATH = re.compile(r"(?<![\w.])(?:/home/\w+|/Users/\w+|[A-Z]:\\Users\\\w+)")
WHEN = re.compile(r"\b(?:use|when|whenever|if|for)\b", re.IGNORECASE)


def main(args):
    if args and args[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    if args and args[0].startswith("-") and args[0] != "--":
        print(f"check_skill.py: unknown option {args[0]}. Only --help is known.", file=sys.stderr)
        return 2
    folders = [a for a in args if a != "--"] or default_folders()
    if not folders:
        print(__doc__.strip())
        print("\nThere is no skill in the working folder, so nothing was checked.")
        return 0
    problems = []
    for folder in folders:
        if os.path.basename(folder).lower() == "skill.md":
            folder = os.path.dirname(folder) or "."
        if not os.path.isdir(folder):
            print(f"check_skill.py: {shown(folder)}: no such folder. Give the folder that holds SKILL.md.",
                  file=sys.stderr)
            return 2
        problems += check_folder(folder)
    report(problems, len(folders))
    return 1 if any(p.level == "error" for p in problems) else 0


def default_folders():
    if skill_file("."):
        return ["."]
    found = []
    for parent in PROJECT_FOLDERS:
        if os.path.isdir(parent):
            found += [os.path.join(parent, n) for n in sorted(os.listdir(parent))]
    return [f for f in found if os.path.isdir(f)]


def report(problems, count):
    for p in problems[:MAX_PROBLEMS]:
        print(f"{shown(p.file)}:{p.line}: {p.level}: {shown(p.text)}")
    if len(problems) > MAX_PROBLEMS:
        print(f"... and {len(problems) - MAX_PROBLEMS} more.")
    errors = sum(p.level == "error" for p in problems)
    print(f"{plural(errors, 'error')}, {plural(len(problems) - errors, 'warning')} in {plural(count, 'skill')}.")


def check_folder(folder):
    """All problems of one skill, SKILL.md first, then its other files by name and line."""
    name = skill_file(folder)
    if name is None:
        return [Problem(os.path.join(folder, "SKILL.md"), 1, "error", "There is no SKILL.md in this folder.")]
    path = os.path.join(folder, name)
    problems = Problems(path)
    if name != "SKILL.md":
        problems.error(1, f"The file is called {name}. Most programs find only SKILL.md.")
    text = read_text(path, MAX_SKILL_BYTES, problems)
    if text is None:
        return problems.all
    lines = text.split("\n")
    end = check_fences(lines, problems)
    if end is None:
        return problems.all
    check_fields(parse_fields(lines[1:end], problems), folder, problems)
    body = lines[end + 1:]
    files = list_files(folder, problems)
    check_body(body, end + 2, problems)
    named = check_references(body, end + 2, (folder, ""), problems)
    named |= check_mentions(body, end + 2, folder, problems)
    return sorted(problems.all, key=lambda p: p.line) + check_files(folder, files, named)


class Problems:
    """Collects the problems of one file."""

    def __init__(self, file):
        self.file = file
        self.all = []

    def error(self, line, text):
        self.all.append(Problem(self.file, line, "error", text))

    def warn(self, line, text):
        self.all.append(Problem(self.file, line, "warning", text))


# --- The frontmatter ---------------------------------------------------------------------------

def check_fences(lines, problems):
    """The index of the closing line, or None if there is no frontmatter to look at."""
    if lines[0].startswith("\ufeff"):
        problems.error(1, "The file starts with a byte order mark. Save it as UTF-8 without one.")
        lines[0] = lines[0][1:]
    if lines[0].rstrip() != "---":
        problems.error(1, "The first line must be --- with nothing before it.")
        return None
    for i, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return i
        if line.strip() == "---" and not line.startswith("\t"):
            problems.error(i + 1, "The closing --- must not be indented.")
            return i
    problems.error(1, "The frontmatter is not closed. Add a line --- after the last field.")
    return None


def parse_fields(lines, problems):
    """The top-level fields of the frontmatter: enough YAML for six fields, with advice for the rest."""
    groups = []
    for i, line in enumerate(lines):
        number = i + 2
        if not line.strip() or line.startswith("#"):
            if groups:
                groups[-1][3].append((number, line))
            continue
        if line[0] in " \t":
            if line[: len(line) - len(line.lstrip())].count("\t"):
                problems.error(number, "A tab is used for indentation. YAML needs spaces.")
            if groups:
                groups[-1][3].append((number, line))
            else:
                problems.error(number, "The line is indented, but there is no field above it.")
            continue
        match = re.match(r"([^\s:][^:]*?)\s*:(?:\s+(.*))?$", line)
        if match:
            groups.append((match.group(1).strip("\"'"), (match.group(2) or "").strip(), number, []))
        elif groups and line.startswith("- "):
            groups[-1][3].append((number, line))
        else:
            problems.error(number, "The line is not of the form \"field: value\".")
    if not groups:
        problems.error(1, "The frontmatter holds no fields.")
    return [make_field(group, problems) for group in groups]


def make_field(group, problems):
    key, first, line, rest = group
    filled = [(n, text.strip()) for n, text in rest if text.strip()]
    texts = [text for _, text in filled]
    if re.match(r"[|>][+-]?\d?\s*$", first):
        glue = " " if first[0] == ">" else "\n"
        return Field(key, glue.join(texts), line, "text", [])
    if first == "" and filled:
        if texts[0].startswith("- "):
            return Field(key, " ".join(t[1:].strip() for t in texts), line, "list", [])
        if re.match(r"[^\s\"'][^:]*:(\s|$)", texts[0]):
            return Field(key, "", line, "map", [(n, t) for n, t in filled if not t.startswith("#")])
    return Field(key, *scalar(key, " ".join([first, *texts]).strip(), line, problems), [])


def scalar(key, raw, line, problems):
    """Value, line and kind of a plain or quoted value."""
    if raw[:1] in ("[", "{"):
        problems.warn(line, f"{key} is written in flow style ({raw[0]}). The reference validator refuses that.")
        return raw, line, "map" if raw[0] == "{" else "list"
    if raw[:1] in ("\"", "'"):
        value = unquote(raw)
        if value is None:
            problems.error(line, f"The quotes of {key} are not closed, or text follows them.")
        return value or "", line, "text"
    if raw[:1] and raw[0] in "&*!@`%,]}|>":
        problems.error(line, f"The value of {key} starts with {raw[0]}. Put it in double quotes.")
    elif re.search(r":(\s|$)", raw):
        problems.error(line, f"The value of {key} holds a colon and a space. Put it in double quotes.")
    if re.search(r"(^|\s)#", raw):
        problems.warn(line, f"The value of {key} ends at the # sign, the rest is a comment. Use quotes to keep it.")
        raw = re.split(r"(?:^|\s)#", raw)[0].strip()
    return raw, line, "text"


def unquote(raw):
    """The text in quotes, or None if they are not closed or something follows."""
    if raw[0] == "\"":
        match = re.match(r'"((?:[^"\\]|\\.)*)"\s*(#.*)?$', raw)
        return match and re.sub(r"\\(.)", r"\1", match.group(1))
    match = re.match(r"'((?:[^']|'')*)'\s*(#.*)?$", raw)
    return match and match.group(1).replace("''", "'")


def check_fields(fields, folder, problems):
    seen = {}
    for field in fields:
        if field.key in seen:
            problems.error(field.line, f"The field {field.key} is there twice, first in line {seen[field.key].line}.")
            continue
        seen[field.key] = field
        if field.key not in FIELDS:
            problems.error(field.line, f"Unknown field {field.key}. The standard knows {', '.join(FIELDS)}. "
                                       "A private value can go under metadata.")
        elif "---" in field.value:
            problems.warn(field.line, f"{field.key} holds ---. Some readers take it for the end of the frontmatter.")
    check_name(seen.get("name"), folder, problems)
    check_description(seen.get("description"), problems)
    check_optional(seen, problems)


def check_name(field, folder, problems):
    if field is None or not field.value.strip():
        problems.error(field.line if field else 1, "The field name is missing or empty.")
        return
    name, line = unicodedata.normalize("NFKC", field.value.strip()), field.line
    if len(name) > 64:
        problems.error(line, f"The name has {len(name)} characters, the limit is 64.")
    if name != name.lower():
        problems.error(line, "The name must be in lower case.")
    if name.startswith("-") or name.endswith("-") or "--" in name:
        problems.error(line, "The name must not start or end with a hyphen or hold two in a row.")
    if not all(c.isalnum() or c == "-" for c in name):
        problems.error(line, "The name may hold only letters, digits and hyphens.")
    actual = unicodedata.normalize("NFKC", os.path.basename(os.path.realpath(folder)))
    if name != actual:
        problems.error(line, f"The name is \"{name}\", but the folder is \"{actual}\". They must be the same.")


def check_description(field, problems):
    if field is None or not field.value.strip():
        problems.error(field.line if field else 1, "The field description is missing or empty.")
        return
    size = len(field.value)
    if size > 1024:
        problems.error(field.line, f"The description has {size:,} characters, the limit is 1,024.")
    elif size < 40:
        problems.warn(field.line, f"The description has only {plural(size, 'character')}. Say what the skill does and when to use it.")
    elif not WHEN.search(field.value):
        problems.warn(field.line, "The description does not say when to use the skill. Add a sentence with \"Use when\".")
    if re.search(r"<[a-zA-Z/][^>]*>", field.value):
        problems.warn(field.line, "The description holds a tag in angle brackets. Some programs refuse that.")


def check_optional(seen, problems):
    for key in ("license", "compatibility", "allowed-tools"):
        field = seen.get(key)
        if field and field.kind != "text":
            problems.error(field.line, f"{key} must be one text, not a list or a map.")
        elif field and not field.value.strip():
            problems.error(field.line, f"{key} is empty. Fill it in or remove it.")
    field = seen.get("compatibility")
    if field and len(field.value) > 500:
        problems.error(field.line, f"compatibility has {len(field.value)} characters, the limit is 500.")
    field = seen.get("metadata")
    if field and field.kind != "map":
        problems.error(field.line, "metadata must be a map of text to text.")
    for line, text in field.children if field else []:
        value = text.partition(":")[2].strip()
        if not value or value[0] in "[{":
            problems.error(line, "A value under metadata must be text, not a list or a map.")
        elif re.match(r"(?:[-+]?\d[\d_.]*(?:e\d+)?|true|false|null|yes|no|~)$", value, re.IGNORECASE):
            problems.warn(line, f"YAML does not take {value} for text. Put it in double quotes.")


# --- The body and the other files --------------------------------------------------------------

def check_body(body, first, problems):
    text = "\n".join(body).strip()
    if not text:
        problems.error(first, "The body is empty. Say what to do once the skill is loaded.")
        return
    if len(body) > 500:
        problems.warn(first, f"The body has {len(body)} lines, 500 is the usual limit. Move parts into references.")
    if len(text) > 20_000:
        problems.warn(first, f"The body has about {len(text) // 4:,} tokens, 5,000 is the usual limit.")
    for number, line in enumerate(body, first):
        plain = re.sub(r"`[^`]*`", "", line)
        if PLACEHOLDER.search(plain):
            problems.warn(number, f"A placeholder is left: {PLACEHOLDER.search(plain).group(0)}")
        if HOME_PATH.search(line):
            problems.warn(number, f"A path of one machine: {HOME_PATH.search(line).group(0)}. Others don't have it.")


def prose(lines):
    """Numbered lines outside of fenced blocks, without inline code."""
    fence = None
    for i, line in enumerate(lines):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence is None and mark:
            fence = mark.group(1)
        elif fence is not None and mark and mark.group(1).startswith(fence) and line.strip() == mark.group(1):
            fence = None
        elif fence is None:
            yield i, re.sub(r"(`+)(?:(?!\1).)+\1", "", line)


def check_references(lines, first, place, problems):
    """Checks the relative links of a Markdown text; the files of the skill that it names.
    place = (folder of the skill, folder of the text inside it)."""
    root, inside = place
    named = set()
    for i, line in prose(lines):
        for target in LINK.findall(line):
            path = target.split("#")[0]
            if not path or re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", target):
                continue
            spots = [os.path.normpath(os.path.join(base, path)) for base in dict.fromkeys(["", inside])]
            if path.startswith(("/", "~")) or all(s.split(os.sep)[0] == ".." for s in spots):
                problems.error(first + i, f"The link {target} leads out of the skill.")
                continue
            hit = next((s for s in spots if os.path.exists(os.path.join(root, s))), None)
            if hit is None:
                problems.error(first + i, f"The link {target} leads to a file that does not exist.")
            else:
                named.add(hit)
    return named


def check_mentions(body, first, folder, problems):
    """Checks the scripts named in code or text of the body; all files of the skill that it names."""
    named = set()
    for i, line in enumerate(body):
        for path in MENTION.findall(re.sub(r"\]\([^)]*\)", "]", line)):
            if os.path.exists(os.path.join(folder, path)):
                named.add(os.path.normpath(path))
            elif re.match(r"\s*(?:\S+ )?scripts/", line):
                problems.error(first + i, f"The script {path} is named, but does not exist.")
            else:
                problems.warn(first + i, f"{path} is named, but does not exist.")
    return named


def list_files(folder, problems):
    found = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(d for d in folders if not d.startswith(".") and d not in ("node_modules", "__pycache__"))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(here, name), folder)
            if os.path.islink(os.path.join(here, name)):
                problems.warn(1, f"{path} is a link. Copy the file instead, links get lost when a skill is shared.")
            elif not name.startswith("."):
                found.append(path)
            elif name.startswith(".env"):
                problems.error(1, f"{path} may hold passwords. Remove it before the skill is shared.")
    if len(found) > MAX_FILES:
        problems.warn(1, f"The skill has {len(found)} files. Look only at {MAX_FILES}, and consider a smaller skill.")
    return found[:MAX_FILES]


def check_files(folder, files, named):
    result = []
    for path in files:
        problems = Problems(os.path.join(folder, path))
        full = os.path.join(folder, path)
        top, ending = path.split(os.sep)[0], os.path.splitext(path)[1].lower()
        if top == "references" and path not in named:
            problems.warn(1, "SKILL.md never names this file, so nobody will read it.")
        if ending == ".md" and path.lower() != "skill.md":
            text = read_text(full, MAX_TEXT_BYTES, problems)
            if text is not None:
                check_references(text.split("\n"), 1, (folder, os.path.dirname(path)), problems)
        if top == "scripts" and ending in INTERPRETERS:
            check_script(full, ending, path in named, problems)
        result += problems.all
    return result


def check_script(full, ending, named, problems):
    text = read_text(full, MAX_TEXT_BYTES, problems, keep_returns=True)
    if text is None:
        return
    first = text.split("\n")[0]
    if not text.strip() and not full.endswith("__init__.py"):
        problems.error(1, "The script is empty.")
    elif named and not first.startswith("#!"):
        problems.warn(1, f"The script has no first line like \"#!/usr/bin/env {INTERPRETERS[ending]}\".")
    elif first.endswith("\r"):
        problems.error(1, "The script has Windows line ends, so its first line does not work.")


def read_text(path, limit, problems, keep_returns=False):
    """The text of a file, or None with a problem noted."""
    try:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        problems.error(1, f"The file can't be read: {error.strerror}.")
        return None
    if len(data) > limit:
        problems.error(1, f"The file is larger than {limit:,} bytes.")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.error(data.count(b"\n", 0, error.start) + 1, "The text is not UTF-8.")
        return None
    return text if keep_returns else text.replace("\r\n", "\n")


def skill_file(folder):
    names = [n for n in os.listdir(folder) if n.lower() == "skill.md" and os.path.isfile(os.path.join(folder, n))]
    return "SKILL.md" if "SKILL.md" in names else (sorted(names)[0] if names else None)


def plural(count, word):
    return f"{count} {word}" + ("" if count == 1 else "s")


def shown(text):
    """Text for a terminal: control characters would move its cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))

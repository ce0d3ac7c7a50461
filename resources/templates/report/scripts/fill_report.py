#!/usr/bin/env python3
"""Prints the report of assets/report.md, filled from a JSON file."""

import json
import sys
from pathlib import Path
from string import Template

FORM = Path(__file__).resolve().parent.parent / "assets" / "report.md"
LISTS = ("done", "planned", "blocked")


def as_list(items):
    return "\n".join(f"- {item}" for item in items) or "Nothing."


def main():
    if len(sys.argv) != 2:
        print("usage: fill_report.py REPORT.json", file=sys.stderr)
        return 2
    try:
        data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"can't read {sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    missing = [key for key in ("week", *LISTS) if key not in data]
    if missing:
        print(f"missing in {sys.argv[1]}: {', '.join(missing)}", file=sys.stderr)
        return 1
    fields = {"week": data["week"], **{key: as_list(data[key]) for key in LISTS}}
    print(Template(FORM.read_text(encoding="utf-8")).substitute(fields), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

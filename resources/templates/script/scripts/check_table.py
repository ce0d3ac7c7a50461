#!/usr/bin/env python3
"""Lists what is wrong in a CSV table: empty cells, repeated rows, lines of another length than the first."""

import csv
import sys


def problems(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file)
        head = next(rows, None)
        if head is None:
            yield 1, "the table is empty"
            return
        seen = {}
        for row in rows:
            line = rows.line_num
            if len(row) != len(head):
                yield line, f"{len(row)} cells, the first line has {len(head)}"
            for name, cell in zip(head, row):
                if cell.strip() == "":
                    yield line, f'"{name}" is empty'
            first = seen.setdefault(tuple(row), line)
            if first != line:
                yield line, f"the same as line {first}"


def main():
    if len(sys.argv) != 2:
        print("usage: check_table.py TABLE.csv", file=sys.stderr)
        return 2
    count = 0
    try:
        for line, what in problems(sys.argv[1]):
            print(f"{line}: {what}")
            count += 1
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        print(f"can't read {sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    print(f"{count} problem{'' if count == 1 else 's'}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Summarises CSV and TSV files: rows, columns, types, missing values, figures, frequent values.

Reads only: nothing is written, no network is used.
Usage: report.py [FILE...] [--format text|markdown] [--delimiter X] [--encoding NAME] [--no-header]
                 [--columns A,B] [--top N] [--missing X] [--decimal-comma]
Without FILE: every .csv and .tsv directly in the working folder, or the sample of the skill.
Exit codes: 0 everything reported, 1 a file could not be read, 2 wrong usage.
"""

import argparse
import codecs
import csv
import itertools
import math
import os
import re
import sys
from collections import Counter

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " "}
MISSING = {"", "na", "n/a", "null", "none", "nan", "-"}
INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d{0,17})")
NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d{0,17})(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
                  r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
MAX_DIFFERENT = 100_000
SNIFF_ROWS = 50
SNIFF_BYTES = 256 * 1024
# Fed to the reader after the last line. If it comes back inside a row, a quote was never closed.
END = "\x1eEND"


class Unreadable(Exception):
    """A file that can't be reported on; the text says why."""


def main(argv):
    args = read_arguments(argv)
    csv.field_size_limit(10_000_000)
    files = args.files or sorted(f for f in os.listdir(".") if f.lower().endswith((".csv", ".tsv")) and os.path.isfile(f))
    if not files:
        print("Note: no .csv or .tsv file in the working folder. This is the sample of the skill, assets/sample.csv.\n")
        files = [sample()]
    failed = False
    for number, file in enumerate(files):
        if number:
            print()
        try:
            table = read_table(file, args)
            print("\n".join(LAYOUTS[args.format](table, args.top)))
        except Unreadable as error:
            print(f"report.py: {clean(file)}: {error}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


def read_arguments(argv):
    parser = argparse.ArgumentParser(prog="report.py", allow_abbrev=False,
                                     description="Summarises CSV and TSV files. Reads only.",
                                     epilog="Exit codes: 0 everything reported, 1 a file could not be read, 2 wrong usage.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="without it: all tables of the working folder, or the sample")
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    parser.add_argument("--delimiter", type=delimiter, help="one character, or " + ", ".join(DELIMITERS))
    parser.add_argument("--encoding", type=encoding, help="such as cp1252 (default: UTF-8 or the byte order mark)")
    parser.add_argument("--no-header", action="store_true", help="the first row holds data")
    parser.add_argument("--columns", help="only these, by name or number from 1, with commas between")
    parser.add_argument("--top", type=int, default=3, help="how many frequent values, 0 to 50 (default: 3)")
    parser.add_argument("--missing", action="append", default=[], help="one more word that means no value")
    parser.add_argument("--decimal-comma", action="store_true", help="1.234,5 is a number")
    args = parser.parse_args(argv)
    if not 0 <= args.top <= 50:
        parser.error("--top must be between 0 and 50")
    return args


def delimiter(text):
    text = DELIMITERS.get(text, "\t" if text == "\\t" else text)
    if len(text) != 1 or text in "\"\r\n":
        raise argparse.ArgumentTypeError(f"must be one character or one of {', '.join(DELIMITERS)}")
    return text


def encoding(text):
    try:
        info = codecs.lookup(text)
        "".encode(info.name)
    except (LookupError, TypeError):
        raise argparse.ArgumentTypeError(f"unknown encoding {text!r}, try cp1252, latin-1 or utf-16") from None
    return text


def sample():
    folder = os.environ.get("SKILL_DIR") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(folder, "assets", "sample.csv")


# --- Reading -----------------------------------------------------------------------------------

class Table:
    """What is known of one file after it was read once."""

    def __init__(self, name):
        self.name = name
        self.rows = 0
        self.delimiter = ","
        self.encoding = "UTF-8"
        self.columns = []
        self.notes = []


class Column:
    """Figures of one column, kept up to date value by value."""

    def __init__(self, name, args):
        self.name = name
        self.missing_words = MISSING | {m.strip().lower() for m in args.missing}
        self.comma = args.decimal_comma
        self.present = self.missing = self.numbers = 0
        self.kinds = Counter()
        self.values = Counter()
        self.overflow = False
        self.low = self.high = None
        self.total = Sum()
        self.first_date = self.last_date = None
        self.first_other = None

    def add(self, raw, line):
        value = raw.strip()
        if value.lower() in self.missing_words:
            self.missing += 1
            return
        self.present += 1
        if value in self.values or len(self.values) < MAX_DIFFERENT:
            self.values[value] += 1
        else:
            self.overflow = True
        kind, number = classify(value, self.comma)
        self.kinds[kind] += 1
        if number is not None:
            self.numbers += 1
            self.total.add(number)
            self.low = number if self.low is None else min(self.low, number)
            self.high = number if self.high is None else max(self.high, number)
        elif self.first_other is None:
            self.first_other = (value, line)
        if kind == "date":
            self.first_date = min(self.first_date or value, value)
            self.last_date = max(self.last_date or value, value)

    @property
    def kind(self):
        if not self.present:
            return "empty"
        for kind in ("boolean", "integer", "date"):
            if self.kinds[kind] == self.present:
                return kind
        return "number" if self.numbers == self.present else "text"

    @property
    def mean(self):
        return self.total.value() / self.numbers


class Sum:
    """A sum without rounding losses, in parts so that the memory stays small."""

    def __init__(self):
        self.parts = []

    def add(self, number):
        self.parts.append(number)
        if len(self.parts) > 4096:
            self.parts = [self.value()]

    def value(self):
        return math.fsum(self.parts) if any(isinstance(p, float) for p in self.parts) else sum(self.parts)


def classify(value, comma):
    """The type of one value, and the number if it is one."""
    if value.lower() in ("true", "false", "yes", "no"):
        return "boolean", None
    if DATE.fullmatch(value):
        return "date", None
    if comma:
        value = re.sub(r"(?<=\d)\.(?=\d{3}(?:\D|$))", "", value).replace(",", ".")
    if INTEGER.fullmatch(value):
        return "integer", int(value)
    if NUMBER.fullmatch(value) and abs(float(value)) < 1e300:
        return "number", float(value)
    return "text", None


def read_table(file, args):
    table = Table(clean(os.path.basename(file) if file == sample() else file))
    name = find_encoding(file, args, table)
    counter = BadBytes()
    try:
        with open(file, encoding=name, errors=counter.name, newline="") as stream:
            table.delimiter = args.delimiter or find_delimiter(stream.read(SNIFF_BYTES))
            counter.count = 0
            stream.seek(0)
            read_rows(csv.reader(itertools.chain(stream, [END]), delimiter=table.delimiter), args, table)
    except csv.Error as error:
        raise Unreadable(f"is not a table this script can read: {error}.") from None
    except (OSError, UnicodeError) as error:
        raise Unreadable(f"can't be read as {name}: {error}.") from None
    if counter.count:
        table.notes.append(f"{plural(counter.count, 'byte')} could not be read as {table.encoding}, shown as \ufffd. "
                           "Try --encoding cp1252")
    return table


class BadBytes:
    """An error handler for decoding that counts what it replaces."""

    def __init__(self):
        self.count = 0
        self.name = "count-and-replace"
        codecs.register_error(self.name, self.handle)

    def handle(self, error):
        self.count += error.end - error.start
        return "\ufffd", error.end


def find_encoding(file, args, table):
    """The encoding for open(); says in words what is wrong with a file that can't be opened."""
    if not os.path.exists(file):
        raise Unreadable("no such file in the working folder. Check the name.")
    if not os.path.isfile(file):
        raise Unreadable("is not a file. Name the table in it.")
    try:
        with open(file, "rb") as stream:
            start = stream.read(4096)
    except OSError as error:
        raise Unreadable(f"can't be read: {error.strerror}.") from None
    mark = next((m for m in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) if start.startswith(m)), b"")
    if args.encoding:
        table.encoding = args.encoding
        is_utf8 = codecs.lookup(args.encoding).name == "utf-8"
        return "utf-8-sig" if is_utf8 and mark == codecs.BOM_UTF8 else args.encoding
    if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        table.encoding = "UTF-16"
        return "utf-16"
    if b"\0" in start:
        raise Unreadable("holds zero bytes and looks binary. If it is a table, name its --encoding, such as utf-16-le.")
    table.encoding = "UTF-8 with BOM" if mark else "UTF-8"
    return "utf-8-sig"


def find_delimiter(text):
    """The delimiter that gives the most rows of one length, then the longer rows, then the earlier in the list."""
    best, best_score = ",", (0, 0)
    for candidate in ",;\t|":
        try:
            rows = [len(r) for r in itertools.islice(csv.reader(text.splitlines(True), delimiter=candidate), SNIFF_ROWS) if r]
        except csv.Error:
            continue
        width, same = max(Counter(r for r in rows if r > 1).items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        if (same, width) > best_score:
            best, best_score = candidate, (same, width)
    return best


def read_rows(reader, args, table):
    rows = numbered(reader, table)
    first = next(rows, None)
    if first is None:
        table.notes.append("the file is empty")
        return
    width = len(first[1])
    if args.no_header:
        names = [f"column {i + 1}" for i in range(width)]
        rows = itertools.chain([first], rows)
    else:
        names = header(first[1], table)
    chosen = choose(names, args.columns)
    columns = [Column(names[i], args) for i in chosen]
    odd = []
    for line, row in rows:
        table.rows += 1
        if len(row) != width:
            odd.append((line, len(row))) if len(odd) < 3 else odd.append(None)
        for column, i in zip(columns, chosen):
            column.add(row[i] if i < len(row) else "", line)
    table.columns = columns
    add_notes(table, odd, width)


def numbered(reader, table):
    """The rows that are not blank, each with the line it starts in."""
    start = 1
    for row in reader:
        if row == [END]:
            return
        if row and row[-1].endswith(END):
            row[-1] = row[-1].removesuffix(END)
            table.notes.append(f"a quote is never closed, so everything from line {start} on is one row")
        if row and (len(row) > 1 or row[0].strip()):
            yield start, row
        start = reader.line_num + 1


def header(row, table):
    names, seen = [], Counter()
    for i, raw in enumerate(row):
        name = raw.strip() or f"column {i + 1}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    double = [n for n, count in seen.items() if count > 1]
    if double:
        table.notes.append(f"more than one column is called {clean(', '.join(double))}")
    return names


def choose(names, wanted):
    if not wanted:
        return range(len(names))
    chosen = []
    for text in (w.strip() for w in wanted.split(",")):
        if text in names:
            chosen.append(names.index(text))
        elif text.isascii() and text.isdigit() and 1 <= int(text) <= len(names):
            chosen.append(int(text) - 1)
        else:
            raise Unreadable(f"has no column {clean(text)}. Its columns are: {clean(', '.join(names[:50]))}.")
    return chosen


def add_notes(table, odd, width):
    if odd:
        named = ", ".join(f"line {line} has {size}" for line, size in filter(None, odd))
        more = " ..." if len(odd) > 3 else ""
        verb = "has" if len(odd) == 1 else "have"
        table.notes.append(f"{plural(len(odd), 'row')} {verb} another number of fields than the first row ({width}): {named}{more}")
    for column in table.columns:
        if column.kind == "text" and column.numbers * 2 > column.present:
            value, line = column.first_other
            table.notes.append(f"{clean(column.name)} holds {plural(column.numbers, 'number')} and "
                               f"{plural(column.present - column.numbers, 'other value')}, "
                               f"the first is {clean(value)} in line {line}")


# --- Writing -----------------------------------------------------------------------------------

def figures(column, top):
    kind = column.kind
    if kind in ("integer", "number"):
        return f"min {number(column.low)}, max {number(column.high)}, mean {number(column.mean)}"
    if kind == "date":
        return f"{column.first_date} to {column.last_date}"
    frequent = sorted(column.values.items(), key=lambda item: -item[1])[:top]
    return ", ".join(f"{clean(value)} ({count})" for value, count in frequent)


def cells(column, top):
    different = f"over {MAX_DIFFERENT:,}" if column.overflow else f"{len(column.values)}"
    return [clean(column.name), column.kind, f"{column.missing}", different, figures(column, top)]


def title(table):
    names = {sign: name for name, sign in DELIMITERS.items()}
    sign = names.get(table.delimiter, clean(table.delimiter))
    return f"{plural(table.rows, 'row')}, {plural(len(table.columns), 'column')} ({sign}, {table.encoding})"


def as_text(table, top):
    lines = [f"{table.name}: {title(table)}", *(f"Note: {n}" for n in table.notes)]
    rows = [cells(c, top) for c in table.columns]
    rows = [[n, k, f"{m} missing", f"{d} different", f] for n, k, m, d, f in rows]
    widths = [max(len(r[i]) for r in rows) for i in range(4)] if rows else []
    if rows:
        lines.append("")
    for name, kind, missing, different, rest in rows:
        lines.append(f"{name:<{widths[0]}}  {kind:<{widths[1]}}  {missing:>{widths[2]}}  "
                     f"{different:>{widths[3]}}  {rest}".rstrip())
    return lines


def as_markdown(table, top):
    lines = [f"## {escape(table.name)}", "", f"{title(table)[0].upper()}{title(table)[1:]}."]
    lines += ["", *(f"- Note: {escape(n)}" for n in table.notes)] if table.notes else []
    if table.columns:
        lines += ["", "| Column | Type | Missing | Different | Figures |", "|---|---|---:|---:|---|"]
        lines += ["| " + " | ".join(escape(c) for c in cells(column, top)) + " |" for column in table.columns]
    return lines


LAYOUTS = {"text": as_text, "markdown": as_markdown}


def number(value):
    if isinstance(value, int):
        return str(value)
    if value and not 1e-4 <= abs(value) < 1e15:
        return f"{value:.4g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def clean(text):
    """One line of at most 40 characters without control characters, which could move the cursor."""
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= 40 else text[:39] + "\u2026"


def escape(text):
    return re.sub(r"([\\|*_`<\[\]])", r"\\\1", text)


def plural(count, word):
    return f"{count:,} {word}" + ("" if count == 1 else "s")


if __name__ == "__main__":
    for output in (sys.stdout, sys.stderr):
        output.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))

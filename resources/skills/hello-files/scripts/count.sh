#!/usr/bin/env bash
# Counts lines, words and bytes of text files. Reads only, uses no network.
# The meaning of the three numbers: references/how-counting-works.md

set -u
export LC_ALL=C

skill_dir=${SKILL_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
sample="$skill_dir/assets/sample.txt"

usage() {
  printf '%s\n' \
    'Usage: count.sh [FILE...]' \
    '' \
    'Prints the lines, words and bytes of each FILE, and a total from two files on.' \
    'Without FILE: every text file directly in the working folder, or the sample' \
    'that comes with the skill if there is none.' \
    '' \
    'Exit codes: 0 everything counted, 1 a file could not be counted, 2 wrong usage.'
}

# File names may hold bytes that would move the cursor of a terminal.
printable() { printf '%s' "$1" | tr '[:cntrl:]' '?'; }

complain() {
  printf 'count.sh: %s: %s\n' "$(printable "$1")" "$2" >&2
  failed=1
}

number_of() { wc "$1" | tr -d ' '; }

count_bytes() { number_of -c <"$1"; }

# Every byte of a word becomes an x first, so that the language of the machine makes no difference.
count_words() { tr -c '\t\n\v\f\r ' 'x' <"$1" | number_of -w; }

count_lines() {
  local ends
  ends=$(number_of -l <"$1")
  # A command substitution drops a line end, so text is left only if the last line is not ended.
  if [ -n "$(tail -c 1 <"$1")" ]; then ends=$((ends + 1)); fi
  printf '%s' "$ends"
}

is_binary() { [ "$(tr -d '\000' <"$1" | number_of -c)" -ne "$(count_bytes "$1")" ]; }

row() { printf '%8s %8s %8s  %s\n' "$1" "$2" "$3" "$(printable "$4")"; }

# $1 is what to read, $2 the name to show.
count_file() {
  local lines words bytes
  lines=$(count_lines "$1") words=$(count_words "$1") bytes=$(count_bytes "$1")
  if [ "$counted" -eq 0 ]; then row lines words bytes file; fi
  row "$lines" "$words" "$bytes" "$2"
  counted=$((counted + 1))
  all_lines=$((all_lines + lines)) all_words=$((all_words + words)) all_bytes=$((all_bytes + bytes))
}

count_named() {
  if [ ! -e "$1" ] && [ "$1" = sample.txt ] && [ -f "$sample" ]; then
    printf 'Note: there is no sample.txt in the working folder. This is the sample of the skill.\n'
    count_file "$sample" sample.txt
  elif [ ! -e "$1" ]; then
    complain "$1" 'no such file in the working folder. Check the name.'
  elif [ -d "$1" ]; then
    complain "$1" 'is a folder. Name the files in it.'
  elif [ ! -f "$1" ]; then
    complain "$1" 'is not an ordinary file.'
  elif [ ! -r "$1" ]; then
    complain "$1" 'can not be read: no permission.'
  elif is_binary "$1"; then
    complain "$1" "looks binary ($(count_bytes "$1") bytes). Lines and words are counted in text files only."
  else
    count_file "$1" "$1"
  fi
}

count_folder() {
  local name
  for name in *; do
    if [ ! -f "$name" ] || [ ! -r "$name" ]; then continue; fi
    if is_binary "$name"; then left_out=$((left_out + 1)); continue; fi
    count_file "$name" "$name"
  done
  if [ "$counted" -gt 0 ]; then return; fi
  if [ ! -f "$sample" ]; then
    printf 'count.sh: no text file in the working folder, and the sample of the skill is missing.\n' >&2
    failed=1
    return
  fi
  printf 'Note: no text file in the working folder. This is the sample of the skill, assets/sample.txt.\n'
  count_file "$sample" sample.txt
}

failed=0 counted=0 left_out=0 all_lines=0 all_words=0 all_bytes=0

case "${1-}" in
  -h | --help) usage; exit 0 ;;
  --) shift ;;
  -?*)
    printf 'count.sh: unknown option %s. Put -- before a file name that starts with a dash.\n' "$(printable "$1")" >&2
    exit 2
    ;;
esac

if [ "$#" -eq 0 ]; then
  count_folder
else
  for name in "$@"; do count_named "$name"; done
fi

if [ "$counted" -gt 1 ]; then row "$all_lines" "$all_words" "$all_bytes" total; fi
if [ "$left_out" -gt 0 ]; then printf 'Note: left out because they look binary: %s\n' "$left_out"; fi
exit "$failed"

#!/bin/sh
# Lists the files that differ from the last commit, and new ones: lines added, lines removed, path.
set -eu

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  echo "This folder is no git checkout, so there is nothing to compare with." >&2
  exit 2
fi

if git rev-parse --verify --quiet HEAD >/dev/null; then
  git --no-pager diff --numstat HEAD
fi
git ls-files --others --exclude-standard | while IFS= read -r file; do
  printf 'new\t-\t%s\n' "$file"
done

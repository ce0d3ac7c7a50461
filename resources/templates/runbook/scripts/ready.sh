#!/bin/sh
# Says whether a release can begin here. Changes nothing; ends with 1 when it can't.
set -u

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  echo "not ready: this folder is no git checkout"
  exit 1
fi
if [ -n "$(git status --porcelain)" ]; then
  echo "not ready: there are changes that are not committed"
  git status --short
  exit 1
fi
echo "ready: $(git rev-parse --abbrev-ref HEAD) at $(git rev-parse --short HEAD)"

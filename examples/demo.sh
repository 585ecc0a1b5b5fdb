#!/usr/bin/env bash
# The main job on the bundled data: which system is better, by how much, how sure is that?
set -euo pipefail
tertium=${1:-tertium}
case "$tertium" in */*) tertium="$(cd "$(dirname "$tertium")" && pwd)/$(basename "$tertium")" ;; esac
cd "$(dirname "$0")"

show() {
  printf '\n$ %s\n' "${*/#"$tertium"/tertium}"
  "$@"
}

show "$tertium" score -r data/reference.en.txt -i data/systems/*.txt -m bleu,wer,per --ci
show "$tertium" score -r data/references.jsonl -i data/systems/aurora.txt data/systems/boreas.txt \
  -m bleu,sentbleu --paired randomization
show "$tertium" doctor data/reference.en.txt data/systems/aurora.txt

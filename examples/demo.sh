#!/usr/bin/env bash
# The main job on the bundled data: which system is better, by how much, how sure is that, why, and can I trust the metric?
set -euo pipefail
tertium=${1:-tertium}
case "$tertium" in */*) tertium="$(cd "$(dirname "$tertium")" && pwd)/$(basename "$tertium")" ;; esac
cd "$(dirname "$0")/data"

show() {
  local shown="${*/#"$tertium"/tertium}"
  printf '\n$ %s\n' "${shown/$(echo systems/*.txt)/systems/*.txt}"
  "$@"
}

printf '\nWhich system is better, by how much, and how sure is that?\n'
show "$tertium" score -r reference.en.txt -i systems/*.txt -m bleu,chrf,ter,invwer,std,beer --ci

printf '\nWith all references there are: is aurora really better than boreas?\n'
show "$tertium" score -r references.jsonl -i systems/aurora.txt systems/boreas.txt -m bleu,chrf --paired randomization

printf '\nWhy does a segment get its score?\n'
show "$tertium" explain -m invwer -r reference.en.txt -i systems/ember.txt --line 3

printf '\nCan the metric be trusted?\n'
show "$tertium" meta -r reference.en.txt -i systems/*.txt --human human.tsv --normalise-raters -m bleu,chrf,ter,std,beer

printf '\nAre the files in order?\n'
show "$tertium" doctor reference.en.txt systems/aurora.txt

printf '\nAll of it on one page, with every segment\n'
page="${2:-$PWD/../../build/report.html}"
mkdir -p "$(dirname "$page")"
page="$(cd "$(dirname "$page")" && pwd)/$(basename "$page")"
show "$tertium" report -r references.jsonl -s source.de.txt -i systems/*.txt -m bleu,chrf,ter,invwer,std,beer -l de-en --human human.tsv --normalise-raters -o "$page"

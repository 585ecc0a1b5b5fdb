"""Texts, metrics, languages, data and resources: checked, listed and converted."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Inspect",
    9,
    (
        CommandEntry("doctor", "Find problems in text files that ruin scores.", "doctor:DoctorRequest"),
        CommandEntry(
            "metrics",
            "List metrics, or show one with its options.",
            "lists:MetricListRequest",
            function="list_metrics",
        ),
        CommandEntry(
            "languages",
            "List which metrics work for which language.",
            "lists:LanguageListRequest",
            function="list_languages",
        ),
        CommandEntry(
            "data", "List the test sets on this machine.", "lists:DataListRequest", function="list_data"
        ),
        CommandEntry("cite", "Print BibTeX and a methods sentence for metrics.", "cite:CiteRequest"),
        CommandEntry(
            "parse",
            "Write the dependency trees of a text as CoNLL-U.",
            "parse:ParseRequest",
            "parse:ParseCommand",
        ),
        CommandEntry(
            "vectors convert", "Convert word vectors.", "vectors:VectorConversionRequest", result="line"
        ),
        CommandEntry("vectors info", "Describe a file of word vectors.", "vectors:VectorInfoRequest"),
        CommandEntry("vectors train", "Train word vectors.", "vectors:TrainingRequest", result="line"),
        CommandEntry(
            "paraphrases convert",
            "Compile a paraphrase table.",
            "paraphrases:ParaphraseConversionRequest",
            result="line",
        ),
    ),
    groups={
        "vectors": "Convert, inspect and train word vectors.",
        "paraphrases": "Compile paraphrase tables.",
    },
    names={"vectors": "vectors", "paraphrases": "paraphrases"},
)

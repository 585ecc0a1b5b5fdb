"""`tertium metrics`: what there is, and what each one wants to know."""

import inspect
import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tertium.metrics.base import Metric

__all__ = ["command"]


@click.command("metrics")
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(name: str | None, form: str) -> None:
    """List all metrics, or show one with its options."""
    from tertium.catalog import families, find_metric

    shown = [name] if name else list(families())
    described = [_describe(find_metric(each), families()[each]) for each in shown]
    if form == "json":
        click.echo(json.dumps({"schema_version": 1, "metrics": described}, ensure_ascii=False, indent=1))
    elif name:
        click.echo(_render_one(find_metric(name), described[0]), nl=False)
    else:
        click.echo(_render_list(described), nl=False)


def _describe(cls: "type[Metric]", family: str) -> dict[str, Any]:
    from tertium.metrics.options import is_resource_type

    return {
        "name": cls.name,
        "family": family,
        "higher_is_better": cls.higher_is_better,
        "summary": inspect.getdoc(cls).split("\n\n")[0].replace("\n", " "),  # type: ignore[union-attr]
        "paper": cls.paper,
        "needs": [each.help for each in cls.options() if is_resource_type(each.type)],
        "options": [
            {
                "name": each.name,
                "default": each.write(each.default) if not is_resource_type(each.type) else None,
                "values": each.describe(),
                "help": each.help,
            }
            for each in cls.options()
        ],
    }


def _render_list(described: list[dict[str, Any]]) -> str:
    lines = []
    for family in dict.fromkeys(entry["family"] for entry in described):
        lines.append(f"{family}")
        for entry in (each for each in described if each["family"] == family):
            arrow = "↑" if entry["higher_is_better"] else "↓"
            options = ", ".join(option["name"] for option in entry["options"])
            lines.append(f"  {entry['name']:12} {arrow}  {entry['summary']}")
            lines.append(f"  {'':12}    options: {options}")
            lines.append(f"  {'':12}    paper: {entry['paper']}")
            lines += [f"  {'':12}    needs: {need}" for need in entry["needs"]]
    return "\n".join([*lines, "", "tertium metrics NAME shows one with its options."]) + "\n"


def _render_one(cls: "type[Metric]", entry: dict[str, Any]) -> str:
    direction = "higher is better" if cls.higher_is_better else "lower is better"
    document = inspect.getdoc(cls) or ""
    text = document.partition("\n>>>")[0].rstrip()
    lines = [f"{entry['name']} ({entry['family']}, {direction})", f"paper: {entry['paper']}", "", text, ""]
    lines.append(f"options (-m {entry['name']}:key=value,key=value):")
    for option in entry["options"]:
        lines.append(f"  {option['name']}={option['default']}  {option['help']}")
        lines.append(f"  {'':4}{option['values']}")
    return "\n".join(lines) + "\n"

"""The few words of Vega-Lite's grammar that every chart uses."""

from collections.abc import Mapping, Sequence

__all__ = ["Spec", "category", "layer", "number", "tooltip"]

Spec = dict[str, object]


def layer(mark: str, values: Sequence[Mapping[str, object]], encoding: Spec, **properties: object) -> Spec:
    """One kind of mark over data of its own; screen readers pass over marks without a tooltip."""
    described = {"type": mark, "aria": "tooltip" in encoding, **properties}
    return {"data": {"values": values}, "mark": described, "encoding": encoding}


def number(field: str, domain: Sequence[float] | None = None, **more: object) -> Spec:
    """A field of numbers on an axis; `domain` is shown as it is, neither rounded nor stretched to zero."""
    scale = {} if domain is None else {"scale": {"domain": domain, "nice": False, "zero": False}}
    return {"field": field, "type": "quantitative", **scale, **more}


def category(field: str, domain: Sequence[object], *, scale: Spec | None = None, **more: object) -> Spec:
    """A field of names, in the order of `domain`."""
    return {"field": field, "type": "nominal", "scale": {"domain": domain, **(scale or {})}, **more}


def tooltip(*names: str, **numbers: str) -> list[Spec]:
    """What a reader sees over a mark: fields as they are, and numbers under the titles given."""
    told: list[Spec] = [{"field": name, "type": "nominal"} for name in names]
    return told + [number(field, title=title, format=".4~g") for field, title in numbers.items()]

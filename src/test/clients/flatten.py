"""Merges the parts of schemas that are made of others (allOf), where all of them are plain objects.

The generator for Python forgets that a field may be null when a schema inherits it. Arguments: the document, the file to write.
"""

import json
import sys

PLAIN = {"type", "properties", "required", "description", "examples", "title"}


def resolved(schema):
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def merged(schema):
    """The schema as one object; None where it says more than an object can."""
    schema = resolved(schema)
    if not set(schema) <= PLAIN | {"allOf"}:
        return None
    whole = {"type": "object", "properties": {}, "required": []}
    for part in [*schema.get("allOf", []), {key: value for key, value in schema.items() if key != "allOf"}]:
        flat = merged(part) if "allOf" in resolved(part) else resolved(part)
        if flat is None or not set(flat) <= PLAIN or flat.get("type", "object") != "object":
            return None
        whole["properties"] |= flat.get("properties", {})
        whole["required"] += [name for name in flat.get("required", []) if name not in whole["required"]]
    return whole


def walk(node):
    if isinstance(node, list):
        for item in node:
            walk(item)
    elif isinstance(node, dict):
        if "allOf" in node and (flat := merged(node)):
            del node["allOf"]
            node |= flat
        for value in node.values():
            walk(value)


with open(sys.argv[1]) as file:
    document = json.load(file)
walk(document["components"]["schemas"])
walk(document["components"]["responses"])
walk(document["paths"])
with open(sys.argv[2], "w") as file:
    json.dump(document, file)

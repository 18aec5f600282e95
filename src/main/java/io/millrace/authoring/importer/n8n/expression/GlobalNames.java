package io.millrace.authoring.importer.n8n.expression;

import java.util.Set;

/** Names in expressions that do not refer to data of nodes. */
final class GlobalNames {
    static final Set<String> LANGUAGE = Set.of(
            "Math",
            "JSON",
            "Object",
            "Array",
            "String",
            "Number",
            "Boolean",
            "Date",
            "RegExp",
            "Set",
            "Map",
            "Intl",
            "BigInt",
            "Symbol",
            "Error",
            "parseInt",
            "parseFloat",
            "isNaN",
            "isFinite",
            "encodeURIComponent",
            "decodeURIComponent",
            "encodeURI",
            "decodeURI",
            "escape",
            "unescape",
            "URL",
            "URLSearchParams",
            "atob",
            "btoa",
            "Promise");

    /** Names that the prelude of code steps defines. */
    static final Set<String> PRELUDE = Set.of(
            "$now",
            "$today",
            "DateTime",
            "Duration",
            "$jmespath",
            "$jmesPath",
            "$if",
            "$ifEmpty",
            "$max",
            "$min",
            "$not",
            "$and",
            "$or",
            "$average");

    private GlobalNames() {}

    /** Reason why a name cannot be translated. */
    static String refusal(String name) {
        return switch (name) {
            case "$env" -> "environment variables ($env) are not readable by flows; use a project variable";
            case "$secrets" -> "external secrets ($secrets) are not readable by expressions; use a connection";
            case "$binary" -> "the file data of an item ($binary) has no equivalent";
            case "$execution" -> "$execution has no equivalent";
            case "$fromAI", "$fromai", "$fromAi" -> "$fromAI is a value that the model of an agent gives to its tool";
            case "$request", "$response", "$pageCount" -> name + " belongs to the pagination of HTTP requests";
            case "$evaluateExpression" -> "$evaluateExpression has no equivalent";
            default -> "the name " + name + " is unknown";
        };
    }
}

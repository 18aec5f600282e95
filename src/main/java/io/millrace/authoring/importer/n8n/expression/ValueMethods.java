package io.millrace.authoring.importer.n8n.expression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Methods that n8n adds to texts, lists, numbers, objects and dates. The prelude of code steps defines all of them. */
final class ValueMethods {
    /** Methods that the prelude defines; a method of the value itself has precedence. */
    private static final Set<String> NAMES = Set.of(
            "extractDomain",
            "extractEmail",
            "extractUrl",
            "extractUrlPath",
            "isDomain",
            "isEmail",
            "isNumeric",
            "isUrl",
            "base64Encode",
            "base64Decode",
            "urlEncode",
            "urlDecode",
            "parseJson",
            "quote",
            "removeMarkdown",
            "removeTags",
            "replaceSpecialChars",
            "toSentenceCase",
            "toSnakeCase",
            "toTitleCase",
            "toDate",
            "toDateTime",
            "toInt",
            "toNumber",
            "toFloat",
            "toBoolean",
            "toWholeNumber",
            "toDecimalNumber",
            "toJsonString",
            "first",
            "last",
            "average",
            "sum",
            "min",
            "max",
            "chunk",
            "compact",
            "difference",
            "intersection",
            "union",
            "unique",
            "removeDuplicates",
            "pluck",
            "smartJoin",
            "renameKeys",
            "randomItem",
            "merge",
            "append",
            "round",
            "floor",
            "ceil",
            "abs",
            "isEven",
            "isOdd",
            "isInteger",
            "format",
            "isEmpty",
            "isNotEmpty",
            "keys",
            "values",
            "hasField",
            "removeField",
            "removeFieldsContaining",
            "keepFieldsContaining",
            "beginningOf",
            "endOfMonth",
            "extract",
            "isBetween",
            "isWeekend",
            "isInLast",
            "inBetween",
            "diffTo",
            "diffToNow");

    private static final Map<String, BiFunction<String, List<String>, String>> EQUIVALENTS = Map.ofEntries(
            Map.entry("isEmpty", (value, arguments) -> onlyFor(arguments, 0, emptiness(value))),
            Map.entry("isNotEmpty", (value, arguments) -> onlyFor(arguments, 0, "!" + emptiness(value))),
            Map.entry("first", (value, arguments) -> onlyFor(arguments, 0, value + "?.[0]")),
            Map.entry("last", (value, arguments) -> onlyFor(arguments, 0, value + "?.at(-1)")),
            Map.entry("toJsonString", (value, arguments) -> onlyFor(arguments, 0, "JSON.stringify(" + value + ")")),
            Map.entry("parseJson", (value, arguments) -> onlyFor(arguments, 0, "JSON.parse(" + value + ")")),
            Map.entry("urlEncode", (value, arguments) -> onlyFor(arguments, 0, "encodeURIComponent(" + value + ")")),
            Map.entry("urlDecode", (value, arguments) -> onlyFor(arguments, 0, "decodeURIComponent(" + value + ")")),
            Map.entry("toNumber", (value, arguments) -> onlyFor(arguments, 0, "Number(" + value + ")")),
            Map.entry("toFloat", (value, arguments) -> onlyFor(arguments, 0, "parseFloat(" + value + ")")),
            Map.entry("toInt", (value, arguments) -> onlyFor(arguments, 0, "parseInt(" + value + ", 10)")),
            Map.entry("ceil", (value, arguments) -> onlyFor(arguments, 0, "Math.ceil(" + value + ")")),
            Map.entry("floor", (value, arguments) -> onlyFor(arguments, 0, "Math.floor(" + value + ")")),
            Map.entry("abs", (value, arguments) -> onlyFor(arguments, 0, "Math.abs(" + value + ")")),
            Map.entry("keys", (value, arguments) -> onlyFor(arguments, 0, "Object.keys(" + value + ")")),
            Map.entry("values", (value, arguments) -> onlyFor(arguments, 0, "Object.values(" + value + ")")),
            Map.entry(
                    "hasField",
                    (value, arguments) ->
                            onlyFor(arguments, 1, "Object.keys(" + value + ").includes(" + first(arguments) + ")")));

    private ValueMethods() {}

    static boolean isExtension(String name) {
        return NAMES.contains(name);
    }

    /** All names, for tests of the prelude. */
    static Set<String> names() {
        return NAMES;
    }

    /** The call in the language of expressions; empty if it needs code. */
    static Optional<String> equivalent(String receiver, String method, List<String> arguments) {
        return Optional.ofNullable(EQUIVALENTS.get(method)).map(writer -> writer.apply(receiver, arguments));
    }

    /** Null without the expected number of arguments, which leaves the call to a code step. */
    private static String onlyFor(List<String> arguments, int count, String script) {
        return arguments.size() == count ? script : null;
    }

    private static String first(List<String> arguments) {
        return arguments.isEmpty() ? "" : arguments.getFirst();
    }

    private static String emptiness(String value) {
        return "[" + value
                + "].some(v => v == null || v === '' || (typeof v === 'object' && Object.keys(v).length === 0))";
    }
}

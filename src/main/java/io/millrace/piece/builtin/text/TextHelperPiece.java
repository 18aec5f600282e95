package io.millrace.piece.builtin.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedList;
import io.millrace.piece.builtin.action.BoundedText;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.sandbox.expression.evaluator.ScriptPattern;
import io.millrace.sandbox.expression.value.Substrings;
import java.util.List;
import java.util.Map;

/** Text Helper: joins, splits, searches and replaces text (contract pieces 14.3). */
public final class TextHelperPiece {
    private TextHelperPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "text-helper",
                        "Text Helper",
                        "Works on text.",
                        "new-core/text-helper.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.6.2", "0.4.2", "0.2.7")),
                List.of(
                        concat(),
                        replace(),
                        split(),
                        find(),
                        findAll(),
                        MarkupActions.markdownToHtml(),
                        MarkupActions.htmlToMarkdown(),
                        MarkupActions.stripHtml(),
                        slugify(),
                        defaultValue(),
                        table()),
                List.of());
    }

    private static ComputedAction concat() {
        var props = Props.of(
                Props.named("texts", Property.of(PropertyType.ARRAY, "Texts", true)),
                Props.named(
                        "separator", Props.shortText("Separator", false).describedAs("Separator between the texts.")));
        return ComputedAction.linear(
                ComputedAction.pure("concat", "Concatenate", "Joins texts.", props), TextHelperPiece::concat);
    }

    private static JsonNode concat(ObjectNode props) {
        var separator = props.path("separator").asText("");
        var joined = new BoundedText();
        for (var text : props.path("texts")) {
            if (joined.hasParts()) {
                joined.append(separator);
            }
            joined.append(text.isNull() ? "" : ScriptValues.text(text));
        }
        return TextNode.valueOf(joined.toString());
    }

    private static ComputedAction replace() {
        var props = Props.of(
                Props.named("text", Props.shortText("Text", true)),
                Props.named(
                        "searchValue",
                        Props.shortText("Search Value", true).describedAs("Plain text or a regular expression.")),
                Props.named(
                        "replaceValue",
                        Props.shortText("Replace Value", false).describedAs("Leave empty to remove the matches.")),
                Props.named(
                        "replaceOnlyFirst",
                        Props.checkbox("Replace Only First Match", false)
                                .describedAs("Replaces only the first match.")));
        return ComputedAction.linear(
                ComputedAction.pure("replace", "Replace", "Replaces parts of a text.", props),
                input -> TextNode.valueOf(pattern(text(input, "searchValue"), false)
                        .replace(
                                text(input, "text"),
                                text(input, "replaceValue"),
                                input.path("replaceOnlyFirst").asBoolean(false))));
    }

    private static ComputedAction split() {
        var props = Props.of(
                Props.named("text", Props.shortText("Text", true)),
                Props.named("delimiter", Props.shortText("Delimiter", true)));
        return ComputedAction.linear(
                ComputedAction.pure("split", "Split", "Splits a text at a delimiter.", props),
                input -> split(text(input, "text"), text(input, "delimiter")));
    }

    /** An empty delimiter splits between all characters, as in JavaScript. */
    private static JsonNode split(String text, String delimiter) {
        var parts = Json.array();
        if (delimiter.isEmpty()) {
            BoundedList.check(text.length());
            text.chars().forEach(character -> parts.add(String.valueOf((char) character)));
            return parts;
        }
        var from = 0;
        var search = new Substrings.Search(delimiter);
        var next = search.first(text, 0);
        while (next >= 0) {
            parts.add(text.substring(from, next));
            BoundedList.check(parts.size());
            from = next + delimiter.length();
            next = search.first(text, from);
        }
        return parts.add(text.substring(from));
    }

    private static ComputedAction find() {
        return ComputedAction.linear(
                ComputedAction.pure("find", "Find", "Finds the first match of an expression.", searchProps()),
                input -> expression(input)
                        .find(text(input, "text"))
                        .<JsonNode>map(found -> found)
                        .orElse(NullNode.instance));
    }

    private static ComputedAction findAll() {
        return ComputedAction.linear(
                ComputedAction.pure("find_all", "Find All", "Finds all matches of an expression.", searchProps()),
                input -> expression(input).findAll(text(input, "text"), BoundedList.VALUES_MAX));
    }

    private static Map<String, Property> searchProps() {
        return Props.of(
                Props.named("text", Props.shortText("Text", true)),
                Props.named(
                        "expression",
                        Props.shortText("Expression", true).describedAs("Plain text or a regular expression.")),
                Props.named("ignoreCase", Props.checkbox("Ignore Case", false).defaultingTo(BooleanNode.FALSE)));
    }

    private static ScriptPattern expression(ObjectNode input) {
        return pattern(text(input, "expression"), input.path("ignoreCase").asBoolean(false));
    }

    private static ComputedAction slugify() {
        var props = Props.of(Props.named("text", Props.shortText("Text", true)));
        return ComputedAction.linear(
                ComputedAction.pure("slugify", "Slugify", "Converts a text to a URL slug.", props),
                input -> TextNode.valueOf(Slug.of(text(input, "text"))));
    }

    private static ComputedAction table() {
        var props =
                Props.of(Props.named("data", Props.json("List", true).describedAs("Objects to write, one per row.")));
        return ComputedAction.linear(
                ComputedAction.pure(
                        "json_to_ascii_table", "List to Text Table", "Converts a list of objects to a table.", props),
                input -> TextNode.valueOf(TextTable.of(input.path("data"))));
    }

    private static ComputedAction defaultValue() {
        var props = Props.of(
                Props.named("value", Props.shortText("Enter value", false)),
                Props.named("defaultString", Props.shortText("Default Value", true)));
        return new ComputedAction(
                ComputedAction.pure(
                        "defaultValue",
                        "Use Default Value if Input is Empty",
                        "Returns the default value if the input is empty.",
                        props),
                input -> isEmpty(input.path("value")) ? input.get("defaultString") : input.get("value"));
    }

    private static ScriptPattern pattern(String expression, boolean ignoreCase) {
        return ScriptPattern.compile(expression, ignoreCase)
                .orElseThrow(() -> PieceFailure.of("Expected a regular expression, found: " + expression));
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || value.isTextual() && value.asText().isEmpty()
                || value.isContainerNode() && value.isEmpty();
    }

    private static String text(ObjectNode input, String name) {
        return input.path(name).asText("");
    }
}

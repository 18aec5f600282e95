package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Calls of {@code $fromAI} in expressions, as fields of an input that the model gives. */
final class ModelArguments {
    private static final Pattern CALL = Pattern.compile("\\$from(?:AI|Ai|ai)\\s*\\(");

    /** Names of data that a tool reads from the workflow of its agent. */
    private static final Pattern DATA = Pattern.compile("\\$(?:json|input|node|items?|prevNode|binary|data)\\b|\\$\\(");

    private static final int DESCRIPTION_MAX = 500;

    private ModelArguments() {}

    /**
     * The expression over {@code $json}. One that also reads data of the agent's workflow becomes one argument, because a tool
     * receives only arguments.
     *
     * @param name name of the parameter with the expression
     * @param arguments parameters of the tool by name, to which those of the expression are added
     */
    static String rewritten(String expression, String name, Map<String, ObjectNode> arguments) {
        var text = new StringBuilder();
        var outside = new StringBuilder();
        var calls = new ArrayList<List<String>>();
        var match = CALL.matcher(expression);
        var from = 0;
        while (match.find(from)) {
            var parts = new ArrayList<String>();
            var end = readArguments(expression, match.end(), parts);
            if (end < 0 || literal(parts, 0).isEmpty()) {
                break;
            }
            text.append(expression, from, match.start()).append(reference(parts));
            outside.append(expression, from, match.start()).append(' ');
            calls.add(parts);
            from = end;
        }
        var own = text + expression.substring(from);
        outside.append(expression, from, expression.length());
        if (DATA.matcher(outside).find() || CALL.matcher(outside).find()) {
            var described = "Value of " + name + ", which was " + expression.substring(1);
            add(arguments, name, CutText.of(described, DESCRIPTION_MAX), "Text", true);
            return "={{ $json[" + ScriptTexts.quoted(name) + "] }}";
        }
        calls.forEach(
                call -> add(arguments, literal(call, 0), literal(call, 1), typeOf(literal(call, 2)), call.size() < 4));
        return own;
    }

    private static void add(
            Map<String, ObjectNode> arguments, String name, String description, String type, boolean required) {
        arguments.putIfAbsent(
                name,
                Json.object()
                        .put("name", name)
                        .put("description", description)
                        .put("type", type)
                        .put("required", required));
    }

    private static String reference(List<String> call) {
        var field = "$json[" + ScriptTexts.quoted(literal(call, 0)) + "]";
        return call.size() < 4 ? field : "(" + field + " ?? (" + call.get(3) + "))";
    }

    private static String typeOf(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "number" -> "Number";
            case "boolean" -> "Boolean";
            case "json" -> "Object";
            default -> "Text";
        };
    }

    /** Text of an argument that is a literal; empty for others. */
    private static String literal(List<String> call, int index) {
        var text = index < call.size() ? call.get(index) : "";
        var isLiteral = text.length() > 1
                && "'\"`".indexOf(text.charAt(0)) >= 0
                && text.charAt(0) == text.charAt(text.length() - 1);
        return isLiteral ? text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1") : "";
    }

    /** Reads the arguments after an opening bracket; returns the position after the closing one, or -1 without it. */
    private static int readArguments(String text, int start, List<String> arguments) {
        var depth = 0;
        var from = start;
        for (var at = start; at < text.length(); at++) {
            var character = text.charAt(at);
            if ("'\"`".indexOf(character) >= 0) {
                at = endOfLiteral(text, at);
            } else if ("([{".indexOf(character) >= 0) {
                depth++;
            } else if (depth == 0 && (character == ',' || character == ')')) {
                var argument = text.substring(from, at).strip();
                if (!argument.isEmpty()) {
                    arguments.add(argument);
                }
                from = at + 1;
                if (character == ')') {
                    return at + 1;
                }
            } else if (")]}".indexOf(character) >= 0) {
                depth--;
            }
        }
        return -1;
    }

    /** Position of the closing quotation mark, or of the last character. */
    private static int endOfLiteral(String text, int start) {
        for (var at = start + 1; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == text.charAt(start)) {
                return at;
            }
        }
        return text.length();
    }
}

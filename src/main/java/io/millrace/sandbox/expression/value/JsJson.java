package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;

/** Metered {@code JSON.stringify}. */
public final class JsJson {
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder out = new StringBuilder();
    private final String indent;
    private final Meter meter;
    private int level;
    private int paid;

    private JsJson(String indent, Meter meter) {
        this.indent = indent;
        this.meter = meter;
    }

    /** JSON text of the value; null for what has none: undefined and functions. */
    public static String text(JsonNode value, String indent, Meter meter) {
        if (isLeftOut(value)) {
            return null;
        }
        var writer = new JsJson(indent, meter);
        writer.write(value);
        return writer.out.toString();
    }

    private static boolean isLeftOut(JsonNode value) {
        return value.isMissingNode() || OpaqueValue.in(value) instanceof OpaqueValue.Callable;
    }

    private void write(JsonNode value) {
        meter.enter();
        switch (value) {
            case ObjectNode object -> writeObject(object);
            case ArrayNode list -> writeList(list);
            default -> writeScalar(value);
        }
        meter.leave();
        pay();
    }

    private void pay() {
        meter.grown(out, out.length() - paid);
        paid = out.length();
    }

    private void writeScalar(JsonNode value) {
        switch (value.getNodeType()) {
            case STRING -> quote(value.textValue());
            case NUMBER -> out.append(Double.isFinite(value.doubleValue()) ? JsText.number(value) : "null");
            case POJO -> writeOpaque(OpaqueValue.in(value));
            case BOOLEAN -> out.append(value.booleanValue());
            case NULL, MISSING, BINARY, ARRAY, OBJECT -> out.append("null");
        }
    }

    private void writeOpaque(OpaqueValue value) {
        switch (value) {
            case OpaqueValue.Moment(var time) when Double.isFinite(time) -> quote(FormulaDateText.iso(time));
            case OpaqueValue.Moment _, OpaqueValue.Callable _ -> out.append("null");
            case OpaqueValue.Regex _ -> out.append("{}");
            case null -> out.append("null");
        }
    }

    private void writeList(ArrayNode list) {
        out.append('[');
        level++;
        for (var i = 0; i < list.size(); i++) {
            out.append(i == 0 ? "" : ",");
            newLine();
            write(list.get(i));
        }
        level--;
        if (!list.isEmpty()) {
            newLine();
        }
        out.append(']');
    }

    private void writeObject(ObjectNode object) {
        out.append('{');
        level++;
        var any = false;
        for (var property : object.properties()) {
            meter.spend(1);
            if (isLeftOut(property.getValue())) {
                continue;
            }
            out.append(any ? "," : "");
            any = true;
            newLine();
            quote(property.getKey());
            out.append(indent.isEmpty() ? ":" : ": ");
            write(property.getValue());
        }
        level--;
        if (any) {
            newLine();
        }
        out.append('}');
    }

    private void newLine() {
        if (!indent.isEmpty()) {
            out.append('\n');
            for (var i = 0; i < level; i++) {
                out.append(indent);
            }
        }
    }

    private void quote(String text) {
        meter.scan(text.length());
        out.append('"');
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> plainOrEscaped(text, i, c);
            }
        }
        out.append('"');
    }

    private void plainOrEscaped(String text, int at, char c) {
        if (c < ' ' || isLoneSurrogate(text, at, c)) {
            out.append("\\u").append(HEX.toHexDigits(c));
        } else {
            out.append(c);
        }
    }

    private static boolean isLoneSurrogate(String text, int at, char c) {
        if (!Character.isSurrogate(c)) {
            return false;
        }
        return Character.isHighSurrogate(c)
                ? at + 1 >= text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
}

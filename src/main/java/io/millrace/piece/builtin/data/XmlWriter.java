package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedText;
import io.millrace.piece.input.ScriptValues;
import java.util.regex.Pattern;

/**
 * Writes an object as XML: a field becomes an element, a list a sequence of elements. The attributes of an object's
 * elements are in a separate field of the object.
 */
final class XmlWriter {
    private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

    private static final Pattern NAME = Pattern.compile("[\\p{L}_:][\\p{L}\\p{N}._:-]*");

    private final String attributesKey;
    private final BoundedText xml = new BoundedText();

    XmlWriter(String attributesKey) {
        this.attributesKey = attributesKey;
    }

    String write(JsonNode value, boolean withDeclaration) {
        if (withDeclaration) {
            xml.append(DECLARATION);
        }
        content(value);
        return xml.toString();
    }

    private void content(JsonNode value) {
        if (value.isArray()) {
            value.forEach(this::content);
        } else if (value.isObject()) {
            var attributes = attributes(value.path(attributesKey));
            for (var field : value.properties()) {
                if (!field.getKey().equals(attributesKey)) {
                    element(field.getKey(), attributes, field.getValue());
                }
            }
        } else if (!value.isNull() && !value.isMissingNode()) {
            xml.append(escaped(ScriptValues.text(value)));
        }
    }

    private void element(String name, String attributes, JsonNode value) {
        xml.append("<").append(checked(name)).append(attributes);
        var empty = value.isNull() || value.isTextual() && value.asText().isEmpty() || isEmptyContainer(value);
        if (empty) {
            xml.append("/>");
            return;
        }
        xml.append(">");
        content(value);
        xml.append("</").append(name).append(">");
    }

    private static boolean isEmptyContainer(JsonNode value) {
        return value.isContainerNode() && value.isEmpty();
    }

    private static String attributes(JsonNode given) {
        var written = new BoundedText();
        for (var attribute : given.properties()) {
            var value = attribute.getValue().isNull() ? "" : ScriptValues.text(attribute.getValue());
            written.append(" ")
                    .append(checked(attribute.getKey()))
                    .append("=\"")
                    .append(escaped(value))
                    .append("\"");
        }
        return written.toString();
    }

    private static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw PieceFailure.of("json: expected a name that XML allows, found " + name);
        }
        return name;
    }

    private static String escaped(String text) {
        if (text.chars().anyMatch(XmlWriter::isForbidden)) {
            throw PieceFailure.of("json: expected text that XML can hold, found a control character");
        }
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&apos;");
    }

    private static boolean isForbidden(int character) {
        return character < ' ' && character != '\t' && character != '\n' && character != '\r'
                || character == 0xFFFE
                || character == 0xFFFF;
    }
}

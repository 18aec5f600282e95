package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedList;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.io.StringReader;
import java.util.HashSet;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * XML as an object: an element is a field, a repeated one a list; attributes are fields that begin with {@code @_}, and
 * text next to them is {@code #text}. Numbers and booleans in elements are read as such. Document types, external
 * resources and custom entities are not supported.
 */
public final class XmlReader {
    private static final int DEPTH_MAX = Json.DEPTH_MAX / 2;

    private static final Pattern NUMBER = Pattern.compile(
            "[+-]?([0-9]{1,300}(\\.[0-9]{0,300})?|\\.[0-9]{1,300})([eE][+-]?[0-9]{1,3})?|0x[0-9a-fA-F]{1,12}");

    private static final Pattern ENTITY =
            Pattern.compile("&(?!(?:amp|lt|gt|quot|apos);)([\\p{L}_:][\\p{L}\\p{N}._:-]{0,99});");
    private static final Pattern LITERAL = Pattern.compile("<!--|<!\\[CDATA\\[");

    private final XMLStreamReader xml;
    private final String text;
    private final boolean ignoreAttributes;
    private int depth;
    private long values;

    private XmlReader(XMLStreamReader xml, String text, boolean ignoreAttributes) {
        this.xml = xml;
        this.text = text;
        this.ignoreAttributes = ignoreAttributes;
    }

    public static ObjectNode read(String given, boolean ignoreAttributes) {
        var text = ReceivedText.withoutMark(given.strip()).strip();
        try {
            var xml = factory().createXMLStreamReader(new StringReader(text));
            try {
                return new XmlReader(xml, text, ignoreAttributes).document();
            } finally {
                xml.close();
            }
        } catch (XMLStreamException malformed) {
            var where = malformed.getLocation();
            throw PieceFailure.of("xml: expected XML, found text that is not XML"
                    + (where == null ? "" : " in line " + where.getLineNumber()));
        }
    }

    private static XMLInputFactory factory() {
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // A prefix is a part of the name, declared or not.
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        return factory;
    }

    private ObjectNode document() throws XMLStreamException {
        var document = Json.object();
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> add(document, xml.getLocalName(), element());
                case XMLStreamConstants.DTD -> refuseEntities();
                default -> {}
            }
        }
        return document;
    }

    /** After a document type the library drops unknown entities in attributes without any event. */
    private void refuseEntities() {
        var entity = ENTITY.matcher(withoutLiterals());
        if (entity.find()) {
            throw undefined(entity.group(1));
        }
    }

    /** The text without comments and character data; what looks like the beginning of one without an end is kept. */
    private String withoutLiterals() {
        var result = new StringBuilder();
        var withoutEnd = new HashSet<String>();
        var from = 0;
        var literal = LITERAL.matcher(text);
        while (literal.find(from)) {
            var closing = literal.group().equals("<!--") ? "-->" : "]]>";
            var end = withoutEnd.contains(closing) ? -1 : text.indexOf(closing, literal.end());
            if (end < 0) {
                withoutEnd.add(closing);
                result.append(text, from, literal.end());
                from = literal.end();
            } else {
                result.append(text, from, literal.start());
                from = end + closing.length();
            }
        }
        return result.append(text, from, text.length()).toString();
    }

    private static PieceFailure undefined(String entity) {
        return PieceFailure.of("xml: expected characters, found the entity &" + entity
                + ";, which XML does not define; use the character itself");
    }

    private JsonNode element() throws XMLStreamException {
        if (++depth > DEPTH_MAX) {
            throw PieceFailure.of("xml: expected at most " + DEPTH_MAX + " elements inside each other, found more");
        }
        BoundedList.check(++values);
        var fields = attributes();
        var text = new StringBuilder();
        for (var event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> add(fields, xml.getLocalName(), element());
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                    text.append(xml.getText().strip());
                case XMLStreamConstants.ENTITY_REFERENCE -> throw undefined(xml.getLocalName());
                default -> {}
            }
        }
        depth--;
        if (fields.isEmpty()) {
            return value(text.toString());
        }
        if (!text.isEmpty()) {
            fields.set("#text", value(text.toString()));
        }
        return fields;
    }

    private ObjectNode attributes() {
        var fields = Json.object();
        for (var i = 0; !ignoreAttributes && i < xml.getAttributeCount(); i++) {
            fields.put("@_" + xml.getAttributeLocalName(i), xml.getAttributeValue(i));
        }
        return fields;
    }

    private static void add(ObjectNode fields, String name, JsonNode value) {
        var earlier = fields.get(name);
        if (earlier == null) {
            fields.set(name, value);
        } else if (earlier instanceof ArrayNode list) {
            list.add(value);
        } else {
            fields.set(name, Json.array().add(earlier).add(value));
        }
    }

    private static JsonNode value(String text) {
        if (text.equals("true") || text.equals("false")) {
            return BooleanNode.valueOf(text.equals("true"));
        }
        return NUMBER.matcher(text).matches() ? number(text) : TextNode.valueOf(text);
    }

    /** A number that would lose digits stays a text: it is an identifier. */
    private static JsonNode number(String text) {
        var number = JsNumbers.parse(text);
        return Double.isFinite(number) && Math.abs(number) <= JsNumbers.SAFE_INTEGER_MAX
                ? JsNumbers.node(number)
                : TextNode.valueOf(text);
    }
}

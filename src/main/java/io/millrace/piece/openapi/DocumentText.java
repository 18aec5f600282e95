package io.millrace.piece.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Parses a document in JSON or YAML. YAML is untrusted: no tags of classes, at most {@value #ALIASES_MAX} aliases of
 * collections, {@value #DEPTH_MAX} levels and {@value #NODES_MAX} values after expansion of aliases.
 */
final class DocumentText {
    static final int ALIASES_MAX = 200;
    static final int DEPTH_MAX = 150;
    static final int NODES_MAX = 1_000_000;

    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]{1,40}");
    private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?");
    private static final String MERGE = "<<";

    private int nodes;

    private DocumentText() {}

    /** The document as an object; fails with {@link UnusableDocument}. */
    static ObjectNode parse(String text, int bytesMax) {
        if (text.length() > bytesMax) {
            throw new UnusableDocument("expected a document of at most " + bytesMax
                    + " bytes (AP_OPENAPI_DOCUMENT_MAX_KB), found " + text.length());
        }
        var plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (!(parsed(plain, bytesMax) instanceof ObjectNode document)) {
            throw new UnusableDocument("expected an OpenAPI document in JSON or YAML, found other text");
        }
        return document;
    }

    private static JsonNode parsed(String text, int bytesMax) {
        if (text.stripLeading().startsWith("{")) {
            try {
                return Json.parse(text);
            } catch (JsonProcessingException notJson) {
                // A flow mapping of YAML begins with a brace as well.
                return yaml(text, bytesMax, "the document is not valid JSON: " + notJson.getOriginalMessage());
            }
        }
        return yaml(text, bytesMax, "");
    }

    private static JsonNode yaml(String text, int bytesMax, String otherwise) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(ALIASES_MAX);
        options.setNestingDepthLimit(DEPTH_MAX);
        options.setCodePointLimit(bytesMax);
        try {
            var root = new Yaml(options).compose(new StringReader(text));
            return root == null ? NullNode.instance : new DocumentText().converted(root, 0);
        } catch (YAMLException | IllegalStateException malformed) {
            throw new UnusableDocument(
                    otherwise.isEmpty() ? "the document is not valid YAML: " + firstLines(malformed) : otherwise);
        } catch (StackOverflowError tooDeep) {
            throw new UnusableDocument("expected YAML of at most " + DEPTH_MAX + " levels");
        }
    }

    private static String firstLines(RuntimeException malformed) {
        var message = String.valueOf(malformed.getMessage()).strip().replaceAll("\\s+", " ");
        return message.length() <= 300 ? message : message.substring(0, 300) + "…";
    }

    private JsonNode converted(Node node, int depth) {
        nodes++;
        if (nodes > NODES_MAX || depth > DEPTH_MAX) {
            throw new UnusableDocument("expected YAML of at most " + NODES_MAX + " values and " + DEPTH_MAX
                    + " levels after expansion of its aliases");
        }
        return switch (node) {
            case MappingNode mapping -> object(mapping, depth);
            case SequenceNode sequence -> {
                var list = Json.array();
                sequence.getValue().forEach(item -> list.add(converted(item, depth + 1)));
                yield list;
            }
            case ScalarNode scalar -> scalar(scalar);
            default -> throw new UnusableDocument("expected mappings, sequences and scalars in YAML");
        };
    }

    private ObjectNode object(MappingNode mapping, int depth) {
        var object = Json.object();
        var merged = Json.object();
        for (var entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw new UnusableDocument("expected texts as keys of YAML mappings");
            }
            var value = converted(entry.getValueNode(), depth + 1);
            if (key.isPlain() && key.getValue().equals(MERGE)) {
                (value.isArray() ? value : Json.array().add(value)).forEach(part -> merge(merged, part));
            } else {
                object.set(key.getValue(), value);
            }
        }
        merge(object, merged);
        return object;
    }

    private static void merge(ObjectNode into, JsonNode from) {
        from.properties().forEach(field -> {
            if (!into.has(field.getKey())) {
                into.set(field.getKey(), field.getValue());
            }
        });
    }

    private static JsonNode scalar(ScalarNode scalar) {
        var text = scalar.getValue();
        var tag = scalar.getTag();
        if (Tag.NULL.equals(tag)) {
            return NullNode.instance;
        }
        if (Tag.BOOL.equals(tag)) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "true" -> BooleanNode.TRUE;
                case "false" -> BooleanNode.FALSE;
                // YAML 1.2 has no other words: "on" and "no" are texts, for example a country code.
                default -> TextNode.valueOf(text);
            };
        }
        if (Tag.INT.equals(tag) && INTEGER.matcher(text).matches()) {
            return BigIntegerNode.valueOf(new BigInteger(text.startsWith("+") ? text.substring(1) : text));
        }
        if (Tag.FLOAT.equals(tag) && DECIMAL.matcher(text).matches()) {
            return DecimalNode.valueOf(new BigDecimal(text));
        }
        return TextNode.valueOf(text);
    }
}

package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Ids;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A text that refers to a secret: {@code {{<id of the manager>|ap_sep_v1|<path>}}} (contract admin-api 26.3). Pure. */
public record SecretReference(String managerId, String path) {
    private static final Pattern FORM = Pattern.compile("\\{\\{([^|{}]+)\\|ap_sep_v1\\|([^{}]+)}}");

    public static boolean isIn(JsonNode value) {
        return !allIn(value).isEmpty();
    }

    static Optional<SecretReference> of(String text) {
        var matcher = FORM.matcher(text.strip());
        if (!matcher.matches() || !Ids.isId(matcher.group(1).strip())) {
            return Optional.empty();
        }
        return Optional.of(
                new SecretReference(matcher.group(1).strip(), matcher.group(2).strip()));
    }

    static Set<SecretReference> allIn(JsonNode value) {
        var found = new LinkedHashSet<SecretReference>();
        collect(value, found);
        return found;
    }

    private static void collect(JsonNode value, Set<SecretReference> found) {
        if (value.isTextual()) {
            of(value.textValue()).ifPresent(found::add);
        }
        value.forEach(inner -> collect(inner, found));
    }

    static ObjectNode replaced(ObjectNode value, Map<SecretReference, String> secrets) {
        var copy = value.deepCopy();
        replace(copy, secrets);
        return copy;
    }

    private static void replace(JsonNode value, Map<SecretReference, String> secrets) {
        switch (value) {
            case ObjectNode object ->
                object.properties().forEach(field -> field.setValue(replacement(field.getValue(), secrets)));
            case ArrayNode array -> {
                for (var index = 0; index < array.size(); index++) {
                    array.set(index, replacement(array.get(index), secrets));
                }
            }
            default -> throw new IllegalArgumentException("expected an object or an array");
        }
    }

    private static JsonNode replacement(JsonNode value, Map<SecretReference, String> secrets) {
        if (value.isContainerNode()) {
            replace(value, secrets);
            return value;
        }
        return value.isTextual()
                ? of(value.textValue())
                        .map(secrets::get)
                        .<JsonNode>map(TextNode::valueOf)
                        .orElse(value)
                : value;
    }
}

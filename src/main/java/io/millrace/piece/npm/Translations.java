package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Texts of a piece in other languages: a package has a file for each, source text to translation (contract pieces
 * 13.5).
 */
final class Translations {
    /** Languages that are offered; a package may have more. */
    static final List<String> LOCALES = List.of("nl", "en", "de", "fr", "es", "ja", "zh", "pt", "ar", "zh-TW");

    private static final int KEY_CHARACTERS_MAX = 512;
    private static final long FILE_BYTES_MAX = 1 << 20;
    private static final List<String> TEXTS = List.of("displayName", "description");

    private Translations() {}

    /**
     * All translations in a package's folder, by language. A file that is not a JSON object is ignored, and so is a text that
     * the database could not return: one with a NUL character or half of a surrogate pair.
     */
    static ObjectNode read(Path folder) {
        var all = Json.object();
        for (var locale : LOCALES) {
            var file = folder.resolve("src/i18n").resolve(locale + ".json");
            try {
                if (Files.isRegularFile(file)
                        && Files.size(file) <= FILE_BYTES_MAX
                        && Json.parse(Files.readAllBytes(file)) instanceof ObjectNode texts) {
                    all.set(locale, storable(texts));
                }
            } catch (IOException unreadable) {
                all.remove(locale);
            }
        }
        return all;
    }

    private static ObjectNode storable(ObjectNode texts) {
        var storable = Json.object();
        texts.properties().forEach(entry -> {
            if (entry.getValue().isTextual()
                    && isStorable(entry.getKey())
                    && isStorable(entry.getValue().textValue())) {
                storable.set(entry.getKey(), entry.getValue());
            }
        });
        return storable;
    }

    private static boolean isStorable(String text) {
        return text.codePoints()
                .noneMatch(character ->
                        character == 0 || character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE);
    }

    /** A text without a translation is unchanged. */
    static ObjectNode apply(ObjectNode description, JsonNode texts) {
        translate(description, "description", texts);
        for (var auth :
                description.path("auth").isArray() ? description.path("auth") : List.of(description.path("auth"))) {
            definition(auth, texts);
            definition(auth.path("username"), texts);
            definition(auth.path("password"), texts);
            props(auth.path("props"), texts);
        }
        for (var parts : List.of("actions", "triggers")) {
            description.path(parts).properties().forEach(part -> part(part.getValue(), texts));
        }
        for (var parts : List.of("suggestedActions", "suggestedTriggers")) {
            description.path(parts).forEach(part -> part(part, texts));
        }
        return description;
    }

    private static void part(JsonNode part, JsonNode texts) {
        definition(part, texts);
        props(part.path("props"), texts);
    }

    private static void props(JsonNode props, JsonNode texts) {
        props.properties().forEach(property -> {
            definition(property.getValue(), texts);
            property.getValue().at("/options/options").forEach(option -> translate(option, "label", texts));
        });
    }

    private static void definition(JsonNode definition, JsonNode texts) {
        TEXTS.forEach(field -> translate(definition, field, texts));
    }

    private static void translate(JsonNode holder, String field, JsonNode texts) {
        var source = holder.path(field);
        if (holder instanceof ObjectNode object && source.isTextual()) {
            var text = source.asText();
            var key = CutText.of(text, KEY_CHARACTERS_MAX);
            var translation = texts.path(key);
            if (translation.isTextual() && !translation.asText().isEmpty()) {
                object.put(field, translation.asText());
            }
        }
    }
}

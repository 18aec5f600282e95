package io.millrace.piece.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mutated documents become pieces, or are rejected with a named reason, and cause no other failure. */
final class DocumentFuzzTest {
    private static final int ROUNDS = 60;
    private static final String NOISE = "{}[]:,&*!|>'\"\t\n \u0000\uD800é#%@`";

    @Test
    void refusesOrConverts_anyChangedDocument() {
        var random = new Random(4711);
        var converted = 0;
        for (var name : Documents.names()) {
            var document = DocumentText.parse(Documents.text(name), Documents.BYTES_MAX);
            for (var round = 0; round < ROUNDS; round++) {
                var changed = document.deepCopy();
                for (var i = 0; i <= random.nextInt(4); i++) {
                    change(changed, random);
                }
                converted += converts(name, Json.text(changed)) ? 1 : 0;
            }
        }
        assertThat(converted).isGreaterThan(Documents.names().size() * ROUNDS / 3);
    }

    @Test
    void refusesOrConverts_anyChangedText() {
        var random = new Random(815);
        for (var name : Documents.names()) {
            var text = Documents.text(name);
            for (var round = 0; round < ROUNDS / 2; round++) {
                var changed = new StringBuilder(text);
                for (var i = 0; i <= random.nextInt(6); i++) {
                    var at = random.nextInt(changed.length());
                    switch (random.nextInt(3)) {
                        case 0 -> changed.deleteCharAt(at);
                        case 1 -> changed.insert(at, NOISE.charAt(random.nextInt(NOISE.length())));
                        default -> changed.delete(at, Math.min(changed.length(), at + random.nextInt(200)));
                    }
                    if (changed.isEmpty()) {
                        break;
                    }
                }
                converts(name, changed.toString());
            }
        }
    }

    private static boolean converts(String name, String text) {
        DocumentConverter.Conversion converted;
        try {
            converted = DocumentConverter.convert(text, Documents.BYTES_MAX, Documents.options());
        } catch (UnusableDocument refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return false;
        } catch (RuntimeException defect) {
            throw new AssertionError(name + ": " + text, defect);
        }
        var label = new OpenApiPiece.Label(
                "id", Instant.EPOCH, Instant.EPOCH, Optional.empty(), "@openapi/piece-x", "1.0.0");
        var piece = new OpenApiPiece(label, converted.metadata(), null);
        assertThat(piece.actions()).isNotEmpty();
        assertThat(piece.describe("1.0.0").path("actions").size())
                .isEqualTo(piece.actions().size());
        return true;
    }

    private static void change(ObjectNode document, Random random) {
        var places = new ArrayList<JsonNode>();
        collect(document, places);
        var place = places.get(random.nextInt(places.size()));
        var values = List.of(
                Json.object(),
                Json.array(),
                Json.mapper().<JsonNode>valueToTree(""),
                Json.mapper().<JsonNode>valueToTree("#/paths"),
                Json.mapper().<JsonNode>valueToTree(-1),
                Json.mapper().<JsonNode>valueToTree(true),
                Json.object().put("$ref", "#"),
                Json.object().put("$ref", "#/components/schemas/Pet"),
                Json.mapper().nullNode(),
                places.get(random.nextInt(places.size())).deepCopy());
        var value = values.get(random.nextInt(values.size()));
        if (place instanceof ObjectNode object && !object.isEmpty()) {
            var names = object.properties().stream().map(Map.Entry::getKey).toList();
            var name = names.get(random.nextInt(names.size()));
            if (random.nextInt(4) == 0) {
                object.remove(name);
            } else {
                object.set(random.nextInt(5) == 0 ? "allOf" : name, value);
            }
        } else if (place instanceof ArrayNode array) {
            array.add(value);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> places) {
        if (node.isContainerNode()) {
            places.add(node);
            node.forEach(child -> collect(child, places));
        }
    }
}

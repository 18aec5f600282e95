package io.millrace.piece.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Limits of documents, tested on both sides. */
final class DocumentLimitsTest {
    private static DocumentConverter.Conversion convert(String text, int operationsMax, int propertiesMax) {
        return DocumentConverter.convert(
                text,
                Documents.BYTES_MAX,
                new ConversionOptions(
                        Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Set.of(),
                        operationsMax,
                        propertiesMax));
    }

    @Test
    void convertsAsManyOperationsAsPermitted() {
        var text = Documents.large(1_500);
        assertThat(convert(text, 1_500, 10).metadata().path("actions").size()).isEqualTo(1_500);
        assertThatThrownBy(() -> convert(text, 1_499, 10)).hasMessageContaining("AP_OPENAPI_OPERATIONS_MAX");
    }

    @Test
    void convertsAsManyPropertiesAsPermitted() {
        var text = Documents.text("27-many-properties.json");
        assertThat(convert(text, 10, 250).gaps()).isEmpty();
        var bounded = convert(text, 10, 249);
        assertThat(bounded.gaps()).hasSize(2);
        assertThat(bounded.metadata().at("/actions/optional/props").size()).isEqualTo(249);
        assertThat(bounded.metadata().at("/actions/optional/props/p7/required").asBoolean())
                .isTrue();
    }

    @Test
    void leavesOutSchemasOfOutputs_whenTheDescriptionIsTooLarge() {
        var document = DocumentText.parse(Documents.large(1_500), Documents.BYTES_MAX);
        var wide = document.withObject("/components/schemas/Wide")
                .put("type", "object")
                .putObject("properties");
        for (var i = 0; i < 180; i++) {
            wide.putObject("field" + i).put("type", "string").put("description", "A field of the row. ".repeat(6));
        }
        document.path("paths")
                .forEach(item -> ((ObjectNode) item.at("/put/responses/200"))
                        .putObject("content")
                        .putObject("application/json")
                        .putObject("schema")
                        .put("$ref", "#/components/schemas/Wide"));
        var converted = convert(Json.text(document), 1_500, 10);
        assertThat(converted.metadata().path("actions").size()).isEqualTo(1_500);
        assertThat(converted.metadata().at("/actions/putRow0").has("outputSchema"))
                .isFalse();
        assertThat(converted.gaps()).extracting(Gap::place).contains("document");
        document.withObject("/paths").retain("/rows0/{id}");
        assertThat(convert(Json.text(document), 1_500, 10)
                        .metadata()
                        .at("/actions/putRow0")
                        .has("outputSchema"))
                .isTrue();
    }

    @Test
    void readsAsManyBytesAsPermitted() {
        var text = Documents.text("01-pets-30.yaml");
        assertThat(DocumentText.parse(text, text.length()).path("openapi").asText())
                .isEqualTo("3.0.3");
        assertThatThrownBy(() -> DocumentText.parse(text, text.length() - 1))
                .hasMessageContaining("AP_OPENAPI_DOCUMENT_MAX_KB");
    }

    @Test
    void boundsTheExpansionOfAliases() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (var i = 1; i < 12; i++) {
            bomb.append("a").append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        assertThatThrownBy(() -> DocumentText.parse(bomb.toString(), Documents.BYTES_MAX))
                .isInstanceOf(UnusableDocument.class);
        assertThatThrownBy(() -> DocumentText.parse("a: &a [*a]", Documents.BYTES_MAX))
                .isInstanceOf(UnusableDocument.class);
    }

    @Test
    void boundsDepth() {
        assertThat(DocumentText.parse("a: " + "[".repeat(140) + "]".repeat(140), Documents.BYTES_MAX)
                        .has("a"))
                .isTrue();
        assertThatThrownBy(() -> DocumentText.parse("a: " + "[".repeat(5_000) + "]".repeat(5_000), Documents.BYTES_MAX))
                .isInstanceOf(UnusableDocument.class);
        var deep = "{\"openapi\":\"3.0.0\",\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> DocumentText.parse(deep, Documents.BYTES_MAX)).isInstanceOf(UnusableDocument.class);
    }

    @Test
    void boundsChainsOfAllOf() {
        var document = Json.object().put("openapi", "3.0.0");
        document.putArray("servers").addObject().put("url", "https://chain.example.com");
        var schemas = document.putObject("components").putObject("schemas");
        for (var i = 0; i < 300; i++) {
            var schema = schemas.putObject("S" + i);
            schema.putObject("properties").putObject("p" + i).put("type", "string");
            schema.putArray("allOf").addObject().put("$ref", "#/components/schemas/S" + (i + 1));
        }
        var post = document.putObject("paths").putObject("/a").putObject("post").put("operationId", "a");
        post.putObject("requestBody")
                .putObject("content")
                .putObject("application/json")
                .putObject("schema")
                .put("$ref", "#/components/schemas/S0");
        var props = convert(Json.text(document), 10, 1_000).metadata().at("/actions/a/props");
        assertThat(props.size()).isEqualTo(SchemaReader.DEPTH_MAX + 1);
    }
}

package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.http.document.ApiDocument;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Third-party linters and generators read the API document without a complaint. */
final class ApiDocumentLintTest {
    @Test
    void swaggerParserFindsNothingWrong() {
        // Given
        var options = new ParseOptions();
        options.setResolve(true);

        // When
        var read = new OpenAPIV3Parser().readContents(Json.text(ApiDocument.load()), List.of(), options);

        // Then
        assertThat(read.getMessages()).isEmpty();
        assertThat(read.getOpenAPI().getPaths()).hasSizeGreaterThan(100);
    }

    @Test
    void noTwoPathsDifferOnlyInTheNamesOfTheirParameters() {
        // Given
        var seen = new HashSet<String>();
        Set<String> twice = new TreeSet<>();

        // When
        ApiDocument.load().path("paths").fieldNames().forEachRemaining(path -> {
            if (!seen.add(path.replaceAll("\\{[^}]+}", "{}"))) {
                twice.add(path);
            }
        });

        // Then
        assertThat(twice).isEmpty();
    }

    /** Some readers ignore siblings of a {@code $ref}, others reject them. */
    @Test
    void aReferenceStandsAlone_exceptInSchemas() {
        var crowded = new ArrayList<String>();
        collectCrowded(ApiDocument.load(), "", crowded);

        assertThat(crowded).isEmpty();
    }

    /** In a flow mapping of YAML, the words after a comma of an unquoted description become a key. */
    @Test
    void noKeyIsTheRestOfADescription() {
        var rests = new ArrayList<String>();
        collectRests(ApiDocument.load(), "", rests);

        assertThat(rests).isEmpty();
    }

    private static void collectRests(JsonNode node, String place, List<String> rests) {
        node.properties().forEach(field -> {
            var isRest = field.getKey().contains(" ") || field.getValue().isNull();
            if (!field.getKey().matches("examples?|default|const")) {
                if (isRest) {
                    rests.add(place + "/" + field.getKey());
                }
                collectRests(field.getValue(), place + "/" + field.getKey(), rests);
            }
        });
        for (var index = 0; node.isArray() && index < node.size(); index++) {
            collectRests(node.get(index), place + "/" + index, rests);
        }
    }

    private static void collectCrowded(JsonNode node, String place, List<String> crowded) {
        if (node.path("$ref").isTextual() && (node.has("content") || node.has("responses"))) {
            crowded.add(place);
        }
        node.properties().forEach(field -> collectCrowded(field.getValue(), place + "/" + field.getKey(), crowded));
        for (var index = 0; node.isArray() && index < node.size(); index++) {
            collectCrowded(node.get(index), place + "/" + index, crowded);
        }
    }

    /** Client generators derive method names from these. */
    @Test
    void idsOfOperationsAreWordsThatBeginWithAVerb() {
        var ids = ApiDocument.load().findValuesAsText("operationId");

        assertThat(ids).hasSizeGreaterThan(200).allMatch(id -> id.matches("[a-z]+([A-Z][a-z0-9]*)+"));
        assertThat(ids.stream().map(id -> id.toLowerCase(Locale.ROOT))).doesNotHaveDuplicates();
    }

    /** A generator creates a file parameter from this annotation only; others become a text. */
    @Test
    void filesOfFormsAreBinary() {
        var schemas = ApiDocument.load().at("/components/schemas");
        var texts = schemas.findParents("contentMediaType").stream()
                .filter(schema -> !schema.path("format").asText().equals("binary"));

        assertThat(texts).isEmpty();
        assertThat(schemas.findValuesAsText("format")).contains("binary");
    }

    /** Null among the words of an enum must be among its types, too. */
    @Test
    void nullIsAWordOfTypesThatHaveIt() {
        var wrong = ApiDocument.load().findParents("enum").stream()
                .filter(schema -> words(schema.path("enum")).anyMatch(JsonNode::isNull))
                .filter(schema -> words(schema.path("type"))
                        .noneMatch(type -> type.asText().equals("null")))
                .map(JsonNode::toString);

        assertThat(wrong).isEmpty();
    }

    private static Stream<JsonNode> words(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    /** Each becomes a class, which must neither hide a common one nor differ from another in case only. */
    @Test
    void namesOfSchemasAreNoClassesOfLanguages() {
        var names = new ArrayList<String>();
        ApiDocument.load().at("/components/schemas").fieldNames().forEachRemaining(names::add);

        assertThat(names)
                .doesNotContain(
                        "Object",
                        "String",
                        "Number",
                        "Boolean",
                        "List",
                        "Map",
                        "Set",
                        "Array",
                        "Date",
                        "File",
                        "Error",
                        "Exception",
                        "Function",
                        "Promise",
                        "Record",
                        "Optional",
                        "Configuration",
                        "ApiClient",
                        "ApiException",
                        "ApiResponse")
                .allMatch(name -> name.matches("[A-Z][A-Za-z0-9]*"));
        assertThat(names.stream().map(name -> name.toLowerCase(Locale.ROOT))).doesNotHaveDuplicates();
    }
}

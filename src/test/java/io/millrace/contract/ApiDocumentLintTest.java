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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Programs that others wrote read the API document without a complaint. */
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

    /** What stands beside a reference is ignored by some readers, and refused by others. */
    @Test
    void aReferenceStandsAlone_exceptInSchemas() {
        var crowded = new ArrayList<String>();
        collectCrowded(ApiDocument.load(), "", crowded);

        assertThat(crowded).isEmpty();
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
}

package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.http.document.ApiDocument;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
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
}

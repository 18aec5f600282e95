package io.millrace.base.http.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ApiPagesTest {
    private static final Pattern LINK = Pattern.compile("href=\"([^\"$]+)\"");
    private static final Pattern AREA = Pattern.compile("<section><h2>([^<]+)</h2>");
    private static final String DOCS = "/api/v1/docs/";
    private static final String SCHEMAS = DOCS + "schemas/";
    private static final int FIRST_LOAD_BYTES_MAX = 300_000;

    private static final ApiPages PAGES = new ApiPages(ApiDocument.load(), ApiDocument.style(), ApiDocument.script());

    private static Optional<String> page(String path) {
        return path.startsWith(SCHEMAS)
                ? PAGES.schema(path.substring(SCHEMAS.length()))
                : PAGES.operation(path.substring(DOCS.length()));
    }

    @Test
    void firstLoadIsSmall_andBeginsWithFlows() {
        var index = PAGES.index();

        assertThat(index.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(FIRST_LOAD_BYTES_MAX);
        var areas = AREA.matcher(index).results().map(area -> area.group(1)).toList();
        assertThat(areas).startsWith("Flows", "Runs", "Webhooks").doesNotHaveDuplicates();
        assertThat(index).contains("title=\"/v1/flows/{id}\"");
    }

    @Test
    void everyLinkLeadsToAPage() {
        var broken = new ArrayList<String>();
        var seen = new HashSet<String>();
        for (var path : PAGES.paths()) {
            var html = page(path).orElseThrow(() -> new AssertionError("no page " + path));
            LINK.matcher(html)
                    .results()
                    .map(link -> link.group(1))
                    .filter(seen::add)
                    .forEach(link -> {
                        var isElsewhere =
                                List.of("/api/v1/docs", "/api/v1/openapi.json").contains(link);
                        if (!isElsewhere
                                && (!link.startsWith(DOCS) || page(link).isEmpty())) {
                            broken.add(path + " to " + link);
                        }
                    });
        }

        assertThat(broken).isEmpty();
        assertThat(seen).hasSizeGreaterThan(500);
        assertThat(PAGES.operation("getNothing")).isEmpty();
        assertThat(PAGES.schema("Nothing")).isEmpty();
    }

    @Test
    void operationHasCallsInEachLanguage_andAForm() {
        var html = PAGES.operation("putFlowLimits").orElseThrow();

        assertThat(html)
                .contains(
                        "curl -X POST 'http://localhost:8080/api/v1/flows/{id}/limits'",
                        "Authorization: Bearer $MILLRACE_API_KEY",
                        "await fetch('http://localhost:8080/api/v1/flows/{id}/limits'",
                        "urllib.request.Request(",
                        "HttpRequest.newBuilder(URI.create(&quot;http://localhost:8080/api/v1/flows/{id}/limits&quot;))",
                        "<input name=\"id\" data-in=\"path\" type=\"text\" required>",
                        "<textarea name=\"body\"",
                        "&quot;concurrentRuns&quot;: 1");
        assertThat(PAGES.operation("getFlags").orElseThrow()).doesNotContain("$MILLRACE_API_KEY");
    }

    @Test
    void uploadHasFormsInEachLanguage_andAFieldForTheFile() {
        var html = PAGES.operation("uploadKnowledgeFile").orElseThrow();

        assertThat(html)
                .contains(
                        "-F file=@FILE",
                        "await openAsBlob('FILE')",
                        "requests.request(",
                        "data-in=\"form\" type=\"file\"")
                .doesNotContain("HttpRequest.newBuilder");
    }
}

package io.millrace.piece.openapi;

import static io.millrace.piece.openapi.OpenApiBench.OPENAPI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.Seeds;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Any document and any field of the request leads to a report or to a refusal with its reason. */
@Slow(Slow.Reason.DURATION)
final class OpenApiFuzzIT {
    private static final int KILOBYTES_MAX = 64;
    private static final int CASES = 250;
    private static final Set<String> STRUCTURED =
            Set.of("operations", "pagination", "serverVariables", "connectionVariables");
    private static final String NOISE = "{}[]:,&*!|>'\"\t\n \u0000#%@`é-";

    @AutoClose
    private static TestServer server =
            TestServer.start(Map.of("AP_OPENAPI_DOCUMENT_MAX_KB", String.valueOf(KILOBYTES_MAX)));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private static Answer send(JsonNode document, ObjectNode options) {
        var body = Json.object().put("dryRun", true).put("name", "fuzz").put("baseUrl", "https://fuzz.example.com");
        body.setAll(options);
        body.set("document", document);
        return ada.api().post(OPENAPI, body);
    }

    private static void assertAnswered(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isIn(200, 400);
        assertThat(answer.text(answer.status() == 200 ? "/version" : "/message"))
                .isNotBlank();
    }

    @Test
    void answersChangedDocuments() {
        var names = Documents.names();
        Seeds.each(CASES, random -> {
            var text = Documents.text(names.get(random.nextInt(names.size())));
            assertAnswered(send(TextNode.valueOf(changed(text, random)), Json.object()));
        });
    }

    private static String changed(String text, Random random) {
        var changed = new StringBuilder(text);
        for (var change = random.nextInt(6); change >= 0 && !changed.isEmpty(); change--) {
            var at = random.nextInt(changed.length());
            switch (random.nextInt(4)) {
                case 0 -> changed.deleteCharAt(at);
                case 1 -> changed.insert(at, NOISE.charAt(random.nextInt(NOISE.length())));
                case 2 -> {
                    var other = random.nextInt(changed.length());
                    changed.insert(at, changed.substring(other, Math.min(changed.length(), other + 80)));
                }
                default -> changed.delete(at, Math.min(changed.length(), at + random.nextInt(200)));
            }
        }
        return changed.toString();
    }

    @Test
    void answersAnyValueInFieldsOfTheRequest() {
        var document = TextNode.valueOf(Documents.text("34-code-hosting-31.yaml"));
        var fields = List.of(
                "name",
                "displayName",
                "operations",
                "pagination",
                "baseUrl",
                "serverVariables",
                "connectionVariables",
                "search",
                "dryRun");
        Seeds.each(CASES, random -> {
            var options = Json.object();
            for (var count = random.nextInt(3); count >= 0; count--) {
                var value = value(random, 0);
                var field = fields.get(random.nextInt(fields.size()));
                // A text would be parsed as JSON, as in a form; the API document allows it there only.
                options.set(
                        field,
                        STRUCTURED.contains(field) && value.isTextual()
                                ? Json.array().add(value)
                                : value);
            }
            options.put("dryRun", true);
            assertAnswered(send(document, options));
        });
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth > 3 ? 6 : 8)) {
            case 0 -> Json.mapper().nullNode();
            case 1 -> Json.mapper().<JsonNode>valueToTree(random.nextInt());
            case 2 -> Json.mapper().<JsonNode>valueToTree(new BigDecimal("1e308"));
            case 3 -> Json.mapper().<JsonNode>valueToTree(random.nextBoolean());
            case 4 -> TextNode.valueOf(Seeds.text(random, "https://{}a.b?#@: ", 40));
            case 5 ->
                TextNode.valueOf(List.of("hostname", "GET /search", "{protocol}://{hostname}/api/v3", "LINK", "")
                        .get(random.nextInt(5)));
            case 6 -> Json.array().add(value(random, depth + 1)).add(value(random, depth + 1));
            default -> {
                var object = Json.object();
                object.set("kind", value(random, depth + 1));
                object.set(
                        List.of("hostname", "parameter", "protocol").get(random.nextInt(3)), value(random, depth + 1));
                yield object;
            }
        };
    }

    @ParameterizedTest
    @CsvSource({"0,200", "1,400"})
    void readsADocumentUpToTheLimit(int beyond, int status) {
        var document = Documents.text("01-pets-30.yaml");
        var padding = KILOBYTES_MAX * 1024 + beyond - document.length() - 2;
        var answer = send(TextNode.valueOf(document + "\n#" + "x".repeat(padding)), Json.object());

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    }
}

package io.millrace.piece.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.FileValue;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** All actions of all documents with any input: a request to the server of the document, or a named failure. */
final class RequestFuzzTest {
    private static final int ROUNDS = 40;

    @Test
    void writesARequestToTheServer_orFailsByName() {
        var random = new Random(99);
        var written = 0;
        for (var name : Documents.names()) {
            var stored = Documents.convert(name).metadata().path(DocumentConverter.PLANS);
            for (var entry : stored.path("actions").properties()) {
                var plan = RequestPlan.read(entry.getValue());
                for (var round = 0; round < ROUNDS; round++) {
                    written += writes(plan, stored, random) ? 1 : 0;
                }
            }
        }
        assertThat(written).isGreaterThan(500);
    }

    private static boolean writes(RequestPlan plan, JsonNode stored, Random random) {
        var props = props(plan, random);
        try {
            var credentials = credentialsOf(plan, stored, random);
            var request = RequestWriter.write(plan, props, credentials, "key", List.of())
                    .request();
            var server = WebAddress.parse(plan.server());
            assertThat(request.address().origin()).isEqualTo(server.origin());
            assertThat(request.address().userInfo()).isEmpty();
            assertThat(request.address().target()).startsWith(server.target().equals("/") ? "/" : server.target());
            return true;
        } catch (PieceFailure refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return false;
        }
    }

    private static RequestCredentials credentialsOf(RequestPlan plan, JsonNode stored, Random random) {
        var auth = Json.object().put("secret_text", text(random)).put("access_token", text(random));
        auth.put("username", text(random)).put("password", text(random));
        var fields = auth.putObject("props");
        plan.security().forEach(names -> names.forEach(name -> fields.put(name, text(random))));
        return RequestCredentials.of(plan, stored, random.nextInt(5) == 0 ? Optional.empty() : Optional.of(auth));
    }

    private static ObjectNode props(RequestPlan plan, Random random) {
        var props = Json.object();
        plan.parameters().forEach(parameter -> put(props, parameter.prop(), random));
        plan.body().ifPresent(body -> {
            body.whole().ifPresent(whole -> put(props, whole, random));
            body.fields().forEach(field -> put(props, field.prop(), random));
        });
        return props;
    }

    private static void put(ObjectNode props, String name, Random random) {
        if (random.nextInt(4) > 0) {
            props.set(name, value(random, 0));
        }
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth > 2 ? 6 : 9)) {
            case 0, 1, 2 -> Json.mapper().valueToTree(text(random));
            case 3 -> Json.mapper().valueToTree(random.nextBoolean());
            case 4 -> Json.mapper().valueToTree(random.nextGaussian() * 1e20);
            case 5 -> Json.mapper().nullNode();
            case 6 -> Json.array().add(value(random, depth + 1)).add(value(random, depth + 1));
            case 7 -> Json.object().set(text(random), value(random, depth + 1));
            default -> new FileValue(text(random), "bin", Buffer.buffer(text(random))).toJson();
        };
    }

    private static String text(Random random) {
        var texts = List.of(
                "",
                ".",
                "..",
                "a b",
                "a/../../b",
                "//evil.example.com",
                "@evil.example.com",
                "?x=1#y",
                "%2e%2e",
                "ä漢\uD83D\uDE00",
                "\uD800",
                "\r\nX: 1",
                "\u0000",
                "a&b=c",
                "{petId}",
                "\\..\\",
                "x".repeat(3_000),
                "'\"<>");
        return texts.get(random.nextInt(texts.size()));
    }
}

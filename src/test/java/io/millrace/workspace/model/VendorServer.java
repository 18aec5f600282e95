package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Fake model providers on 127.0.0.1. The first segment of a path is the host of the provider. Each responds in its
 * dialect and rejects what the provider rejects: missing credentials, results without their calls, state of the model
 * that was not sent back.
 */
final class VendorServer implements AutoCloseable {
    private static final String ADD = "addition";
    private static final String DOUBLE = "multiplication";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    /** Violations by requests; empty if all were as the providers expect them. */
    final List<String> objections = new CopyOnWriteArrayList<>();

    /** A tool call in a response. */
    record Wanted(String id, String tool, int number) {
        ObjectNode arguments() {
            return Json.object().put("first_number", number);
        }

        String argumentsText() {
            return Json.text(arguments());
        }
    }

    /** Result of a tool in a request; the id is the name of the function where a dialect has no ids. */
    record Result(String id, String text) {}

    /** Request and response format of a provider. */
    interface Dialect {
        String contentType();

        /** Names of the offered tools. */
        List<String> tools(JsonNode question);

        List<Result> results(JsonNode question);

        /** Fails the test if the provider would reject the request. */
        void check(HttpServerRequest request, JsonNode question, int resultCount, List<String> objections);

        Buffer calls(List<Wanted> calls);

        Buffer text(String text);
    }

    VendorServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    String origin(String host) {
        return "http://127.0.0.1:" + server.actualPort() + "/" + host;
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            if (request.method().equals(HttpMethod.GET)) {
                request.response()
                        .putHeader("Content-Type", "application/json")
                        .end("{\"data\":[],\"models\":[],\"modelSummaries\":[]}");
                return;
            }
            var host = request.path().split("/", 3)[1];
            try {
                answer(request, dialectOf(host), Json.trusted(body.getBytes()));
            } catch (RuntimeException unexpected) {
                objections.add(unexpected.toString());
                request.response()
                        .setStatusCode(400)
                        .end(Json.text(Json.object().put("error", unexpected.toString())));
            }
        });
    }

    private static Dialect dialectOf(String host) {
        return switch (host) {
            case "ollama" -> VendorCompletions.OLLAMA;
            case "api.deepseek.com" -> VendorCompletions.DEEPSEEK;
            case "openrouter.ai" -> VendorCompletions.OPENROUTER;
            case "mill.openai.azure.com" -> VendorCompletions.AZURE;
            case "api.anthropic.com" -> new VendorBlocks.Anthropic();
            case "generativelanguage.googleapis.com" -> new VendorBlocks.Gemini();
            case "bedrock-runtime.eu-west-1.amazonaws.com" -> new VendorBlocks.Bedrock();
            default -> throw new IllegalArgumentException("expected a host of a provider, found " + host);
        };
    }

    /** Calls both tools at once, then one of them again, then ends with a text of the results. */
    private void answer(HttpServerRequest request, Dialect dialect, JsonNode question) {
        var results = dialect.results(question);
        dialect.check(request, question, results.size(), objections);
        var add = named(dialect.tools(question), ADD);
        var twice = named(dialect.tools(question), DOUBLE);
        var body = switch (results.size()) {
            case 0 -> dialect.calls(List.of(new Wanted("call_a", add, 3), new Wanted("call_b", twice, 4)));
            case 2 -> {
                expect(results.get(0), "call_a", add, "5");
                expect(results.get(1), "call_b", twice, "8");
                yield dialect.calls(List.of(new Wanted("call_c", add, 10)));
            }
            default -> {
                expect(results.getLast(), "call_c", add, "12");
                yield dialect.text("Five, eight and twelve.");
            }
        };
        request.response().putHeader("Content-Type", dialect.contentType()).end(body);
    }

    private void expect(Result result, String id, String tool, String text) {
        var isNamed = result.id().equals(id) || result.id().equals(tool);
        if (!isNamed || !result.text().contains(text)) {
            objections.add("expected the result " + text + " of " + id + ", found " + result);
        }
    }

    private static String named(List<String> tools, String word) {
        return tools.stream()
                .filter(tool -> tool.contains(word))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("expected a tool " + word + ", found " + tools));
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}

package io.millrace.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.support.ExchangeCheck.Exchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * HTTP client of a server: JSON requests with or without a token. Every exchange with a server of this release is
 * checked against the API document; an undocumented one fails the test.
 */
public final class ApiClient {
    /** Longer than the longest observed stall of a busy machine. */
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    private static final String JSON = "application/json";
    private static final String NO_BODY = "";

    private final HttpClient http;
    private final URI base;
    private final String token;
    private final boolean isOfThisRelease;

    private ApiClient(HttpClient http, URI base, String token, boolean isOfThisRelease) {
        this.http = http;
        this.base = base;
        this.token = token;
        this.isOfThisRelease = isOfThisRelease;
    }

    /** A client without a token. */
    static ApiClient anonymous(int port) {
        return new ApiClient(HttpClient.newHttpClient(), URI.create("http://127.0.0.1:" + port + "/api"), null, true);
    }

    /** Closes the connections of this client and of all derived clients. */
    void close() {
        http.shutdownNow();
    }

    /** Token of the requests; null without one. */
    public String token() {
        return token;
    }

    /**
     * Response of the server.
     *
     * @param body a text if it is not JSON, a missing node if it is empty
     */
    public record Answer(int status, JsonNode body, HttpHeaders headers) {
        /** Value of a field, as text. */
        public String text(String pointer) {
            return body.at(pointer).asText();
        }
    }

    /** Client of the same server with this token. */
    public ApiClient with(String otherToken) {
        return new ApiClient(http, base, otherToken, isOfThisRelease);
    }

    /** Client of the same server, which runs another release: the API document of this release does not apply. */
    public ApiClient ofEarlierRelease() {
        return new ApiClient(http, base, token, false);
    }

    /** Client of the same server for paths at the root of the host instead of {@code /api}. */
    public ApiClient atRoot() {
        return new ApiClient(http, URI.create("http://" + base.getRawAuthority()), token, isOfThisRelease);
    }

    /** Client of another server with the same token. */
    public ApiClient at(TestServer server) {
        return server.anonymous().with(token);
    }

    /** Lines of a streamed response, as they arrive; fails on an error status. */
    Stream<String> lines(String path, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", "Bearer " + token);
        headers.forEach(request::header);
        var answer = http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                .join();
        if (answer.statusCode() != 200) {
            throw new AssertionError("expected a stream, found " + answer.statusCode());
        }
        return answer.body();
    }

    public Answer get(String path) {
        return join(getAsync(path));
    }

    public CompletableFuture<Answer> getAsync(String path) {
        return sendAsync("GET", path, Map.of(), NO_BODY);
    }

    public Answer delete(String path) {
        return send("DELETE", path, Map.of(), NO_BODY);
    }

    public Answer post(String path, JsonNode body) {
        return join(postAsync(path, body));
    }

    public CompletableFuture<Answer> postAsync(String path, JsonNode body) {
        return sendAsync(
                "POST", path, Map.of("Content-Type", JSON), new String(DeepJson.bytes(body), StandardCharsets.UTF_8));
    }

    /** Posts a body that need not be JSON, with one more header. */
    public Answer postText(String path, String text, String header, String value) {
        return send("POST", path, Map.of("Content-Type", JSON, header, value), text);
    }

    /** Posts a form with a file. */
    public Answer postForm(String path, Map<String, String> fields, String fileField, byte[] file) {
        return postForm(path, fields, fileField, "piece.tgz", file);
    }

    /** Posts a form with a file of this name. */
    public Answer postForm(String path, Map<String, String> fields, String fileField, String fileName, byte[] file) {
        var boundary = "a-boundary-that-no-content-has";
        var form = new ByteArrayOutputStream();
        fields.forEach((name, value) -> form.writeBytes(
                ("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n")
                        .getBytes(StandardCharsets.UTF_8)));
        form.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + fileField
                        + "\"; filename=\"" + fileName
                        + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        form.writeBytes(file);
        form.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        var headers = Map.of("Content-Type", "multipart/form-data; boundary=" + boundary);
        return join(
                sendAsync("POST", path, headers, HttpRequest.BodyPublishers.ofByteArray(form.toByteArray()), NO_BODY));
    }

    /** Sends any request. */
    public Answer send(String method, String path, Map<String, String> headers, String body) {
        return join(sendAsync(method, path, headers, body));
    }

    /** Body of a sign-up request. */
    public static ObjectNode signUpBody(String email, String firstName) {
        return Json.object()
                .put("email", email)
                .put("password", "correct horse")
                .put("firstName", firstName)
                .put("lastName", "Miller")
                .put("trackEvents", false)
                .put("newsLetter", true);
    }

    /** Sends any request, without waiting for its response. */
    public CompletableFuture<Answer> sendAsync(String method, String path, Map<String, String> headers, String body) {
        var publisher =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        var isJson = headers.getOrDefault("Content-Type", "application/json").contains("json");
        return sendAsync(method, path, headers, publisher, isJson ? body : NO_BODY);
    }

    /** @param shown the body as the API document describes it; empty if it is not described */
    private CompletableFuture<Answer> sendAsync(
            String method, String path, Map<String, String> headers, HttpRequest.BodyPublisher body, String shown) {
        var request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(MachineSpeed.deadline(DEADLINE))
                .method(method, body);
        var all = new HashMap<>(headers);
        if (token != null) {
            all.put("Authorization", "Bearer " + token);
        }
        all.forEach(request::header);
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                .thenApply(response -> answer(shown, response));
    }

    private Answer answer(String sent, HttpResponse<String> response) {
        var exchange = Exchange.of(response, sent, response.body());
        if (isOfThisRelease) {
            ExchangeCheck.check(exchange);
        }
        return new Answer(response.statusCode(), parse(exchange.mediaType(), response.body()), response.headers());
    }

    private static JsonNode parse(String mediaType, String text) {
        if (text.isEmpty()) {
            return MissingNode.getInstance();
        }
        if (!mediaType.equals(JSON) && !mediaType.endsWith("+json")) {
            return TextNode.valueOf(text);
        }
        try {
            return DeepJson.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException notJson) {
            throw new AssertionError("expected JSON, found " + text, notJson);
        }
    }

    private static Answer join(CompletableFuture<Answer> answer) {
        try {
            return answer.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof AssertionError objection) {
                throw objection;
            }
            throw new UncheckedIOException(new IOException(failed.getCause()));
        }
    }
}

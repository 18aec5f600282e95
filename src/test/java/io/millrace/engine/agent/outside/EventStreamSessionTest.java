package io.millrace.engine.agent.outside;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Waiting;
import io.millrace.support.outside.HostileOutside;
import io.millrace.support.outside.HostilePeer;
import io.millrace.support.outside.ToolServer;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Remote MCP servers over HTTP with SSE: a correct one, and hostile ones. */
@HostileKind("MCP server")
final class EventStreamSessionTest {
    private static final String SECRET = "opens-the-tools";
    private static final ExternalLimits PATIENT = new ExternalLimits(60_000, 60_000, 64 << 10, 64 << 10);
    private static final String ENDPOINT = "event: endpoint\ndata: /messages\n\n";

    @AutoClose
    private final HostileOutside outside = HostileOutside.open();

    private final HostilePeer peer = outside.peer();

    private <T> T asked(
            ExternalProtocol protocol,
            String url,
            ExternalLimits limits,
            Function<ExternalServer, Future<T>> question) {
        var answered = Promise.<T>promise();
        outside.vertx()
                .getOrCreateContext()
                .runOnContext(_ -> question.apply(new ExternalServer(
                                outside.http(), protocol, url, Map.of("Authorization", "Bearer " + SECRET), limits))
                        .onComplete(answered));
        return await(answered.future());
    }

    private String refusal(ExternalProtocol protocol, String url, ExternalLimits limits) {
        var failure = catchThrowable(() -> asked(protocol, url, limits, ExternalServer::tools));
        assertThat(failure).isInstanceOf(ExternalServer.Unusable.class);
        assertThat(failure.getMessage())
                .doesNotContain(SECRET)
                .doesNotContainPattern("\\p{Cntrl}")
                .hasSizeLessThan(400);
        return failure.getMessage();
    }

    private String refusal() {
        return refusal(ExternalProtocol.SSE, peer.url() + "/sse", PATIENT);
    }

    /** Answers a GET with an event stream, and each message with a redirect to another host. */
    private void streaming(int receipt, Consumer<HttpServerResponse> said) {
        peer.answer(stream(receipt, said));
    }

    private Handler<HttpServerRequest> stream(int receipt, Consumer<HttpServerResponse> said) {
        peer.isGivenUp.set(false);
        return request -> {
            if (request.method().equals(HttpMethod.GET)) {
                request.connection().closeHandler(_ -> peer.isGivenUp.set(true));
                said.accept(request.response().setChunked(true).putHeader("Content-Type", "text/event-stream"));
            } else {
                request.response()
                        .setStatusCode(receipt)
                        .putHeader("Location", peer.forbidden().getFirst())
                        .end();
            }
        };
    }

    private void streaming(String said) {
        streaming(202, stream -> stream.write(said));
    }

    private void assertStreamIsGivenUp() {
        Waiting.until("the stream is given up", peer.isGivenUp::get);
    }

    @Test
    void listsTheToolsOfAllPages_callsThem_andClosesTheStream() {
        try (var notes = ToolServer.start()) {
            // When
            var names = asked(ExternalProtocol.SSE, notes.streamUrl(), PATIENT, ExternalServer::tools);
            var outcome = asked(
                    ExternalProtocol.SSE,
                    notes.streamUrl(),
                    PATIENT,
                    server -> server.call("note", Json.object().put("n", 7)));

            // Then
            assertThat(names).containsExactly("note");
            assertThat(outcome).isEqualTo(new ExternalServer.Outcome("noted", false));
            assertThat(notes.numbers()).containsExactly(7);
            assertThat(notes.keys()).hasSizeGreaterThan(6).containsOnly("Bearer " + SECRET);
            Waiting.until("both streams are closed", () -> notes.openStreams() == 0);
            Waiting.until(
                    "both requests of the server are answered",
                    () -> notes.pongs().size() == 2);
            assertThat(notes.pongs()).allSatisfy(pong -> {
                assertThat(pong.path("id").asText()).isEqualTo("there?");
                assertThat(pong.path("result").isObject()).isTrue();
            });
        }
    }

    @Test
    void speaksTheTransportThatWasChosen_andNoOther() {
        try (var notes = ToolServer.start()) {
            assertThat(refusal(ExternalProtocol.SSE, notes.url(), PATIENT))
                    .isEqualTo("The server does not speak MCP over HTTP with SSE: status 202");
            assertThat(refusal(ExternalProtocol.STREAMABLE_HTTP, notes.streamUrl(), PATIENT))
                    .isEqualTo("The server does not speak MCP over Streamable HTTP: status 405");
            assertThat(notes.openStreams()).isZero();
        }
    }

    @Test
    void sendsNothingToAnotherOrigin() {
        for (var endpoint : peer.forbidden()) {
            streaming("event: endpoint\ndata: " + endpoint + "\n\n");
            assertThat(refusal()).startsWith("The server names a message endpoint");
            assertStreamIsGivenUp();
        }
        streaming("event: endpoint\ndata: //127.0.0.1:1/messages\n\n");
        assertThat(refusal()).isEqualTo("The server names a message endpoint on an origin other than " + peer.url());
        assertThat(peer.asked).containsOnly("GET /sse");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void isLedToNoNeighbour(int status) {
        for (var location : peer.forbidden()) {
            peer.redirect(status, location);
            refusal();
        }
        streaming(status, stream -> stream.write(ENDPOINT));
        assertThat(refusal()).isEqualTo("The server rejected a message: status " + status);
        assertStreamIsGivenUp();
    }

    @ParameterizedTest
    @CsvSource({
        "401, The server did not accept the credentials: status 401",
        "404, The server rejected a message: status 404",
        "500, The server rejected a message: status 500"
    })
    void reportsARejectedMessage(int status, String refusal) {
        streaming(status, stream -> stream.write(ENDPOINT));
        assertThat(refusal()).isEqualTo(refusal);
        assertStreamIsGivenUp();
    }

    @Test
    void reportsTheEndOfTheStream_orItsFailure() {
        for (var said : new String[] {": welcome\n\n", ENDPOINT}) {
            streaming(202, stream -> stream.end(said));
            assertThat(refusal()).isEqualTo("The server ended its event stream");
            streaming(202, stream -> stream.write(said).onSuccess(_ -> stream.reset()));
            assertThat(refusal()).isEqualTo("The event stream of the server broke off");
        }
    }

    @Test
    void readsNoMoreThanStreamsAreLong() {
        streaming(ENDPOINT + "event: message\ndata: " + "x".repeat(64 << 10));
        assertThat(refusal()).contains("larger than the limit of 65536 bytes");
        assertStreamIsGivenUp();
        streaming(": still there\n\n".repeat(5_000));
        assertThat(refusal()).contains("larger than the limit of 65536 bytes");
        assertStreamIsGivenUp();
    }

    @Test
    void waitsNoLongerThanItIsPatient() {
        var impatient = new ExternalLimits(500, 500, 64 << 10, 64 << 10);
        for (var said : new String[] {": welcome\n\n", ENDPOINT}) {
            streaming(said);
            assertThat(refusal(ExternalProtocol.SSE, peer.url() + "/sse", impatient))
                    .containsPattern("did not respond within 500 ms|timeout of 500ms");
        }
        peer.answer(request -> {
            // Not even the head of a stream.
        });
        assertThat(refusal(ExternalProtocol.SSE, peer.url() + "/sse", impatient))
                .contains("timeout of 500ms");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <html>                                       | The server sent a message that is not JSON
            {"id":1}                                     | The server answered with neither a result nor an error
            {"id":1,"result":[]}                         | The server answered with neither a result nor an error
            {"id":1,"error":{}}                          | The server answered with an error: without a message
            {"id":1,"error":{"message":"x\\r\\n\\u202ey"}} | The server answered with an error: x y
            """)
    void refusesAnswersThatAreNone(String message, String refusal) {
        var quiet = stream(202, stream -> stream.write(ENDPOINT));
        peer.answer(request -> {
            if (request.method().equals(HttpMethod.GET)) {
                quiet.handle(request);
                request.response().write("data: 7\n\ndata: {\"id\":9,\"result\":{}}\n\n");
                peer.answer(post -> {
                    post.response().setStatusCode(202).end();
                    request.response().write("data: " + message + "\n\n");
                });
            }
        });
        assertThat(refusal()).isEqualTo(refusal);
        assertStreamIsGivenUp();
    }

    @Test
    void answersNoRequestsWithoutEnd() {
        streaming(ENDPOINT + "data: {\"id\":1,\"method\":\"ping\"}\n\n".repeat(1_000));
        assertThat(refusal()).isEqualTo("The server sends more requests than responses");
        assertStreamIsGivenUp();
    }

    @Test
    void refusesWhatIsNoStreamOfEvents() {
        peer.say(200, "application/json", "{}");
        assertThat(refusal()).isEqualTo("The server does not speak MCP over HTTP with SSE: status 200");
        peer.answer(request -> request.response()
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Content-Encoding", "gzip")
                .end(ENDPOINT));
        assertThat(refusal()).isEqualTo("The server does not speak MCP over HTTP with SSE: status 200");
        peer.say(403, "text/event-stream", ENDPOINT);
        assertThat(refusal()).isEqualTo("The server did not accept the credentials: status 403");
    }
}

package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.LocalServer;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.support.Waiting;
import io.millrace.workspace.aiprovider.FindProvider;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.model.format.StreamingVendor;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Handling of provider responses in each format: streams, failures and invalid bodies. */
class ProviderModelsTest {
    private static final String VENDORS = "io.millrace.workspace.model.format.StreamingVendor#all";
    private static final long TIMEOUT_MS = 60_000;
    private static final int MEGABYTE = 1 << 20;
    private static final ModelRequest QUESTION = ModelRequest.of("", new ModelMessage.UserMessage("1 + 0?"), 10);

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    private final Bus bus = new Bus(vertx);
    private final AtomicReference<ProviderAccess> access = new AtomicReference<>();
    private LocalServer server;

    @BeforeEach
    void serve() {
        bus.serve(Projects.Find.class, ask -> Future.succeededFuture(TestProject.of(ask.projectId())));
        bus.serve(FindProvider.class, _ -> Future.succeededFuture(access.get()));
    }

    /** Requests each vendor from a server with this handler. */
    private Future<ModelResponse> ask(
            StreamingVendor vendor, Consumer<HttpServerRequest> served, Consumer<String> received) {
        server = LocalServer.start(vertx, served::accept);
        access.set(vendor.access(server.url("")));
        return models(Optional.empty())
                .askAloud(
                        "p",
                        new ModelChoice(vendor.provider(), "1", "m-1", 1_000),
                        QUESTION,
                        TIMEOUT_MS,
                        AnswerListener.of(received));
    }

    private ProviderModels models(Optional<PlatformCredits> credits) {
        var http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        return new ProviderModels(bus, http, credits, InstantSource.system(), _ -> server.url(""));
    }

    private ModelFailure failure(StreamingVendor vendor, Consumer<HttpServerRequest> served) {
        var asked = ask(vendor, served, _ -> {});
        return catchThrowableOfType(ModelFailure.class, () -> Waiting.await(asked));
    }

    private static HttpServerResponse streaming(StreamingVendor vendor, HttpServerRequest request) {
        return request.response()
                .setChunked(true)
                .putHeader("Content-Type", vendor.stream().mediaType() + "; charset=utf-8");
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void streamsAText_andReturnsAllOfIt(StreamingVendor vendor) {
        // given a stream that arrives in two parts, split within a line
        var received = new StringBuilder();
        var body = vendor.body();
        var half = body.length() / 2;

        // when
        var answer = Waiting.await(ask(
                vendor,
                request -> {
                    var response = streaming(vendor, request);
                    response.write(body.getBuffer(0, half))
                            .onSuccess(_ -> response.end(body.getBuffer(half, body.length())));
                },
                received::append));

        // then
        assertThat(received).hasToString("Let me add.");
        assertThat(answer.text()).isEqualTo("Let me add.");
        assertThat(answer.calls()).hasSize(2);
        assertThat(answer.consumption().outputTokens()).isEqualTo(5);
        assertThat(server.asked()).containsExactly("POST " + vendor.path());
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void readsAnAnswerInOnePiece_whenItIsNotStreamed(StreamingVendor vendor) {
        var answer = Waiting.await(ask(
                vendor,
                request -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end(Json.text(vendor.whole())),
                _ -> {}));

        assertThat(answer.text()).isEqualTo("Let me add.");
        assertThat(answer.calls()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void failsSoThatItIsAskedAgain_whenAStreamIsCutInTheMiddle(StreamingVendor vendor) {
        // given
        var half = vendor.body().getBuffer(0, vendor.body().length() / 2);

        // when
        var torn = failure(
                vendor,
                request -> streaming(vendor, request)
                        .write(half)
                        .onSuccess(_ -> request.connection().close()));
        var ended = failure(vendor, request -> streaming(vendor, request).end(half));

        // then
        assertThat(torn.isRetriable()).isTrue();
        assertThat(ended.isRetriable()).isTrue();
        assertThat(ended).hasMessageContaining("the stream ended before the answer was complete");
    }

    /** Every vendor with each status: message of the provider, whether a retry may succeed, and when. */
    static Stream<Arguments> refusals() {
        return StreamingVendor.all()
                .flatMap(vendor -> Stream.of(
                        Arguments.of(vendor, 401, "Incorrect key k3y9", false, 0),
                        Arguments.of(vendor, 403, "Not in your country", false, 0),
                        Arguments.of(vendor, 404, "The model m-1 does not exist", false, 0),
                        Arguments.of(vendor, 429, "Slow down", true, 7_000),
                        Arguments.of(vendor, 503, "High demand", true, 0),
                        Arguments.of(vendor, 529, "Overloaded", true, 0)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void saysWhatTheProviderSaid_andWhetherItPasses(
            StreamingVendor vendor, int status, String said, boolean passes, long retryAfterMs) {
        // when
        var failure = failure(vendor, request -> {
            var body = Json.object();
            body.putObject("error").put("message", said).put("code", status);
            var response = request.response().setStatusCode(status).putHeader("Content-Type", "application/json");
            if (retryAfterMs > 0) {
                response.putHeader("Retry-After", Long.toString(retryAfterMs / 1_000));
            }
            response.end(Json.text(body));
        });

        // then
        assertThat(failure).hasMessage(vendor.provider() + " (m-1): " + said.replace("k3y9", "***"));
        assertThat(failure.isRetriable()).isEqualTo(passes);
        assertThat(failure.retryAfterMs()).isEqualTo(retryAfterMs);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void reportsAnExhaustedBudget_whenThePlatformHasNoCreditsLeft() {
        // given
        server = LocalServer.start(
                vertx,
                request -> request.response()
                        .setStatusCode(402)
                        .end("{\"error\":{\"message\":\"Insufficient credits\",\"code\":402}}"));
        var choice = new ModelChoice("activepieces", "", "anthropic/claude-sonnet-4.6", 1_000);

        // when
        var asked = models(Optional.of(new PlatformCredits("k3y9", server.url("/v1"))))
                .ask("p", choice, QUESTION, TIMEOUT_MS);
        var failure = catchThrowableOfType(ModelFailure.class, () -> Waiting.await(asked));

        // then
        assertThat(failure.isOfBudget()).isTrue();
        assertThat(failure).hasMessage("activepieces (anthropic/claude-sonnet-4.6): Insufficient credits");
    }

    @Test
    void saysWhatAnAnswerTookOfThePlatformsCredits_streamedOrNot() {
        // given
        var body = "{'choices':[{'delta':{'content':'Fine.'},'message':{'content':'Fine.'},'finish_reason':'stop'}],"
                + "'usage':{'prompt_tokens':10,'completion_tokens':5,'cost':0.0042}}";
        var json = body.replace('\'', '"');
        server = LocalServer.start(
                vertx,
                request -> request.body().onSuccess(asked -> {
                    var streamed = asked.toString().contains("\"stream\":true");
                    request.response()
                            .putHeader("Content-Type", streamed ? "text/event-stream" : "application/json")
                            .end(streamed ? "data: " + json + "\n\n" : json);
                }));
        var models = models(Optional.of(new PlatformCredits("k3y9", server.url("/v1"))));
        var credits = new ModelChoice("activepieces", "", "anthropic/claude-sonnet-4.6", 1_000);
        var own = new ModelChoice("openrouter", "1", "anthropic/claude-sonnet-4.6", 1_000);
        access.set(new ProviderAccess(
                "1", "openrouter", "OpenRouter", Json.object(), Json.object().put("apiKey", "k3y9")));

        // when
        var whole = Waiting.await(models.ask("p", credits, QUESTION, TIMEOUT_MS));
        var aloud = Waiting.await(models.askAloud("p", credits, QUESTION, TIMEOUT_MS, AnswerListener.of(_ -> {})));
        var ofOwn = Waiting.await(models.ask("p", own, QUESTION, TIMEOUT_MS));

        // then
        assertThat(whole.consumption().credits()).hasValue(4.2);
        assertThat(aloud.consumption().credits()).hasValue(4.2);
        assertThat(ofOwn.consumption().credits()).isEmpty();
        assertThat(server.asked()).contains("POST /v1/chat/completions", "POST /api/v1/chat/completions");
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void failsSoThatItIsAskedAgain_whenTheJsonIsTruncated(StreamingVendor vendor) {
        var whole = Json.text(vendor.whole());

        var failure = failure(
                vendor,
                request -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end(whole.substring(0, whole.length() - 10)));

        assertThat(failure).hasMessageEndingWith("the response is not JSON");
        assertThat(failure.isRetriable()).isTrue();
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void readsNoMoreThanTenMegabytes(StreamingVendor vendor) {
        // given
        var longText = vendor.bodySaying("Let me " + "x".repeat(4 * MEGABYTE));
        var endless = vendor.bodySaying("Let me " + "x".repeat(11 * MEGABYTE));

        // when
        var refused = failure(vendor, request -> streaming(vendor, request).end(endless));
        var taken =
                Waiting.await(ask(vendor, request -> streaming(vendor, request).end(longText), _ -> {}));

        // then
        assertThat(refused.isRetriable()).as("it would be as long again").isFalse();
        assertThat(taken.text()).hasSizeGreaterThan(4 * MEGABYTE);
    }

    @Test
    void asksWithoutAStream_whereAServerKnowsNoneOrNotWhatItCosts() {
        // given
        var vendor = StreamingVendor.all()
                .filter(one -> one.provider().equals("custom"))
                .findFirst()
                .orElseThrow();
        var received = new StringBuilder();

        // when
        var answer = Waiting.await(ask(
                vendor,
                request -> request.body().onSuccess(body -> {
                    if (body.toString().contains("stream")) {
                        request.response().setStatusCode(422).end("stream_options: Extra inputs are not permitted");
                    } else {
                        request.response().end(Json.text(vendor.whole()));
                    }
                }),
                received::append));

        // then
        assertThat(answer.text()).isEqualTo("Let me add.");
        assertThat(received).isEmpty();
        assertThat(server.asked()).hasSize(2);
    }
}

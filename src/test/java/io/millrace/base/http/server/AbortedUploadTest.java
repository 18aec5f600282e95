package io.millrace.base.http.server;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.metrics.MeterSet;
import io.millrace.support.RawHttp;
import io.millrace.support.RecordedLog;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that disconnects during an upload causes no server error and no alert. */
final class AbortedUploadTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final List<Throwable> escaped = new CopyOnWriteArrayList<>();
    private final Promise<Void> mayBeLarge = Promise.promise();
    private final Promise<Void> asked = Promise.promise();
    private int port;

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Test
    void logsNoError_whenTheCallerDisconnectsDuringItsCheck() {
        deploy();
        try (var access = RecordedLog.of("io.millrace.base.access");
                var others = RecordedLog.of("io.millrace.base.http")) {
            // given a caller with a large body whose permission is being checked
            try (var caller = RawHttp.connect(port)) {
                caller.send("POST /api/v1/large HTTP/1.1\nHost: h\nContent-Length: 9000000\n\nxyz");
                await(asked.future());
                caller.reset();
            }
            Waiting.until("it is noticed", () -> !access.lines().isEmpty());

            // when the check of the permission fails
            failTheLook();

            // then
            assertThat(escaped).isEmpty();
            assertThat(others.lines()).isEmpty();
            assertThat(access.lines())
                    .singleElement()
                    .asString()
                    .startsWith("INFO")
                    .contains(" POST /api/v1/large 499 ");
        }
    }

    /** As when a reset is noticed before the end of the connection. */
    @Test
    void logsNoError_whenAnAnswerHasBegunDuringTheCheckOfItsCaller() {
        deploy();
        try (var caller = RawHttp.connect(port)) {
            // given
            caller.send("POST /api/v1/answered HTTP/1.1\nHost: h\nContent-Length: 9000000\n\nxyz");
            assertThat(caller.answer().status()).isEqualTo(400);
            assertThat(asked.future().succeeded()).isTrue();

            // when
            failTheLook();

            // then
            assertThat(escaped).isEmpty();
        }
    }

    private void failTheLook() {
        await(Future.future(done -> vertx.runOnContext(_ -> {
            mayBeLarge.fail(ApiException.of(ErrorCode.BODY_TOO_LARGE, "too large"));
            vertx.runOnContext(_ -> done.complete());
        })));
        await(vertx.timer(1));
    }

    private void deploy() {
        vertx.exceptionHandler(escaped::add);
        var config = Config.load(
                Map.of("AP_HOST", "127.0.0.1", "AP_PORT", "0", "AP_HTTP_UNKNOWN_BODY_MAX_KB", "16"),
                Path.of("there-is-no-such-file"));
        RouteGroup answered = routes -> routes.raw("/v1/answered", context -> {
            routes.bodies().bytes(context, 10_000_000, () -> {
                asked.complete();
                // As in a server, exceptions reach the context and not the code that fails the future.
                return vertx.timer(1).compose(_ -> mayBeLarge.future());
            });
            context.response().setStatusCode(400).setChunked(true).write("no");
        });
        RouteGroup large = routes -> routes.rawWithBody(
                HttpMethod.POST,
                "/v1/large",
                _ -> {
                    asked.complete();
                    return vertx.timer(1).compose(_ -> mayBeLarge.future());
                },
                context -> context.response().end());
        var http = new HttpVerticle(
                config,
                new Bus(vertx),
                List.of(answered, large),
                SharedLimits.of(new LiveConfig(config), new MeterSet(), InstantSource.system()),
                Future::succeededFuture);
        await(vertx.deployVerticle(http));
        port = http.port();
    }
}

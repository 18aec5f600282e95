package io.millrace.base.monitoring;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.base.config.MonitoringSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ErrorRenderer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The metrics as text: in the format of Prometheus, or in OpenMetrics on request. A reader needs the token, if one is set; a
 * server that does not count has none. Thread-safe.
 */
public final class MetricsExposition {
    static final String PATH = "/metrics";

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String OPEN_METRICS_TEXT = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
    private static final String BEARER = "Bearer ";
    private static final int OK = 200;

    /** Deadline of metrics that are read from the database; without an answer, the last values are exported. */
    private static final long REFRESH_DEADLINE_MS = 2_000;

    private final Vertx vertx;
    private final Supplier<MonitoringSettings> settings;
    private final boolean isCounting;
    private final boolean hasOwnPort;
    private volatile Source source;

    private record Source(PrometheusMeterRegistry registry, Supplier<Future<Void>> refresh) {}

    /** @param settings may change from one request to the next */
    public MetricsExposition(Vertx vertx, Supplier<MonitoringSettings> settings) {
        this.vertx = vertx;
        this.settings = settings;
        this.isCounting = settings.get().isCounting();
        this.hasOwnPort = settings.get().port() != 0;
    }

    /**
     * Sets the source of the metrics.
     *
     * @param refresh updates values that are not counted as events happen
     */
    public void of(PrometheusMeterRegistry registry, Supplier<Future<Void>> refresh) {
        source = new Source(registry, refresh);
    }

    /** Returns true if the port of the API serves them, too: only with a token, and without a separate port. */
    boolean isOnApiPort() {
        return isCounting && !hasOwnPort && settings.get().token().isPresent();
    }

    /**
     * Answers a request.
     *
     * @param authorization header of that name, or null
     * @param accept header of that name, or null
     */
    Future<ApiReply> answer(String authorization, String accept) {
        if (!isCounting) {
            return Future.succeededFuture(
                    ErrorRenderer.render(ApiException.of(ErrorCode.ROUTE_NOT_FOUND, "Route not found")));
        }
        if (!isAuthorized(authorization)) {
            return Future.succeededFuture(ErrorRenderer.render(
                    ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "expected the token of AP_METRICS_TOKEN")));
        }
        var current = source;
        if (current == null) {
            return Future.succeededFuture(
                    ErrorRenderer.render(ApiException.of(ErrorCode.UNAVAILABLE, "the server is starting")));
        }
        var contentType = accept != null && accept.contains(OPEN_METRICS) ? OPEN_METRICS_TEXT : TEXT;
        return Future.<Void>future(promise -> current.refresh().get().onComplete(promise))
                .timeout(REFRESH_DEADLINE_MS, TimeUnit.MILLISECONDS)
                .transform(_ -> vertx.executeBlocking(() -> current.registry().scrape(contentType), false))
                .map(text -> ApiReply.of(OK, contentType, text));
    }

    private boolean isAuthorized(String authorization) {
        var token = settings.get().token();
        return token.isEmpty()
                || authorization != null && MessageDigest.isEqual(bytes(BEARER + token.get()), bytes(authorization));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

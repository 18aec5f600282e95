package io.millrace.base.http.server;

import io.millrace.base.config.Config;
import io.millrace.base.http.SecretSegments;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs one line per request, and counts it. Lines of level info are sampled by AP_LOG_SAMPLE_RATE_INFO; a request slower than
 * AP_LOG_KEEP_SLOW_MS and every server error are always logged (seed, Limits). Neither queries nor bodies are logged: they
 * carry secrets. Secret segments of paths are masked.
 */
final class RequestLog {
    private static final Logger LOG = LoggerFactory.getLogger("io.millrace.base.access");

    /** Status that other servers log for it; RFC 9110 has no such status. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private final Supplier<Config.Logging> settings;
    private final RequestMeters meters;
    private final SecretSegments secrets;

    /** @param settings may change from one request to the next */
    RequestLog(Supplier<Config.Logging> settings, RequestMeters meters, SecretSegments secrets) {
        this.settings = settings;
        this.meters = meters;
        this.secrets = secrets;
    }

    void attach(RoutingContext context, String requestId) {
        var started = System.nanoTime();
        context.addEndHandler(_ -> log(context, requestId, System.nanoTime() - started));
    }

    private void log(RoutingContext context, String requestId, long nanos) {
        var status = statusOf(context.response());
        meters.count(context.currentRoute(), status);
        var request = context.request();
        if (status >= 500) {
            write(LOG.atWarn(), requestId, request, status, nanos / 1000);
        } else if (nanos > settings.get().keepSlowMs() * 1_000_000L || isSampled()) {
            write(LOG.atInfo(), requestId, request, status, nanos / 1000);
        }
    }

    private void write(LoggingEventBuilder line, String requestId, HttpServerRequest request, int status, long us) {
        var path = secrets.masked(request.path());
        if (settings.get().isJson()) {
            line.addKeyValue("requestId", requestId)
                    .addKeyValue("method", request.method())
                    .addKeyValue("path", path)
                    .addKeyValue("status", status)
                    .addKeyValue("durationUs", us)
                    .log("request");
        } else {
            line.log("{} {} {} {} {}us", requestId, request.method(), path, status, us);
        }
    }

    /** A caller that disconnected before the answer received no status. */
    private static int statusOf(HttpServerResponse response) {
        return response.headWritten() ? response.getStatusCode() : CLIENT_CLOSED_REQUEST;
    }

    private boolean isSampled() {
        var sampleRatePercent = settings.get().sampleRatePercent();
        return sampleRatePercent >= 100 || ThreadLocalRandom.current().nextInt(100) < sampleRatePercent;
    }
}

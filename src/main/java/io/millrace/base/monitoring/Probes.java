package io.millrace.base.monitoring;

import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.server.HttpVerticle;
import io.vertx.core.Future;
import java.util.Locale;

/** Answers of the probes, the same on every port. */
final class Probes {
    static final String LIVE = HttpVerticle.PROBES + "live";
    static final String READY = HttpVerticle.PROBES + "ready";

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private Probes() {}

    /** The response itself shows that an event loop is alive. */
    static ApiReply live() {
        return ApiReply.ok(Json.object().put("status", "live"));
    }

    static Future<ApiReply> ready(Readiness readiness) {
        return readiness.report().map(report -> {
            var body = Json.object().put("status", word(report));
            var checks = body.putObject("checks");
            report.checks().forEach((name, holds) -> checks.put(name, holds ? "up" : "down"));
            return ApiReply.json(report.isReady() ? OK : UNAVAILABLE, body);
        });
    }

    private static String word(Readiness.Report report) {
        return switch (report.phase()) {
            case STARTING, MIGRATING, STOPPING -> report.phase().name().toLowerCase(Locale.ROOT);
            case RUNNING -> report.isReady() ? "ready" : "unready";
        };
    }
}

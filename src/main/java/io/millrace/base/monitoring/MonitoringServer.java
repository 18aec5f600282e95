package io.millrace.base.monitoring;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ErrorRenderer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A separate port for monitoring (AP_METRICS_PORT). It answers before there is a database, and until the very end of a stop,
 * when the port of the API does not; and a load balancer need not expose it.
 */
public final class MonitoringServer {
    private static final int CONNECTION_IDLE_SECONDS = 120;
    private static final int HEADER_BYTES_MAX = 8 * 1024;

    private final HttpServer server;

    /** @param server null where there is no such port */
    private MonitoringServer(HttpServer server) {
        this.server = server;
    }

    public static Future<MonitoringServer> open(
            Vertx vertx, Config config, Readiness readiness, MetricsExposition metrics) {
        var port = config.observation().monitoring().port();
        if (port == 0) {
            return Future.succeededFuture(new MonitoringServer(null));
        }
        var options = new HttpServerOptions()
                .setHost(config.network().http().host())
                .setPort(port)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(CONNECTION_IDLE_SECONDS);
        var open = new AtomicInteger();
        return vertx.createHttpServer(options)
                .connectionHandler(connection -> admit(
                        connection, open, config.observation().monitoring().connectionsMax()))
                .requestHandler(request -> answer(request, readiness, metrics)
                        .otherwise(failure -> ErrorRenderer.render(ErrorRenderer.refusalOf(failure, "of monitoring")))
                        .onSuccess(reply -> send(request, reply)))
                .listen()
                .map(MonitoringServer::new)
                .recover(failure -> Future.failedFuture(new BadSetting("AP_METRICS_PORT: cannot listen on port " + port
                        + " of " + config.network().http().host() + ": " + failure.getMessage())));
    }

    private static void admit(HttpConnection connection, AtomicInteger open, int max) {
        connection.closeHandler(_ -> open.decrementAndGet());
        if (open.incrementAndGet() > max) {
            var _ = connection.close();
        }
    }

    public Future<Void> close() {
        return server == null ? Future.succeededFuture() : server.close();
    }

    private static Future<ApiReply> answer(HttpServerRequest request, Readiness readiness, MetricsExposition metrics) {
        var asks = HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
        return switch (asks ? request.path() : "") {
            case Probes.LIVE -> Future.succeededFuture(Probes.live());
            case Probes.READY -> Probes.ready(readiness);
            case MetricsExposition.PATH ->
                metrics.answer(request.getHeader("Authorization"), request.getHeader("Accept"));
            case null, default ->
                Future.succeededFuture(
                        ErrorRenderer.render(ApiException.of(ErrorCode.ROUTE_NOT_FOUND, "Route not found")));
        };
    }

    private static void send(HttpServerRequest request, ApiReply reply) {
        var response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status());
        if (reply.body() == null) {
            response.end();
        } else {
            response.putHeader("Content-Type", reply.contentType()).end(reply.body());
        }
    }
}

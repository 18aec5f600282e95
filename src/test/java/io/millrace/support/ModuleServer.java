package io.millrace.support;

import static io.millrace.support.Waiting.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.core.Json;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.server.HttpVerticle;
import io.millrace.base.http.server.SharedLimits;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.support.ExchangeCheck.Exchange;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Some modules behind the real HTTP server, on a free port of this host. All access is over HTTP, and every exchange is
 * checked against the API document.
 */
public final class ModuleServer implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final HttpVerticle http;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(DEADLINE).build();

    private ModuleServer(HttpVerticle http) {
        this.http = http;
    }

    /** Starts the verticles and mounts the routes. Ends with its Vertx. */
    public static ModuleServer start(Vertx vertx, Bus bus, List<BusService> services, List<RouteGroup> modules) {
        var config = Config.load(Map.of("AP_HOST", "127.0.0.1", "AP_PORT", "0"), Path.of("no-such-file"));
        var http = new HttpVerticle(
                config,
                bus,
                modules,
                SharedLimits.of(new LiveConfig(config), new MeterSet(), InstantSource.system()),
                Future::succeededFuture);
        await(vertx.deployVerticle(new PersistenceVerticle(bus, services)).compose(_ -> vertx.deployVerticle(http)));
        return new ModuleServer(http);
    }

    /** Base URL of the server. */
    public String url() {
        return "http://127.0.0.1:" + http.port();
    }

    /** Gets a path below {@code /api}, or a whole URL. */
    public HttpResponse<byte[]> get(String pathOrUrl, String... headers) {
        return send(request(pathOrUrl, headers).GET());
    }

    /** Sends JSON to a path below {@code /api}; single quotes are replaced by double ones. */
    public HttpResponse<byte[]> post(String path, String json, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json.replace('\'', '"'))));
    }

    /** Puts bytes to a path below {@code /api}, or to a whole URL. */
    public HttpResponse<byte[]> put(String pathOrUrl, byte[] bytes, String... headers) {
        return send(request(pathOrUrl, headers).PUT(BodyPublishers.ofByteArray(bytes)));
    }

    /** Deletes a path below {@code /api}. */
    public HttpResponse<byte[]> delete(String path, String... headers) {
        return send(request(path, headers).DELETE());
    }

    /** Body of a response. */
    public static JsonNode json(HttpResponse<byte[]> response) {
        return Json.trusted(response.body());
    }

    private HttpRequest.Builder request(String pathOrUrl, String... headers) {
        var target = pathOrUrl.startsWith("http") ? pathOrUrl : url() + "/api" + pathOrUrl;
        var request = HttpRequest.newBuilder(URI.create(target)).timeout(MachineSpeed.deadline(DEADLINE));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            var response = client.send(request.build(), BodyHandlers.ofByteArray());
            ExchangeCheck.check(Exchange.of(response, "", new String(response.body(), StandardCharsets.UTF_8)));
            return response;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}

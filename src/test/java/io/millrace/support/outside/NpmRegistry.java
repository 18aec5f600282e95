package io.millrace.support.outside;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** npm registry on 127.0.0.1 that records its requests. */
public final class NpmRegistry implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Map<String, PiecePackage> packages = new ConcurrentHashMap<>();

    /** Archives by name and version, compressed in advance: a large one would block an event loop for seconds. */
    private final Map<String, byte[]> archives = new ConcurrentHashMap<>();

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, Handler<HttpServerRequest>> instead = new ConcurrentHashMap<>();
    private final HttpServer server;

    private NpmRegistry() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    }

    public static NpmRegistry start() {
        return new NpmRegistry();
    }

    public void publish(PiecePackage piece) {
        var key = piece.name() + "@" + piece.version();
        archives.put(key, piece.tgz());
        packages.put(key, piece);
    }

    /** Replaces the responses for a path, for example {@code tarball/a@1.0.0}. */
    public void answer(String path, Handler<HttpServerRequest> handler) {
        instead.put(path, handler);
    }

    /** Served document of a package, which a test may change. */
    public ObjectNode document(String name) {
        var document = Json.object().put("name", name);
        var versions = document.putObject("versions");
        var tags = document.putObject("dist-tags");
        packages.values().stream().filter(piece -> piece.name().equals(name)).forEach(piece -> {
            tags.put("latest", piece.version());
            var version = versions.putObject(piece.version())
                    .put("name", piece.name())
                    .put("version", piece.version());
            for (var kind : List.of("dependencies", "optionalDependencies")) {
                version.set(kind, piece.manifest().path(kind).deepCopy());
            }
            version.putObject("dist")
                    .put("tarball", url() + "/tarball/" + piece.name() + "@" + piece.version())
                    .put("integrity", integrity(archives.get(piece.name() + "@" + piece.version())));
        });
        return document;
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** Paths of all requests so far. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    private void answer(HttpServerRequest request) {
        var path = URLDecoder.decode(request.path().substring(1), StandardCharsets.UTF_8);
        asked.add(path);
        var other = instead.get(path);
        if (other != null) {
            other.handle(request);
            return;
        }
        var tarball = path.startsWith("tarball/") ? archives.get(path.substring("tarball/".length())) : null;
        if (tarball != null) {
            request.response().end(Buffer.buffer(tarball));
            return;
        }
        var document = document(path);
        request.response()
                .setStatusCode(document.path("versions").isEmpty() ? 404 : 200)
                .putHeader("Content-Type", "application/json")
                .end(Buffer.buffer(Json.bytes(document)));
    }

    public static String integrity(byte[] archive) {
        try {
            var hash = MessageDigest.getInstance("SHA-512").digest(archive);
            return "sha512-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}

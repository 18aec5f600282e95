package io.millrace.support.outside;

import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
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

/** A registry of packages on 127.0.0.1 that remembers what it was asked for. */
public final class NpmRegistry implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Map<String, PiecePackage> packages = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    private NpmRegistry() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    }

    public static NpmRegistry start() {
        return new NpmRegistry();
    }

    public void publish(PiecePackage piece) {
        packages.put(piece.name() + "@" + piece.version(), piece);
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
        var tarball = path.startsWith("tarball/") ? packages.get(path.substring("tarball/".length())) : null;
        if (tarball != null) {
            request.response().end(Buffer.buffer(tarball.tgz()));
            return;
        }
        var document = Json.object().put("name", path);
        var versions = document.putObject("versions");
        document.putObject("dist-tags");
        packages.values().stream().filter(piece -> piece.name().equals(path)).forEach(piece -> {
            var version = versions.putObject(piece.version())
                    .put("name", piece.name())
                    .put("version", piece.version());
            for (var kind : List.of("dependencies", "optionalDependencies")) {
                version.set(kind, piece.manifest().path(kind).deepCopy());
            }
            version.putObject("dist")
                    .put("tarball", url() + "/tarball/" + piece.name() + "@" + piece.version())
                    .put("integrity", integrity(piece.tgz()));
        });
        request.response()
                .setStatusCode(versions.isEmpty() ? 404 : 200)
                .putHeader("Content-Type", "application/json")
                .end(Buffer.buffer(Json.bytes(document)));
    }

    private static String integrity(byte[] archive) {
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

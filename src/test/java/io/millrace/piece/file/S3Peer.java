package io.millrace.piece.file;

import io.millrace.base.net.CloudKey;
import io.millrace.support.Waiting;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A storage on 127.0.0.1 that keeps objects in memory, and takes nothing whose signature it cannot work out itself. */
final class S3Peer implements AutoCloseable {
    static final String SECRET = "a secret of the bucket";
    static final BucketKeys KEYS = BucketKeys.of(CloudKey.lasting("AKID", SECRET));

    private static final String TOKEN = "x-amz-security-token";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    final Map<String, Buffer> objects = new ConcurrentHashMap<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile int failsWith;

    /** What answers in the place of the bucket; null for the bucket. */
    volatile Handler<HttpServerRequest> instead;

    /** What must come with the key, signed; null for a key that stays good. */
    volatile String sessionToken;

    S3Peer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    private void receive(HttpServerRequest request) {
        var other = instead;
        if (other != null) {
            calls.add(request.method() + " " + request.path());
            other.handle(request);
            return;
        }
        request.body().onSuccess(body -> {
            calls.add(request.method() + " " + request.path());
            var response = request.response();
            if (failsWith != 0) {
                response.setStatusCode(failsWith).end("<Error><Code>SlowDown</Code></Error>");
            } else if (!isSigned(request, body)) {
                response.setStatusCode(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
            } else {
                answer(request, body);
            }
        });
    }

    private void answer(HttpServerRequest request, Buffer body) {
        var response = request.response();
        switch (request.method().name()) {
            case "PUT" -> {
                objects.put(request.path(), body);
                response.end();
            }
            case "DELETE" ->
                response.setStatusCode(objects.remove(request.path()) == null ? 404 : 204)
                        .end();
            default -> {
                var object = objects.get(request.path());
                if (object == null) {
                    response.setStatusCode(404).end("<Error><Code>NoSuchKey</Code></Error>");
                } else {
                    response.end(object);
                }
            }
        }
    }

    private boolean isSigned(HttpServerRequest request, Buffer body) {
        var authorization = request.getHeader("Authorization");
        if (authorization == null) {
            return isSignedInAddress(request);
        }
        var names = part(authorization, "SignedHeaders=", ",").split(";");
        if (Arrays.asList(names).contains(TOKEN) != (sessionToken != null)
                || !Objects.equals(request.getHeader(TOKEN), sessionToken)) {
            return false;
        }
        var headers = Arrays.stream(names)
                .map(name -> name + ":" + request.getHeader(name) + "\n")
                .collect(Collectors.joining());
        var hash = request.getHeader("x-amz-content-sha256");
        var canonical =
                String.join("\n", request.method().name(), request.path(), "", headers, String.join(";", names), hash);
        var scope = part(authorization, "Credential=", ",").split("/", 2)[1];
        return hash.equals(hex(sha256(body.getBytes())))
                && authorization.endsWith("Signature=" + signature(canonical, request.getHeader("x-amz-date"), scope));
    }

    private boolean isSignedInAddress(HttpServerRequest request) {
        var query = String.valueOf(request.query());
        var at = query.indexOf("&X-Amz-Signature=");
        if (at < 0 || !Objects.equals(request.getParam("X-Amz-Security-Token"), sessionToken)) {
            return false;
        }
        var names = request.getParam("X-Amz-SignedHeaders");
        var headers = Arrays.stream(names.split(";"))
                .map(name -> name + ":" + request.getHeader(name) + "\n")
                .collect(Collectors.joining());
        var canonical = String.join(
                "\n",
                request.method().name(),
                request.path(),
                query.substring(0, at),
                headers,
                names,
                "UNSIGNED-PAYLOAD");
        var scope = request.getParam("X-Amz-Credential").split("/", 2)[1];
        return query.endsWith("=" + signature(canonical, request.getParam("X-Amz-Date"), scope));
    }

    private static String part(String text, String from, String to) {
        var start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }

    private static String signature(String canonical, String time, String scope) {
        var key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
        for (var part : scope.split("/")) {
            key = mac(key, part);
        }
        var text = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n"
                + hex(sha256(canonical.getBytes(StandardCharsets.UTF_8)));
        return hex(mac(key, text));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}

package io.millrace.piece.file;

import io.millrace.base.net.CloudKey;
import io.millrace.support.Waiting;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Object storage on 127.0.0.1 that keeps objects in memory and recomputes the signature of every request. */
final class S3Peer implements AutoCloseable {
    static final String SECRET = "a secret of the bucket";
    static final BucketKeys KEYS = BucketKeys.of(CloudKey.lasting("AKID", SECRET));

    private static final String TOKEN = "x-amz-security-token";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    final Map<String, Buffer> objects = new ConcurrentHashMap<>();
    final Map<String, SortedMap<Integer, Buffer>> uploads = new ConcurrentHashMap<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile int failsWith;

    /** Keys of objects that cannot be deleted because of an object lock or a policy. */
    final Set<String> locked = ConcurrentHashMap.newKeySet();

    /** Number of the upload part that is rejected; 0 for none. */
    volatile int failsAtPart;

    /** Handler that replaces the bucket; null to use the bucket. */
    volatile Handler<HttpServerRequest> instead;

    /** Session token that a request must carry and sign; null for a permanent key. */
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
            if (request.method().name().equals("DELETE") && locked.contains(request.path())) {
                response.setStatusCode(403).end("<Error><Code>AccessDenied</Code></Error>");
            } else if (failsWith != 0) {
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
        if (request.query() != null && request.getParam("X-Amz-Signature") == null) {
            answerInParts(request, body);
            return;
        }
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
                } else if (request.getHeader("range") != null) {
                    answerInRange(request, object);
                } else {
                    response.end(object);
                }
            }
        }
    }

    private static void answerInRange(HttpServerRequest request, Buffer object) {
        var range = request.getHeader("range").replace("bytes=", "").split("-", 2);
        var from = Integer.parseInt(range[0]);
        var to = Math.min(Integer.parseInt(range[1]) + 1, object.length());
        request.response()
                .setStatusCode(206)
                .putHeader("content-range", "bytes " + from + "-" + (to - 1) + "/" + object.length())
                .end(object.slice(from, to));
    }

    /** Multipart uploads, and lists. */
    private void answerInParts(HttpServerRequest request, Buffer body) {
        var response = request.response();
        var uploadId = request.getParam("uploadId");
        if (request.getParam("uploads") != null) {
            var fresh = "upload/" + (uploads.size() + 1);
            uploads.put(fresh, new ConcurrentSkipListMap<>());
            response.end("<InitiateMultipartUploadResult><UploadId>" + fresh
                    + "</UploadId></InitiateMultipartUploadResult>");
        } else if (request.getParam("list-type") != null) {
            var bucket = request.path() + "/";
            var start = bucket + request.getParam("prefix");
            response.end(objects.keySet().stream()
                    .filter(path -> path.startsWith(start))
                    .sorted()
                    .map(path -> "<Key>" + path.substring(bucket.length()) + "</Key>")
                    .collect(Collectors.joining("", "<ListBucketResult>", "</ListBucketResult>")));
        } else if (!uploads.containsKey(uploadId)) {
            response.setStatusCode(404).end("<Error><Code>NoSuchUpload</Code></Error>");
        } else if (request.method().equals(HttpMethod.DELETE)) {
            uploads.remove(uploadId);
            response.setStatusCode(204).end();
        } else if (request.getParam("partNumber") != null) {
            var number = Integer.parseInt(request.getParam("partNumber"));
            if (number == failsAtPart) {
                response.setStatusCode(500).end("<Error><Code>InternalError</Code></Error>");
                return;
            }
            uploads.get(uploadId).put(number, body);
            response.putHeader("ETag", "\"part " + number + "\"").end();
        } else {
            complete(request, uploadId, body.toString());
        }
    }

    private void complete(HttpServerRequest request, String uploadId, String parts) {
        var whole = Buffer.buffer();
        uploads.remove(uploadId).forEach((number, part) -> {
            if (!parts.contains(
                    "<PartNumber>" + number + "</PartNumber><ETag>&quot;part " + number + "&quot;</ETag>")) {
                throw new AssertionError("part " + number + " is missing in " + parts);
            }
            whole.appendBuffer(part);
        });
        objects.put(request.path(), whole);
        request.response().end("<CompleteMultipartUploadResult/>");
    }

    private static String sorted(String query) {
        return query == null ? "" : Arrays.stream(query.split("&")).sorted().collect(Collectors.joining("&"));
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
        var canonical = String.join(
                "\n",
                request.method().name(),
                request.path(),
                sorted(request.query()),
                headers,
                String.join(";", names),
                hash);
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

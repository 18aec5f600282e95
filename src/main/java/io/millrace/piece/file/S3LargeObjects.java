package io.millrace.piece.file;

import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Files in a bucket, sent as multipart uploads. The object exists after the final request. A failed upload is aborted;
 * that of a killed process expires by a lifecycle rule of the bucket.
 */
public final class S3LargeObjects implements LargeObjects {
    /** Any part but the last must have 5 MB, and there may be 10,000. */
    private static final int PART_BYTES = 16 << 20;

    private static final Pattern UPLOAD_ID = Pattern.compile("<UploadId>([\\x21-\\x7e&&[^<]]{1,2000})</UploadId>");

    /** Range of a part: its first byte, and the length of the whole object. */
    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-\\d{1,18}/(\\d{1,18})");

    private static final Pattern KEY = Pattern.compile("<Key>([^<]+)</Key>");

    private static final Pattern CLIMBING = Pattern.compile("(^|/)\\.{0,2}/|(^|/)\\.\\.?$|&");

    private final Vertx vertx;
    private final OutboundHttp http;
    private final S3Requests requests;

    public S3LargeObjects(Vertx vertx, OutboundHttp http, S3Settings settings, BucketKeys keys, InstantSource clock) {
        this.vertx = vertx;
        this.http = http;
        this.requests = new S3Requests(settings, keys, clock);
    }

    @Override
    public Future<Void> put(String key, Path file, String contentType) {
        return sent("POST", key, "uploads=", Map.of("content-type", contentType), Buffer.buffer())
                .compose(answer -> found(UPLOAD_ID, answer.body().toString()).stream()
                        .findFirst()
                        .map(Future::succeededFuture)
                        .orElseGet(() -> S3Requests.unavailable("POST", "no id of an upload")))
                .compose(uploadId -> parts(key, uploadId, file)
                        .compose(tags -> completed(key, uploadId, tags))
                        .recover(failure -> givenUp(key, uploadId).transform(_ -> Future.failedFuture(failure))));
    }

    /** Sequential, so that only one part is in memory. */
    private Future<List<String>> parts(String key, String uploadId, Path file) {
        return vertx.executeBlocking(() -> Files.size(file), false).compose(size -> {
            var tags = new ArrayList<String>();
            var done = Future.<Void>succeededFuture();
            for (var at = 0L; at == 0 || at < size; at += PART_BYTES) {
                var from = at;
                done = done.compose(_ -> vertx.executeBlocking(() -> part(file, from), false))
                        .compose(part -> tagOf(key, uploadId, tags.size() + 1, part))
                        .onSuccess(tags::add)
                        .mapEmpty();
            }
            return done.map(tags);
        });
    }

    private static Buffer part(Path file, long from) throws IOException {
        try (var input = new RandomAccessFile(file.toFile(), "r")) {
            var bytes = new byte[(int) Math.min(PART_BYTES, input.length() - from)];
            input.seek(from);
            input.readFully(bytes);
            return Buffer.buffer(bytes);
        }
    }

    private Future<String> tagOf(String key, String uploadId, int number, Buffer part) {
        var query = "partNumber=" + number + "&uploadId=" + CloudSigner.encoded(uploadId);
        return sent("PUT", key, query, Map.of(), part)
                .compose(answer -> Optional.ofNullable(answer.headers().get("etag"))
                        .map(Future::succeededFuture)
                        .orElseGet(() -> S3Requests.unavailable("PUT", "no tag of a part")));
    }

    /** The storage may answer 200 with an error in the body. */
    private Future<Void> completed(String key, String uploadId, List<String> tags) {
        var body = new StringBuilder("<CompleteMultipartUpload>");
        for (var place = 0; place < tags.size(); place++) {
            body.append("<Part><PartNumber>")
                    .append(place + 1)
                    .append("</PartNumber><ETag>")
                    .append(tags.get(place)
                            .replace("&", "&amp;")
                            .replace("<", "&lt;")
                            .replace(">", "&gt;")
                            .replace("\"", "&quot;"))
                    .append("</ETag></Part>");
        }
        body.append("</CompleteMultipartUpload>");
        return sent("POST", key, "uploadId=" + CloudSigner.encoded(uploadId), Map.of(), Buffer.buffer(body.toString()))
                .compose(answer -> answer.body().toString().contains("<Error>")
                        ? S3Requests.unavailable("POST", S3Requests.reason(answer.status(), answer.body()))
                        : Future.succeededFuture());
    }

    private Future<Void> givenUp(String key, String uploadId) {
        return sent("DELETE", key, "uploadId=" + CloudSigner.encoded(uploadId), Map.of(), Buffer.buffer())
                .mapEmpty();
    }

    /** Ranged downloads, so that only one part is in memory. */
    @Override
    public Future<Void> get(String key, Path file) {
        return vertx.executeBlocking(() -> Files.write(file, new byte[0]), false)
                .compose(_ -> rest(key, file, 0, OptionalLong.empty()));
    }

    /** @param size of the object, once the storage has said it: it stays unchanged, and the disk has room for it */
    private Future<Void> rest(String key, Path file, long from, OptionalLong size) {
        var range = Map.of("range", "bytes=" + from + "-" + (from + PART_BYTES - 1));
        return sent("GET", key, "", range, Buffer.buffer())
                .compose(answer -> vertx.executeBlocking(() -> kept(answer, file, from, size), false))
                .compose(whole -> whole.isEmpty()
                        ? S3Requests.unavailable(
                                "GET", "expected the part from byte " + from + " of one object, found another")
                        : from + PART_BYTES < whole.getAsLong()
                                ? rest(key, file, from + PART_BYTES, whole)
                                : Future.succeededFuture());
    }

    /**
     * The size of the whole object, whose part is in the file now, 0 when there is no other; empty when the answer is
     * no such part.
     */
    private static OptionalLong kept(OutboundResponse answer, Path file, long from, OptionalLong size)
            throws IOException {
        var body = answer.body().getBytes();
        var said = answer.headers().get("content-range");
        if (said == null && from == 0) {
            // A storage without ranges, or an empty object, answers with the whole object.
            Files.write(file, body);
            return OptionalLong.of(0);
        }
        var range = RANGE.matcher(String.valueOf(said));
        if (!range.matches()) {
            return OptionalLong.empty();
        }
        var whole = Long.parseLong(range.group(2));
        var isPart = Long.parseLong(range.group(1)) == from
                && body.length == Math.min(PART_BYTES, whole - from)
                && (size.isEmpty() || size.getAsLong() == whole)
                && whole - from <= file.toFile().getUsableSpace();
        if (!isPart) {
            return OptionalLong.empty();
        }
        Files.write(file, body, StandardOpenOption.APPEND);
        return OptionalLong.of(whole);
    }

    /** Keys below the prefix; others, and those with parent references, are omitted. */
    @Override
    public Future<List<String>> keys(String prefix) {
        return sent("GET", "", "list-type=2&prefix=" + CloudSigner.encoded(prefix), Map.of(), Buffer.buffer())
                .map(answer -> found(KEY, answer.body().toString()).stream()
                        .filter(key ->
                                key.startsWith(prefix) && !CLIMBING.matcher(key).find())
                        .toList());
    }

    @Override
    public Future<Void> delete(String key) {
        return sent("DELETE", key, "", Map.of(), Buffer.buffer()).mapEmpty();
    }

    private Future<OutboundResponse> sent(
            String method, String key, String query, Map<String, String> headers, Buffer body) {
        return requests.signed(method, key, query, headers, body)
                .compose(request -> http.send(body.length() == 0 ? request : request.withBody(body)))
                .recover(failure -> S3Requests.unavailable(method, failure.getMessage()))
                .compose(answer -> isFine(method, answer.status())
                        ? Future.succeededFuture(answer)
                        : S3Requests.unavailable(method, S3Requests.reason(answer.status(), answer.body())));
    }

    private static boolean isFine(String method, int status) {
        return status / 100 == 2 || method.equals("DELETE") && status == 404;
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).toList();
    }
}

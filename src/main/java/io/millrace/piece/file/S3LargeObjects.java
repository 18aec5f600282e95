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
import java.util.regex.Pattern;

/**
 * Files in a bucket, sent in parts: the object is there when the last request says that these are all. Parts of one that failed
 * are given up; those of a process that was killed go by a rule of the bucket.
 */
public final class S3LargeObjects implements LargeObjects {
    /** Any part but the last must have 5 MB, and there may be 10,000. */
    private static final int PART_BYTES = 16 << 20;

    private static final Pattern UPLOAD_ID = Pattern.compile("<UploadId>([^<]+)</UploadId>");

    /** Of the whole object, in the range of a part. */
    private static final Pattern LENGTH = Pattern.compile("/(\\d+)$");

    private static final Pattern KEY = Pattern.compile("<Key>([^<]+)</Key>");

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

    /** One after the other, so that only one is in memory. */
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

    /** The storage may answer 200 and say in the body that it failed. */
    private Future<Void> completed(String key, String uploadId, List<String> tags) {
        var body = new StringBuilder("<CompleteMultipartUpload>");
        for (var place = 0; place < tags.size(); place++) {
            body.append("<Part><PartNumber>")
                    .append(place + 1)
                    .append("</PartNumber><ETag>")
                    .append(tags.get(place).replace("\"", "&quot;"))
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

    /** In parts too, so that only one is in memory. */
    @Override
    public Future<Void> get(String key, Path file) {
        return vertx.executeBlocking(() -> Files.write(file, new byte[0]), false)
                .compose(_ -> rest(key, file, 0));
    }

    private Future<Void> rest(String key, Path file, long from) {
        var range = Map.of("range", "bytes=" + from + "-" + (from + PART_BYTES - 1));
        return sent("GET", key, "", range, Buffer.buffer()).compose(answer -> {
            var to = from + answer.body().length();
            var size = LENGTH.matcher(String.valueOf(answer.headers().get("content-range")));
            return vertx.executeBlocking(
                            () -> Files.write(file, answer.body().getBytes(), StandardOpenOption.APPEND), false)
                    .compose(_ -> size.find() && to > from && to < Long.parseLong(size.group(1))
                            ? rest(key, file, to)
                            : Future.succeededFuture());
        });
    }

    @Override
    public Future<List<String>> keys(String prefix) {
        return sent("GET", "", "list-type=2&prefix=" + CloudSigner.encoded(prefix), Map.of(), Buffer.buffer())
                .map(answer -> found(KEY, answer.body().toString()));
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

package io.millrace.piece.file;

import io.millrace.base.core.ApiException;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundStream;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Objects in a bucket of an S3-compatible storage, through the guarded client. */
public final class S3Storage implements ObjectStorage {
    private static final Duration SIGNED_FOR = Duration.ofMinutes(10);

    private final OutboundHttp http;
    private final S3Settings settings;
    private final S3Requests requests;
    private final InstantSource clock;

    public S3Storage(OutboundHttp http, S3Settings settings, BucketKeys keys, InstantSource clock) {
        this.http = http;
        this.settings = settings;
        this.requests = new S3Requests(settings, keys, clock);
        this.clock = clock;
    }

    @Override
    public Future<Void> put(String key, Buffer data, String contentType) {
        return signed("PUT", key, Map.of("content-type", contentType), data)
                .compose(request -> http.send(request.withBody(data)))
                .recover(failure -> S3Requests.unavailable("PUT", failure.getMessage()))
                .compose(response -> response.status() / 100 == 2
                        ? Future.succeededFuture()
                        : S3Requests.unavailable("PUT", S3Requests.reason(response.status(), response.body())));
    }

    @Override
    public Future<Buffer> get(String key) {
        return signed("GET", key, Map.of(), Buffer.buffer())
                .compose(http::send)
                .recover(failure -> S3Requests.unavailable("GET", failure.getMessage()))
                .compose(response -> switch (response.status()) {
                    case 200 -> Future.succeededFuture(response.body());
                    case 404 -> Future.failedFuture(ApiException.notFound("file", key));
                    default -> S3Requests.unavailable("GET", S3Requests.reason(response.status(), response.body()));
                });
    }

    @Override
    public Future<OutboundStream> open(String key) {
        return signed("GET", key, Map.of(), Buffer.buffer())
                .compose(http::open)
                .recover(failure -> S3Requests.unavailable("GET", failure.getMessage()))
                .compose(stream -> {
                    if (stream.status() == 200) {
                        return Future.succeededFuture(stream);
                    }
                    stream.giveUp();
                    return stream.status() == 404
                            ? Future.failedFuture(ApiException.notFound("file", key))
                            : S3Requests.unavailable("GET", "status " + stream.status());
                });
    }

    @Override
    public Future<Void> delete(String key) {
        return signed("DELETE", key, Map.of(), Buffer.buffer())
                .compose(http::send)
                .recover(failure -> S3Requests.unavailable("DELETE", failure.getMessage()))
                .compose(response -> response.status() / 100 == 2 || response.status() == 404
                        ? Future.succeededFuture()
                        : S3Requests.unavailable("DELETE", S3Requests.reason(response.status(), response.body())));
    }

    /** The length is signed too, so that the storage rejects any other length. */
    @Override
    public Future<Optional<String>> uploadUrl(String key, long size) {
        return signedUrl("PUT", key, Map.of("content-length", Long.toString(size)), Map.of());
    }

    @Override
    public Future<Optional<String>> signedUrl(String key, StoredFile file) {
        var query = Map.of(
                "response-content-disposition", Disposition.of(file),
                "response-content-type", file.contentType());
        return signedUrl("GET", key, Map.of(), query);
    }

    private Future<Optional<String>> signedUrl(
            String method, String key, Map<String, String> headers, Map<String, String> query) {
        if (!settings.signedUrls()) {
            return Future.succeededFuture(Optional.empty());
        }
        var address = requests.address(key);
        return requests.signer()
                .map(signer -> Optional.of(
                        address + "?" + signer.query(method, address, headers, query, SIGNED_FOR, clock.instant())))
                .recover(failure -> S3Requests.unavailable(method, failure.getMessage()));
    }

    private Future<OutboundRequest> signed(String method, String key, Map<String, String> headers, Buffer body) {
        return requests.signed(method, key, "", headers, body);
    }
}

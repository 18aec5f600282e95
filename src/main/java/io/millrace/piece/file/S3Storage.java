package io.millrace.piece.file;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundStream;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Objects in a bucket of an S3-compatible storage, through the guarded client. */
public final class S3Storage implements ObjectStorage {
    private static final Logger LOG = LoggerFactory.getLogger(S3Storage.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SIGNED_FOR = Duration.ofMinutes(10);
    private static final int REASON_LENGTH_MAX = 300;
    private static final String SERVICE = "s3";

    private final OutboundHttp http;
    private final S3Settings settings;
    private final BucketKeys keys;
    private final InstantSource clock;

    public S3Storage(OutboundHttp http, S3Settings settings, BucketKeys keys, InstantSource clock) {
        this.http = http;
        this.settings = settings;
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public Future<Void> put(String key, Buffer data, String contentType) {
        return signed("PUT", key, Map.of("content-type", contentType), data.getBytes())
                .compose(request -> http.send(request.withBody(data)))
                .recover(failure -> unavailable("PUT", failure.getMessage()))
                .compose(response -> response.status() / 100 == 2
                        ? Future.succeededFuture()
                        : unavailable("PUT", reason(response.status(), response.body())));
    }

    @Override
    public Future<Buffer> get(String key) {
        return signed("GET", key, Map.of(), new byte[0])
                .compose(http::send)
                .recover(failure -> unavailable("GET", failure.getMessage()))
                .compose(response -> switch (response.status()) {
                    case 200 -> Future.succeededFuture(response.body());
                    case 404 -> Future.failedFuture(ApiException.notFound("file", key));
                    default -> unavailable("GET", reason(response.status(), response.body()));
                });
    }

    @Override
    public Future<OutboundStream> open(String key) {
        return signed("GET", key, Map.of(), new byte[0])
                .compose(http::open)
                .recover(failure -> unavailable("GET", failure.getMessage()))
                .compose(stream -> {
                    if (stream.status() == 200) {
                        return Future.succeededFuture(stream);
                    }
                    stream.giveUp();
                    return stream.status() == 404
                            ? Future.failedFuture(ApiException.notFound("file", key))
                            : unavailable("GET", "status " + stream.status());
                });
    }

    @Override
    public Future<Void> delete(String key) {
        return signed("DELETE", key, Map.of(), new byte[0])
                .compose(http::send)
                .recover(failure -> unavailable("DELETE", failure.getMessage()))
                .compose(response -> response.status() / 100 == 2 || response.status() == 404
                        ? Future.succeededFuture()
                        : unavailable("DELETE", reason(response.status(), response.body())));
    }

    /** The length is signed too: the storage takes no other one. */
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
        var address = address(key);
        return signer().map(signer -> Optional.of(
                        address + "?" + signer.query(method, address, headers, query, SIGNED_FOR, clock.instant())))
                .recover(failure -> unavailable(method, failure.getMessage()));
    }

    private Future<CloudSigner> signer() {
        return keys.current().map(key -> new CloudSigner(settings.region(), SERVICE, key));
    }

    private Future<OutboundRequest> signed(String method, String key, Map<String, String> headers, byte[] body) {
        var address = address(key);
        return signer().map(signer -> OutboundRequest.of(method, address)
                .withTimeoutMs(TIMEOUT.toMillis())
                .withHeaders(signer.headers(method, address, headers, body, clock.instant()))
                // What was compressed before it was kept must come back as it is.
                .withHeader("accept-encoding", "identity"));
    }

    private WebAddress address(String key) {
        var path = Arrays.stream((settings.bucket() + "/" + key).split("/"))
                .map(CloudSigner::encoded)
                .collect(Collectors.joining("/", "/", ""));
        return WebAddress.parse(settings.endpoint().origin() + path);
    }

    /** What the storage says is for whoever runs the server; it names keys and no secret. */
    private static <T> Future<T> unavailable(String method, String reason) {
        LOG.warn("the file storage failed at {}: {}", method, reason);
        return Future.failedFuture(
                ApiException.of(ErrorCode.STORAGE_UNAVAILABLE, "the file storage did not do its part"));
    }

    private static String reason(int status, Buffer body) {
        var beginning = body.slice(0, Math.min(body.length(), REASON_LENGTH_MAX));
        return "status " + status + " " + beginning.toString().replaceAll("\\p{Cntrl}", " ");
    }
}

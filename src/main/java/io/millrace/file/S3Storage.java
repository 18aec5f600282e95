package io.millrace.file;

import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.net.OutboundHttp;
import io.millrace.net.OutboundRequest;
import io.millrace.net.OutboundStream;
import io.millrace.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Objects in a bucket of an S3-compatible storage, through the guarded client. */
public final class S3Storage implements ObjectStorage {
    private static final Logger LOG = LoggerFactory.getLogger(S3Storage.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SIGNED_FOR = Duration.ofMinutes(10);
    private static final int REASON_LENGTH_MAX = 300;

    private final OutboundHttp http;
    private final S3Settings settings;
    private final S3Signer signer;
    private final InstantSource clock;

    public S3Storage(OutboundHttp http, S3Settings settings, InstantSource clock) {
        this.http = http;
        this.settings = settings;
        this.signer = new S3Signer(settings.region(), settings.accessKeyId(), settings.secretAccessKey());
        this.clock = clock;
    }

    @Override
    public Future<Void> put(String key, Buffer data, String contentType) {
        var request = signed("PUT", key, Map.of("content-type", contentType), data.getBytes())
                .withBody(data);
        return http.send(request)
                .recover(failure -> unavailable("PUT", failure.getMessage()))
                .compose(response -> response.status() / 100 == 2
                        ? Future.succeededFuture()
                        : unavailable("PUT", reason(response.status(), response.body())));
    }

    @Override
    public Future<Buffer> get(String key) {
        return http.send(signed("GET", key, Map.of(), new byte[0]))
                .recover(failure -> unavailable("GET", failure.getMessage()))
                .compose(response -> switch (response.status()) {
                    case 200 -> Future.succeededFuture(response.body());
                    case 404 -> Future.failedFuture(ApiException.notFound("file", key));
                    default -> unavailable("GET", reason(response.status(), response.body()));
                });
    }

    @Override
    public Future<OutboundStream> open(String key) {
        return http.open(signed("GET", key, Map.of(), new byte[0]))
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
        return http.send(signed("DELETE", key, Map.of(), new byte[0]))
                .recover(failure -> unavailable("DELETE", failure.getMessage()))
                .compose(response -> response.status() / 100 == 2 || response.status() == 404
                        ? Future.succeededFuture()
                        : unavailable("DELETE", reason(response.status(), response.body())));
    }

    /** The length is signed too: the storage takes no other one. */
    @Override
    public Optional<String> uploadUrl(String key, long size) {
        if (!settings.signedUrls()) {
            return Optional.empty();
        }
        var address = address(key);
        var headers = Map.of("content-length", Long.toString(size));
        return Optional.of(
                address + "?" + signer.query("PUT", address, headers, Map.of(), SIGNED_FOR, clock.instant()));
    }

    @Override
    public Optional<String> signedUrl(String key, StoredFile file) {
        if (!settings.signedUrls()) {
            return Optional.empty();
        }
        var query = new TreeMap<>(Map.of(
                "response-content-disposition", Disposition.of(file),
                "response-content-type", file.contentType()));
        var address = address(key);
        return Optional.of(address + "?" + signer.query("GET", address, Map.of(), query, SIGNED_FOR, clock.instant()));
    }

    private OutboundRequest signed(String method, String key, Map<String, String> headers, byte[] body) {
        var address = address(key);
        return OutboundRequest.of(method, address)
                .withTimeoutMs(TIMEOUT.toMillis())
                .withHeaders(
                        signer.headers(method, address.authority(), address.target(), headers, body, clock.instant()))
                // What was compressed before it was kept must come back as it is.
                .withHeader("accept-encoding", "identity");
    }

    private WebAddress address(String key) {
        var path = Arrays.stream((settings.bucket() + "/" + key).split("/"))
                .map(S3Signer::encoded)
                .collect(Collectors.joining("/", "/", ""));
        return WebAddress.parse(settings.endpoint().origin() + path);
    }

    /** What the storage says is for whoever runs the server; it names keys and no secret. */
    private static <T> Future<T> unavailable(String method, String reason) {
        LOG.warn("the file storage failed at {}: {}", method, reason);
        return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, "the file storage did not do its part"));
    }

    private static String reason(int status, Buffer body) {
        var text = body.toString().replaceAll("\\p{Cntrl}", " ");
        return "status " + status + " " + text.substring(0, Math.min(text.length(), REASON_LENGTH_MAX));
    }
}

package io.millrace.piece.file;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

record S3Requests(S3Settings settings, BucketKeys keys, InstantSource clock) {
    private static final Logger LOG = LoggerFactory.getLogger(S3Requests.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int REASON_LENGTH_MAX = 300;
    private static final String SERVICE = "s3";

    Future<CloudSigner> signer() {
        return keys.current().map(key -> new CloudSigner(settings.region(), SERVICE, key));
    }

    /** @param query encoded; empty for none */
    Future<OutboundRequest> signed(String method, String key, String query, Map<String, String> headers, Buffer body) {
        var address = query.isEmpty() ? address(key) : WebAddress.parse(address(key) + "?" + query);
        var bytes = body.getBytes();
        return signer().map(signer -> OutboundRequest.of(method, address)
                .withTimeoutMs(TIMEOUT.toMillis())
                .withHeaders(signer.headers(method, address, headers, bytes, clock.instant()))
                // Objects that were stored compressed must be returned unchanged.
                .withHeader("accept-encoding", "identity"));
    }

    /** @param key empty for the bucket itself */
    WebAddress address(String key) {
        var path = Arrays.stream((settings.bucket() + "/" + key).split("/"))
                .map(CloudSigner::encoded)
                .collect(Collectors.joining("/", "/", ""));
        return WebAddress.parse(settings.endpoint().origin() + path);
    }

    /** The storage's message is meant for the operator; it contains names of keys and no secret. */
    static <T> Future<T> unavailable(String method, String reason) {
        LOG.warn("the file storage failed during {}: {}", method, reason);
        return Future.failedFuture(ApiException.of(ErrorCode.STORAGE_UNAVAILABLE, "the file storage failed"));
    }

    static String reason(int status, Buffer body) {
        var beginning = body.slice(0, Math.min(body.length(), REASON_LENGTH_MAX));
        return "status " + status + " " + ShownText.of(beginning.toString(), REASON_LENGTH_MAX);
    }
}

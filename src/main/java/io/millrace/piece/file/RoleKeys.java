package io.millrace.piece.file;

import io.millrace.base.net.CloudKey;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bucket credentials from an IAM role (AP_S3_USE_IRSA, contract admin-api 37.6): exchanges the token file of the host's
 * orchestrator at the cloud's token service, AssumeRoleWithWebIdentity. Concurrent callers share one exchange;
 * credentials are renewed before they expire. Thread-safe.
 */
public final class RoleKeys implements BucketKeys {
    private static final Logger LOG = LoggerFactory.getLogger(RoleKeys.class);

    /** Equal to the timeout for roles of connections (contract seed, limits). */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Maximum session duration that every role permits. */
    private static final Duration WANTED = Duration.ofHours(1);

    /** Credentials must outlive the addresses signed with them. */
    private static final Duration LEFT_MIN = Duration.ofMinutes(11);

    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final int OK = 200;

    private static final int ANSWER_BYTES_MAX = 256 * 1024;

    private final Vertx vertx;
    private final OutboundHttp http;
    private final Role role;
    private final InstantSource clock;
    private volatile RoleLease held;
    private Future<RoleLease> underWay = Future.failedFuture("no credentials requested yet");

    /**
     * A role, and the token service that provides it.
     *
     * @param tokenFile identity token of this server; replaced periodically by the host
     * @param service token service of the cloud
     */
    public record Role(String arn, Path tokenFile, WebAddress service) {}

    public RoleKeys(Vertx vertx, OutboundHttp http, Role role, InstantSource clock) {
        this.vertx = vertx;
        this.http = http;
        this.role = role;
        this.clock = clock;
    }

    @Override
    public Future<CloudKey> current() {
        var now = clock.instant();
        var lease = held;
        if (lease == null || lease.ends().isBefore(now.plus(LEFT_MIN))) {
            return renewed()
                    .recover(cause -> lease != null && now.isBefore(lease.ends())
                            ? Future.succeededFuture(lease)
                            : Future.failedFuture(cause))
                    .map(RoleLease::key);
        }
        if (!now.isBefore(lease.renewFrom())) {
            exchange();
        }
        return Future.succeededFuture(lease.key());
    }

    /** Result of the shared exchange, delivered on the caller's thread. */
    private Future<RoleLease> renewed() {
        var told = ((VertxInternal) vertx).<RoleLease>promise();
        exchange().onComplete(told);
        return told.future();
    }

    private synchronized Future<RoleLease> exchange() {
        if (underWay.isComplete()) {
            underWay = vertx.executeBlocking(() -> Files.readString(role.tokenFile()), false)
                    .compose(this::assume)
                    .onSuccess(lease -> held = lease)
                    .onFailure(this::missed);
        }
        return underWay;
    }

    private Future<RoleLease> assume(String token) {
        var form = new TreeMap<>(Map.of(
                "Action",
                "AssumeRoleWithWebIdentity",
                "Version",
                "2011-06-15",
                "RoleArn",
                role.arn(),
                "RoleSessionName",
                "millrace",
                "DurationSeconds",
                Long.toString(WANTED.toSeconds()),
                "WebIdentityToken",
                token.strip()));
        var body = form.entrySet().stream()
                .map(field -> CloudSigner.encoded(field.getKey()) + "=" + CloudSigner.encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        var request = OutboundRequest.of("POST", role.service())
                .withTimeoutMs(TIMEOUT.toMillis())
                .withBodyBytesMax(ANSWER_BYTES_MAX)
                .withHeader("content-type", "application/x-www-form-urlencoded")
                .withBody(Buffer.buffer(body));
        var asked = clock.instant();
        return http.send(request).map(response -> lease(response, asked));
    }

    private static RoleLease lease(OutboundResponse response, Instant asked) {
        if (response.status() != OK) {
            throw new IllegalStateException("the token service refused the role: " + response.status() + " "
                    + RoleLease.refusal(response.body().getBytes()));
        }
        return RoleLease.read(response.body().getBytes(), asked);
    }

    /** Delays the next attempt while the previous credentials are still valid. */
    private void missed(Throwable cause) {
        LOG.warn("cannot assume the role of the bucket: {}", cause.getMessage());
        var lease = held;
        if (lease != null) {
            held = lease.renewedFrom(clock.instant().plus(PAUSE));
        }
    }
}

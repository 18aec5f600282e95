package io.millrace.base.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Carries texts by the event bus of a clustered Vert.x. Its connections are not authenticated, so each text is signed
 * (HMAC-SHA-256), and a text without a valid signature is dropped.
 */
public final class EventBusLink implements ClusterLink {
    private static final String ADDRESS = "millrace.cluster";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SIGNATURE_LENGTH = 64;

    private final Vertx vertx;
    private final SecretKeySpec key;
    private MessageConsumer<String> consumer;

    /** @param password of the cluster, the same at all nodes */
    public EventBusLink(Vertx vertx, String password) {
        this.vertx = vertx;
        this.key = new SecretKeySpec(("millrace cluster bus " + password).getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    @Override
    public Future<Void> open(Consumer<String> received) {
        consumer = vertx.eventBus()
                .consumer(ADDRESS, message -> verified(message.body()).ifPresent(received));
        return consumer.completion();
    }

    @Override
    public Future<Void> send(String text) {
        vertx.eventBus().publish(ADDRESS, signature(text) + text);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return consumer == null ? Future.succeededFuture() : consumer.unregister();
    }

    private Optional<String> verified(String signed) {
        if (signed.length() < SIGNATURE_LENGTH) {
            return Optional.empty();
        }
        var text = signed.substring(SIGNATURE_LENGTH);
        var isOurs = MessageDigest.isEqual(
                signed.substring(0, SIGNATURE_LENGTH).getBytes(StandardCharsets.UTF_8),
                signature(text).getBytes(StandardCharsets.UTF_8));
        return isOurs ? Optional.of(text) : Optional.empty();
    }

    private String signature(String text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("HMAC-SHA-256 is part of every JDK", impossible);
        }
    }
}

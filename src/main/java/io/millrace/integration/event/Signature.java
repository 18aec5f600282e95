package io.millrace.integration.event;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signature with timestamp, by which a receiver verifies the origin and age of an event: {@code t=<seconds>,v1=<hex>}. The
 * second part is the HMAC-SHA256 of the seconds, a dot and the body, with the destination's secret. An extension of the
 * contract.
 */
final class Signature {
    static final String HEADER = "X-Millrace-Signature";

    private static final String MAC = "HmacSHA256";

    private Signature() {}

    static String of(String secret, Instant now, Buffer body) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), MAC));
            mac.update((now.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
            return "t=" + now.getEpochSecond() + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }
}

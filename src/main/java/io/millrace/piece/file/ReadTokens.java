package io.millrace.piece.file;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that let their holder read one file: file, end and signature (contract flows-and-engine 20.4).
 *
 * <p>Clients never look inside, so there is no header and no choice of algorithm that could be abused. The key is
 * derived, so that no access token can pass for a file's token, nor the other way round.
 */
final class ReadTokens {
    private static final String MAC = "HmacSHA256";
    private static final String PURPOSE = "millrace: read one file";
    private static final Pattern FORM = Pattern.compile("([0-9a-zA-Z]{21})\\.([0-9]{1,12})\\.([0-9a-zA-Z_-]{43})");

    /** End of a token whose file stays: as far as twelve digits of seconds reach. */
    private static final Instant NEVER = Instant.ofEpochSecond(999_999_999_999L);

    private final SecretKeySpec key;
    private final InstantSource clock;

    ReadTokens(String serverSecret, InstantSource clock) {
        var secret = new SecretKeySpec(serverSecret.getBytes(StandardCharsets.UTF_8), MAC);
        this.key = new SecretKeySpec(mac(secret, PURPOSE), MAC);
        this.clock = clock;
    }

    /** A token for a file, good until the file expires. */
    String issue(String fileId, Optional<Instant> expires) {
        var claims = fileId + "." + expires.orElse(NEVER).getEpochSecond();
        return claims + "." + signature(claims);
    }

    /** The file that a token opens; empty when the token is not ours or has expired. */
    Optional<String> verify(String token) {
        var form = FORM.matcher(token);
        if (!form.matches()) {
            return Optional.empty();
        }
        var expected = signature(form.group(1) + "." + form.group(2));
        var signed = MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.US_ASCII), form.group(3).getBytes(StandardCharsets.US_ASCII));
        return signed && Long.parseLong(form.group(2)) > clock.instant().getEpochSecond()
                ? Optional.of(form.group(1))
                : Optional.empty();
    }

    private String signature(String claims) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac(key, claims));
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }
}

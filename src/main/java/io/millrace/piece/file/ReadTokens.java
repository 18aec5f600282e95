package io.millrace.piece.file;

import io.millrace.base.secret.LinkKey;
import io.millrace.base.secret.LinkSecrets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Bearer tokens for read access to one file: file, end and signature (contract flows-and-engine 20.4).
 *
 * <p>Tokens are opaque to clients, so there is no header and no choice of algorithm that could be abused. The key is
 * derived, so that access tokens and file tokens are not interchangeable.
 */
final class ReadTokens {
    private static final String PURPOSE = "millrace: read one file";
    private static final Pattern FORM = Pattern.compile("([0-9a-zA-Z]{21})\\.([0-9]{1,12})\\.([0-9a-zA-Z_-]{43})");

    /** End of a token whose file is permanent: the largest time of twelve digits. */
    private static final Instant NEVER = Instant.ofEpochSecond(999_999_999_999L);

    private static final int SIGNATURE_BYTES = 32;

    private final LinkKey key;
    private final InstantSource clock;

    ReadTokens(LinkSecrets secrets, InstantSource clock) {
        this.key = new LinkKey(secrets, PURPOSE, SIGNATURE_BYTES);
        this.clock = clock;
    }

    /** A token for a file, good until the file expires. */
    String issue(String fileId, Optional<Instant> expires) {
        var claims = fileId + "." + expires.orElse(NEVER).getEpochSecond();
        return claims + "." + key.sign(claims);
    }

    /** Id of the file for a token; empty when the token is invalid or has expired. */
    Optional<String> verify(String token) {
        var form = FORM.matcher(token);
        if (!form.matches()) {
            return Optional.empty();
        }
        var signed = key.isSigned(form.group(1) + "." + form.group(2), form.group(3));
        return signed && Long.parseLong(form.group(2)) > clock.instant().getEpochSecond()
                ? Optional.of(form.group(1))
                : Optional.empty();
    }
}

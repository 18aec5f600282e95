package io.millrace.piece.file;

import io.millrace.base.core.text.SafeXml;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.net.CloudKey;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.w3c.dom.Document;

/**
 * Temporary credentials of a role.
 *
 * @param renewFrom time from which a renewal is attempted
 */
record RoleLease(CloudKey key, Instant ends, Instant renewFrom) {
    private static final int REASON_LENGTH_MAX = 300;

    /**
     * Parses the response of a token service.
     *
     * @throws IllegalArgumentException when there is no key in it
     */
    static RoleLease read(byte[] answer, Instant asked) {
        var document = SafeXml.parse(answer);
        var key = new CloudKey(
                required(document, "AccessKeyId"),
                required(document, "SecretAccessKey"),
                Optional.of(required(document, "SessionToken")));
        try {
            var ends = Instant.parse(required(document, "Expiration"));
            var life = Duration.between(asked, ends);
            return new RoleLease(key, ends, asked.plus(life.multipliedBy(2).dividedBy(3)));
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("expected the time at which the role's key ends", malformed);
        }
    }

    static String refusal(byte[] answer) {
        try {
            var document = SafeXml.parse(answer);
            var text = text(document, "Code").orElse("") + " "
                    + text(document, "Message").orElse("");
            return ShownText.of(text, REASON_LENGTH_MAX);
        } catch (IllegalArgumentException otherText) {
            return "without a reason";
        }
    }

    private static String required(Document document, String name) {
        return text(document, name)
                .orElseThrow(() -> new IllegalArgumentException("expected " + name + " of the role's key"));
    }

    private static Optional<String> text(Document document, String name) {
        var found = document.getElementsByTagNameNS("*", name);
        return found.getLength() == 0
                ? Optional.empty()
                : Optional.of(found.item(0).getTextContent().strip()).filter(text -> !text.isEmpty());
    }

    RoleLease renewedFrom(Instant time) {
        return new RoleLease(key, ends, time);
    }
}

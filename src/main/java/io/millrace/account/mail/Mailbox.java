package io.millrace.account.mail;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address with an optional name. Refuses characters that could end a line of a header or of the protocol.
 *
 * @param name empty when there is none
 */
public record Mailbox(String address, Optional<String> name) {
    /** Permissive on purpose: the server decides about addresses, as long as they are one word of ASCII. */
    private static final Pattern ADDRESS =
            Pattern.compile("[\\x21-\\x7e&&[^\\s<>()\\[\\],;:\\\\\"@]]{1,64}@[A-Za-z0-9.-]{1,253}");

    private static final int NAME_LENGTH_MAX = 200;

    public Mailbox {
        if (!ADDRESS.matcher(address).matches()) {
            throw new IllegalArgumentException("expected an e-mail address, found " + HeaderText.shown(address));
        }
        name.ifPresent(text -> HeaderText.check("the name of a mailbox", text, NAME_LENGTH_MAX));
    }

    /** A mailbox without a name. */
    public static Mailbox of(String address) {
        return new Mailbox(address, Optional.empty());
    }

    /** Reads {@code Name <address>}, or an address alone. */
    public static Mailbox parse(String text) {
        var stripped = text.strip();
        var open = stripped.lastIndexOf('<');
        if (open < 0 || !stripped.endsWith(">")) {
            return of(stripped);
        }
        var name = stripped.substring(0, open).strip();
        var bare = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
                ? name.substring(1, name.length() - 1)
                : name;
        return new Mailbox(
                stripped.substring(open + 1, stripped.length() - 1),
                Optional.of(bare).filter(known -> !known.isEmpty()));
    }

    /** Form in a header. */
    String header() {
        return name.map(text -> HeaderText.phrase(text) + " <" + address + ">").orElse(address);
    }
}

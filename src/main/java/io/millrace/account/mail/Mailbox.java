package io.millrace.account.mail;

import io.millrace.base.core.text.DomainText;
import java.util.ArrayList;
import java.util.List;
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

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final int NAME_LENGTH_MAX = 200;

    public Mailbox {
        if (!ADDRESS.matcher(address).matches()) {
            throw new IllegalArgumentException("expected an e-mail address, found " + HeaderText.shown(address));
        }
        name.ifPresent(text -> HeaderText.check("the name of a mailbox", text, NAME_LENGTH_MAX));
    }

    public static Mailbox of(String address) {
        return new Mailbox(address, Optional.empty());
    }

    /** Reads {@code Name <address>}, or an address alone. */
    public static Mailbox parse(String text) {
        var stripped = text.strip();
        var open = stripped.lastIndexOf('<');
        if (open < 0 || !stripped.endsWith(">")) {
            return of(ascii(stripped));
        }
        var name = stripped.substring(0, open).strip();
        var bare = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
                ? ESCAPED.matcher(name.substring(1, name.length() - 1)).replaceAll("$1")
                : name;
        return new Mailbox(
                ascii(stripped.substring(open + 1, stripped.length() - 1).strip()),
                Optional.of(bare).filter(known -> !known.isEmpty()));
    }

    /**
     * Reads addresses with commas or semicolons between them, as people and mail programs write lists; a separator in quotes is
     * text.
     */
    public static List<Mailbox> parseAll(String text) {
        var found = new ArrayList<Mailbox>();
        var isQuoted = false;
        var from = 0;
        for (var at = 0; at < text.length(); at++) {
            var character = text.charAt(at);
            if (character == '\\' && isQuoted) {
                at++;
            } else if (character == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted && (character == ',' || character == ';')) {
                add(text.substring(from, at), found);
                from = at + 1;
            }
        }
        add(text.substring(from), found);
        return found;
    }

    private static void add(String text, List<Mailbox> found) {
        if (!text.isBlank()) {
            found.add(parse(text));
        }
    }

    /** Mail servers know the domain of an address by its ASCII form (RFC 5891). */
    private static String ascii(String address) {
        var at = address.lastIndexOf('@');
        try {
            return at < 0 ? address : address.substring(0, at + 1) + DomainText.ascii(address.substring(at + 1));
        } catch (IllegalArgumentException noDomain) {
            return address;
        }
    }

    String header() {
        return name.map(text -> HeaderText.phrase(text) + " <" + address + ">").orElse(address);
    }
}

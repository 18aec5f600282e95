package io.millrace.base.core.text;

import java.net.IDN;

/** The ASCII form of an untrusted domain name (RFC 5891). */
public final class DomainText {
    /** Longest name of the DNS in characters, with the dot at its end. The JDK's work on a longer one grows with its square. */
    private static final int LENGTH_MAX = 254;

    private DomainText() {}

    /**
     * The ASCII form of a name; a name in ASCII remains as it is.
     *
     * @throws IllegalArgumentException when the text has none
     */
    public static String ascii(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "expected a domain name of at most " + LENGTH_MAX + " characters, but found " + text.length());
        }
        try {
            return IDN.toASCII(text, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException malformed) {
            throw malformed;
        } catch (RuntimeException tooLong) {
            // The JDK throws this type itself when a label expands to more than 1,000 characters.
            throw new IllegalArgumentException("expected a domain name whose labels are short", tooLong);
        }
    }
}

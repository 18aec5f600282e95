package io.millrace.integration.mcp.protocol;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

public enum Revision {
    /** The first revision with Streamable HTTP. Its batches are not supported: no known client sends them. */
    MARCH_2025("2025-03-26"),
    JUNE_2025("2025-06-18"),
    NOVEMBER_2025("2025-11-25"),
    /** Without handshake and sessions: every request is self-contained. */
    JULY_2026("2026-07-28");

    /** Revision offered to a client whose handshake asks for an unsupported one. */
    public static final Revision LATEST_WITH_HANDSHAKE = NOVEMBER_2025;

    private final String word;

    Revision(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public boolean hasHandshake() {
        return this != JULY_2026;
    }

    public static Optional<Revision> of(String word) {
        return Arrays.stream(values())
                .filter(revision -> revision.word.equals(word))
                .findFirst();
    }

    public static List<String> words() {
        return Arrays.stream(values())
                .sorted(Comparator.reverseOrder())
                .map(Revision::word)
                .toList();
    }
}

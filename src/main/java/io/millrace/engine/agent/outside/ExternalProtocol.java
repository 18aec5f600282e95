package io.millrace.engine.agent.outside;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Transport of an external MCP server, as authors select it (contract flows-and-engine 27.2). */
public enum ExternalProtocol {
    /** The transport of revision 2024-11-05, "HTTP with SSE". */
    SSE,
    STREAMABLE_HTTP,
    /** Another word for {@link #STREAMABLE_HTTP}. */
    HTTP;

    public static Optional<ExternalProtocol> of(String word) {
        return Stream.of(values())
                .filter(protocol -> protocol.word().equals(word))
                .findFirst();
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Locale;

/** Error handling of the action Send HTTP request (contract pieces 14.4). */
enum HttpFailureMode {
    RETRY_ALL("Retry on all errors (4xx, 5xx)"),
    RETRY_5XX("Retry on internal errors (5xx)"),
    RETRY_NONE("Do not retry"),
    CONTINUE_ALL("Continue flow on all errors"),
    CONTINUE_4XX("Continue flow on 4xx errors"),
    CONTINUE_NONE("Do not continue (stop the flow)");

    enum Verdict {
        RETRY,
        CONTINUE,
        FAIL
    }

    static final int TRIES_MAX = 3;

    private final String label;

    HttpFailureMode(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The mode of a step's input; {@code failsafe} is the name of continue_all in old versions. */
    static HttpFailureMode of(ObjectNode props) {
        if (props.path("failsafe").asBoolean(false) && !props.hasNonNull("failureMode")) {
            return CONTINUE_ALL;
        }
        return Arrays.stream(values())
                .filter(mode -> mode.wireName().equals(props.path("failureMode").asText()))
                .findFirst()
                .orElse(CONTINUE_NONE);
    }

    /**
     * Decides the next step after a failed attempt.
     *
     * @param status of the response; 500 when there was none
     * @param tries sent so far, this one included
     * @param repeatable true if another attempt could succeed
     */
    Verdict after(int status, int tries, boolean repeatable) {
        var retry = repeatable && tries < TRIES_MAX ? Verdict.RETRY : Verdict.FAIL;
        return switch (this) {
            case RETRY_ALL -> retry;
            case RETRY_5XX -> status >= 500 ? retry : Verdict.FAIL;
            case CONTINUE_ALL -> Verdict.CONTINUE;
            case CONTINUE_4XX -> status >= 400 && status < 500 ? Verdict.CONTINUE : retry;
            case RETRY_NONE, CONTINUE_NONE -> Verdict.FAIL;
        };
    }
}

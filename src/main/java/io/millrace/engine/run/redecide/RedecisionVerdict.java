package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;

public sealed interface RedecisionVerdict {
    enum Kind {
        OTHER_BRANCH,
        /** A step that is not evaluated, or a loop, gets another input: its recorded result does not apply to that input. */
        OTHER_INPUT,
        OTHER_ANSWER,
        OTHER_CALLS,
        OTHER_END
    }

    /** The version decides as the run did, up to the end of the record. */
    record Same() implements RedecisionVerdict {}

    record Different(String path, Kind kind, JsonNode before, JsonNode now) implements RedecisionVerdict {}

    /** The decision depends on a step that has no recorded result and cannot be evaluated. */
    record Unknown(String path, String reason) implements RedecisionVerdict {}

    /** The decision depends on a recorded value that was shortened, or is stored apart from the log. */
    record NotRecomputable(String path, String reason) implements RedecisionVerdict {}
}

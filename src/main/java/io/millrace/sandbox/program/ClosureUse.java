package io.millrace.sandbox.program;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.closure.CodeClosure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The closure of a program, and whether its calls are kept: one that is mostly left to a worker costs twice. Thread-safe. */
final class ClosureUse {
    private static final int LEFT_MAX = 16;
    private static final int PAUSE = 1_000;

    private final Optional<CodeClosure> closure;
    private final AtomicInteger leftInSequence = new AtomicInteger();
    private final AtomicInteger pause = new AtomicInteger();

    private ClosureUse(Optional<CodeClosure> closure) {
        this.closure = closure;
    }

    static ClosureUse of(String javaScript) {
        return new ClosureUse(CodeClosure.compile(javaScript));
    }

    Optional<CodeClosure> closure() {
        return closure;
    }

    /** Output of a call, the missing node for undefined; empty if a worker has to run it. */
    Optional<JsonNode> output(JsonNode inputs) {
        if (closure.isEmpty() || pause.get() > 0 && pause.getAndDecrement() > 0) {
            return Optional.empty();
        }
        var output = closure.get().call(inputs);
        if (output.isPresent()) {
            if (leftInSequence.get() > 0) {
                leftInSequence.set(0);
            }
        } else if (leftInSequence.incrementAndGet() >= LEFT_MAX) {
            leftInSequence.set(0);
            pause.set(PAUSE);
        }
        return output;
    }
}

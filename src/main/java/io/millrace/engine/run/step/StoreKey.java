package io.millrace.engine.run.step;

import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.piece.StepContext.StoreScope;

/** Key of a stored value: its scope, and a separate prefix for test runs (contract flows-and-engine 23). */
public final class StoreKey {
    private StoreKey() {}

    public static String of(RunWrite.RunHeader header, StoreScope scope, String key) {
        var scoped = switch (scope) {
            case COLLECTION -> key;
            case FLOW -> "flow_" + header.flow().flowId() + "/" + key;
            case RUN -> "flow_" + header.flow().flowId() + "/run_" + header.id() + "/" + key;
        };
        return header.environment() == RunEnvironment.TESTING ? "test" + scoped : scoped;
    }
}

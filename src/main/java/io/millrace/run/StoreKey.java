package io.millrace.run;

import io.millrace.piece.StepContext.StoreScope;

/** Key of a stored value: scope, and apart from production for test runs (contract flows-and-engine 23). */
final class StoreKey {
    private StoreKey() {}

    static String of(RunWrite.Birth birth, StoreScope scope, String key) {
        var scoped = switch (scope) {
            case COLLECTION -> key;
            case FLOW -> "flow_" + birth.flowId() + "/" + key;
            case RUN -> "flow_" + birth.flowId() + "/run_" + birth.id() + "/" + key;
        };
        return birth.environment() == Environment.TESTING ? "test" + scoped : scoped;
    }
}

package io.millrace.engine.run;

/** Environment of a run: production or test (contract flows-and-engine 5.1). */
public enum RunEnvironment {
    PRODUCTION,
    TESTING
}

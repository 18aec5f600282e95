package io.millrace.engine.run;

/** Whether a run counts (contract flows-and-engine 5.1). */
public enum RunEnvironment {
    PRODUCTION,
    TESTING
}

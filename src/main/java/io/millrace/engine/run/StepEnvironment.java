package io.millrace.engine.run;

/** What does the work of steps, and what they may ask for. */
record StepEnvironment(StepRunner steps, StepServices services, StepWaitpoints waitpoints) {}

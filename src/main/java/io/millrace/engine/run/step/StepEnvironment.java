package io.millrace.engine.run.step;

/** What does the work of steps, and what they may ask for. */
public record StepEnvironment(StepRunner steps, StepServices services, StepWaitpoints waitpoints) {}

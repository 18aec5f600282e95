/**
 * Execution of a step: its input, its piece or code, and its requests to the server.
 *
 * <p>Start reading at {@link io.millrace.engine.run.step.StepDriver}, of which each run has one. {@code StepRunner}
 * executes a step and returns its {@code StepOutcome}: {@code InputResolver} resolves the input, {@code CodeExecution}
 * executes user code, {@code ControlSteps} evaluates loops and routers. {@code OutcomeRecorder} records the outcome.
 * {@code RunStepContext} is the view of the run for pieces, {@code StepServices} their requests. {@code SingleActions}
 * executes a step that is tested alone.
 */
package io.millrace.engine.run.step;

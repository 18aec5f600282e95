/**
 * A step at work: its input, its piece or code, and what it may ask of the server.
 *
 * <p>Start reading at {@link io.millrace.engine.run.step.StepDriver}, which one run has; {@code StepRunner} makes an
 * outcome of a step, {@code RunStepContext} is what pieces see of the run, {@code StepServices} what they may ask. A
 * step that is tried alone goes through {@code SingleActions}.
 */
package io.millrace.engine.run.step;

/**
 * A flow version made ready to run, and shared by its runs on a shard.
 *
 * <p>Start reading at {@link io.millrace.engine.run.plan.PlanCompiler}; {@code StepTest} is a flow with nothing in
 * it but the step that is tried. Knows flows only to compile them, and their samples only for tests.
 */
package io.millrace.engine.run.plan;

/**
 * Compiled flow versions, shared by their runs on a shard.
 *
 * <p>Start reading at {@link io.millrace.engine.run.plan.PlanCompiler}; {@code StepTest} is a flow reduced to the step
 * under test. Uses flows only to compile them, and their samples only for tests.
 */
package io.millrace.engine.run.plan;

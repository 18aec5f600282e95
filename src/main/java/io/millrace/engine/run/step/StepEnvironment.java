package io.millrace.engine.run.step;

import io.millrace.base.net.Fence;
import java.util.function.Supplier;

/**
 * What does the work of steps, and what they may ask for.
 *
 * @param leases makes the fence of the lease's present term
 */
public record StepEnvironment(
        StepRunner steps, StepServices services, StepWaitpoints waitpoints, Supplier<Fence> leases) {}

package io.millrace.engine.run.step;

import io.millrace.base.net.Fence;
import java.util.function.Supplier;

/**
 * Executor of steps and the services that steps may call.
 *
 * @param leases makes the fence of the lease's current term
 */
public record StepEnvironment(
        StepRunner steps, StepServices services, StepWaitpoints waitpoints, Supplier<Fence> leases) {}

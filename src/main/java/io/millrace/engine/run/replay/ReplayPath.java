package io.millrace.engine.run.replay;

import io.millrace.engine.run.plan.CompiledFlow;
import java.util.List;

final class ReplayPath {
    private ReplayPath() {}

    /**
     * The path as text, such as {@code loop[0].step_2}.
     *
     * @throws io.millrace.base.core.ApiException when the version has no such step, or an iteration is missing or
     *     superfluous
     */
    static String of(CompiledFlow flow, Replays.Extent extent) {
        var name = extent.step();
        var isTrigger = name.equals(flow.trigger().name());
        var step = flow.steps().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
        if (step == null && !isTrigger) {
            throw PreparedReplay.invalid("step", "the version has no step " + name);
        }
        var loops = step == null ? List.<String>of() : step.loops();
        var iterations = extent.iterations();
        for (var loop : iterations.byLoop().keySet()) {
            if (!loops.contains(loop)) {
                throw PreparedReplay.invalid("iteration", "step " + name + " is not inside a loop " + loop);
            }
        }
        if (iterations.index().isPresent() && loops.size() != 1) {
            throw PreparedReplay.invalid(
                    "iteration",
                    "step " + name + " is inside " + loops.size() + " loops: expected iterations by loop name");
        }
        var text = new StringBuilder();
        for (var loop : loops) {
            var index = iterations.index().orElse(iterations.byLoop().get(loop));
            if (index == null) {
                throw PreparedReplay.invalid("iteration", "expected the iteration of loop " + loop);
            }
            text.append(loop).append('[').append(index).append("].");
        }
        return text.append(name).toString();
    }
}

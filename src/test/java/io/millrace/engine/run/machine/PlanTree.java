package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanStep.ExecutableLoop;
import io.millrace.engine.run.machine.PlanStep.ExecutableRouter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Plans for tests, written as trees: {@code plan(act("step_1"), loop("step_2", act("step_3")))}. */
final class PlanTree {
    /** A step and its children. */
    sealed interface Node {}

    /** A CODE or PIECE step: impure and without options by default. */
    record Act(
            String name,
            boolean skip,
            StepReach reach,
            boolean failsOnCrash,
            boolean retry,
            boolean carryOn,
            List<Node> onSuccess,
            List<Node> onFailure)
            implements Node {
        Act skipped() {
            return new Act(name, true, reach, failsOnCrash, retry, carryOn, onSuccess, onFailure);
        }

        Act asPure() {
            return new Act(name, skip, StepReach.PURE, failsOnCrash, retry, carryOn, onSuccess, onFailure);
        }

        Act asIsolated() {
            return new Act(name, skip, StepReach.ISOLATED, failsOnCrash, retry, carryOn, onSuccess, onFailure);
        }

        /** Fails after a crash instead of being executed again. */
        Act once() {
            return new Act(name, skip, reach, true, retry, carryOn, onSuccess, onFailure);
        }

        Act retrying() {
            return new Act(name, skip, reach, failsOnCrash, true, carryOn, onSuccess, onFailure);
        }

        Act carryingOn() {
            return new Act(name, skip, reach, failsOnCrash, retry, true, onSuccess, onFailure);
        }

        Act onSuccess(Node... nodes) {
            return new Act(name, skip, reach, failsOnCrash, retry, carryOn, List.of(nodes), onFailure);
        }

        Act onFailure(Node... nodes) {
            return new Act(name, skip, reach, failsOnCrash, retry, carryOn, onSuccess, List.of(nodes));
        }
    }

    record Loop(String name, boolean skip, List<Node> body) implements Node {}

    record Router(String name, boolean firstMatchOnly, List<List<Node>> branches) implements Node {}

    private final List<PlanStep> steps = new ArrayList<>();

    private PlanTree() {}

    static RunPlan plan(Node... nodes) {
        return plan(Arrays.asList(nodes));
    }

    static RunPlan plan(List<Node> nodes) {
        var tree = new PlanTree();
        var first = tree.sequence(nodes);
        return new RunPlan(tree.steps, first);
    }

    static Act act(String name) {
        return new Act(name, false, StepReach.OUTSIDE, false, false, false, List.of(), List.of());
    }

    static Loop loop(String name, Node... body) {
        return new Loop(name, false, List.of(body));
    }

    static Router allMatch(String name, List<List<Node>> branches) {
        return new Router(name, false, branches);
    }

    static Router firstMatch(String name, List<List<Node>> branches) {
        return new Router(name, true, branches);
    }

    /** From the last step to the first, so that each knows the index of the next. */
    private int sequence(List<Node> nodes) {
        var next = RunPlan.NONE;
        for (var position = nodes.size() - 1; position >= 0; position--) {
            next = add(nodes.get(position), next);
        }
        return next;
    }

    private int add(Node node, int next) {
        switch (node) {
            case Act act -> {
                var onSuccess = sequence(act.onSuccess());
                var onFailure = sequence(act.onFailure());
                steps.add(new ExecutableAction(
                        steps.size(),
                        act.name(),
                        next,
                        act.skip(),
                        act.reach(),
                        new ExecutableAction.FailurePolicy(act.failsOnCrash(), act.retry(), act.carryOn()),
                        onSuccess,
                        onFailure));
            }
            case Loop loop -> {
                var body = sequence(loop.body());
                steps.add(new ExecutableLoop(steps.size(), loop.name(), next, loop.skip(), body));
            }
            case Router router -> {
                var branches = router.branches().stream().map(this::sequence).toList();
                steps.add(new ExecutableRouter(
                        steps.size(), router.name(), next, false, router.firstMatchOnly(), branches));
            }
        }
        return steps.size() - 1;
    }
}

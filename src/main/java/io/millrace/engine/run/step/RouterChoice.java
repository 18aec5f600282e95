package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Branch;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.sandbox.expression.RouterConditions;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluation of the branches of a router (contract flows-and-engine 9.3).
 *
 * @param evaluation one value per branch, fallbacks included
 * @param output output in the log
 */
public record RouterChoice(List<Boolean> evaluation, ObjectNode output) {
    /**
     * Evaluates every condition. All conditions share the budget of one step, because they are evaluated in one turn of the event loop.
     *
     * @throws ExpressionFailure when a condition cannot be evaluated
     */
    public static RouterChoice of(Work.OfRouter router, ExpressionScope scope) {
        var branches = router.branches();
        var conditions = new StepConditions(scope, scope.meter());
        var evaluation = new boolean[branches.size()];
        for (var i = 0; i < evaluation.length; i++) {
            evaluation[i] = !branches.get(i).fallback() && conditions.hold(branches.get(i));
        }
        fillFallbacks(branches, evaluation);
        return new RouterChoice(boxed(evaluation), output(branches, evaluation));
    }

    private record StepConditions(ExpressionScope scope, Meter meter, RouterConditions operators) {
        StepConditions(ExpressionScope scope, Meter meter) {
            this(scope, meter, new RouterConditions(meter));
        }

        boolean hold(Branch branch) {
            for (var group : branch.groups()) {
                var all = true;
                for (var condition : group) {
                    all = all && holds(condition);
                }
                if (all) {
                    return true;
                }
            }
            return false;
        }

        private boolean holds(CompiledFlow.Condition condition) {
            if (condition.operator() == null) {
                throw new ExpressionFailure(
                        ExpressionFailure.OPERATOR_NOT_SET, "The operator is required but found to be undefined");
            }
            var second = condition.second() == null ? null : condition.second().resolve(scope, meter);
            return operators.holds(
                    condition.operator(), condition.first().resolve(scope, meter), second, condition.caseSensitive());
        }
    }

    /** A fallback is true when no other branch is; another fallback counts as a true one (9.3). */
    private static void fillFallbacks(List<Branch> branches, boolean[] evaluation) {
        var fallbacks = 0;
        var anyOther = false;
        for (var i = 0; i < evaluation.length; i++) {
            fallbacks += branches.get(i).fallback() ? 1 : 0;
            anyOther |= evaluation[i];
        }
        for (var i = 0; i < evaluation.length; i++) {
            evaluation[i] |= branches.get(i).fallback() && fallbacks == 1 && !anyOther;
        }
    }

    private static List<Boolean> boxed(boolean[] values) {
        var list = new ArrayList<Boolean>(values.length);
        for (var value : values) {
            list.add(value);
        }
        return list;
    }

    private static ObjectNode output(List<Branch> branches, boolean[] evaluation) {
        var output = Json.object();
        var list = output.putArray("branches");
        for (var i = 0; i < evaluation.length; i++) {
            list.add(evaluation[i] ? branches.get(i).taken() : branches.get(i).passed());
        }
        return output;
    }
}

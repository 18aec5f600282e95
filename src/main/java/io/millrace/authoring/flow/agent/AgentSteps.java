package io.millrace.authoring.flow.agent;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.version.StepReferences;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks that the agents of a flow's steps can be run, so that the author learns of a problem when publishing and not
 * from failed runs (contract agents 1.2).
 */
public final class AgentSteps {
    private final FlowAgents agents;

    public AgentSteps(FlowAgents agents) {
        this.agents = agents;
    }

    /** Problems with the agents of steps, in the order of the steps. */
    public Future<List<StepProblem>> problems(String projectId, StepTree tree) {
        var found = new ArrayList<StepProblem>();
        var looked = Future.<Void>succeededFuture();
        for (Map.Entry<String, String> step : StepReferences.agentsByStep(tree).entrySet()) {
            looked = looked.compose(_ -> agents.objection(projectId, step.getValue()))
                    .map(objection -> {
                        objection.ifPresent(text -> found.add(new StepProblem(step.getKey(), text)));
                        return null;
                    });
        }
        return looked.map(found);
    }

    /** Fails with VALIDATION that names the steps. */
    public Future<Void> check(String projectId, StepTree tree) {
        return problems(projectId, tree)
                .compose(problems -> problems.isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                problems.stream()
                                        .map(problem -> problem.stepName() + ": " + problem.message())
                                        .collect(Collectors.joining("; ")))));
    }
}

package io.millrace.authoring.flow;

import io.millrace.authoring.flow.agent.AgentSteps;
import io.millrace.authoring.flow.agent.FlowAgents;
import io.millrace.authoring.flow.editor.FlowWarnings;
import io.millrace.authoring.flow.editor.StepProblems;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Optional;

/** Answers {@link Flows.Judge}: what keeps a flow from being published, and what its author had better know. */
public final class FlowVerdictService implements BusService {
    private static final long DEADLINE_MS = 10_000;

    private final Bus bus;
    private final StepProblems problems;
    private final AgentSteps agents;

    public FlowVerdictService(Bus bus, StepProblems problems, FlowAgents agents) {
        this.bus = bus;
        this.problems = problems;
        this.agents = new AgentSteps(agents);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Flows.Judge.class, this::judge);
    }

    private Future<Flows.Verdict> judge(Flows.Judge ask) {
        return bus.ask(new Flows.PieceScopeOf(ask.flowId()), DEADLINE_MS)
                .compose(scope -> bus.ask(new Flows.Get(ask.flowId(), Optional.empty()), DEADLINE_MS)
                        .compose(flow -> judge(scope, flow)));
    }

    private Future<Flows.Verdict> judge(PieceScope scope, Flows.Populated flow) {
        var tree = flow.version().steps();
        return agents.problems(flow.flow().projectId(), tree).map(ofAgents -> {
            var found = new ArrayList<>(problems.of(scope, tree));
            found.addAll(ofAgents);
            return new Flows.Verdict(flow, found, FlowWarnings.of(tree));
        });
    }
}

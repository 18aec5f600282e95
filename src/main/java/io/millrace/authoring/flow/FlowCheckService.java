package io.millrace.authoring.flow;

import io.millrace.authoring.flow.agent.AgentSteps;
import io.millrace.authoring.flow.agent.FlowAgents;
import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.authoring.flow.editor.StepProblems;
import io.millrace.authoring.flow.warning.CheckedFlow;
import io.millrace.authoring.flow.warning.FlowWarnings;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.program.CodeReport;
import io.millrace.workspace.connection.Connections;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.variable.Variables;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the latest version of a flow: problems that block publishing, and warnings that do not. */
public final class FlowCheckService implements BusService {
    private static final long DEADLINE_MS = 10_000;

    private final Bus bus;
    private static final Logger LOG = LoggerFactory.getLogger(FlowCheckService.class);

    private final PieceFinder pieces;
    private final StepProblems problems;
    private final AgentSteps agents;

    public FlowCheckService(Bus bus, PieceFinder pieces, FlowAgents agents) {
        this.bus = bus;
        this.pieces = pieces;
        this.problems = new StepProblems(pieces);
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

    private Future<Flows.Verdict> judge(PieceScope scope, Flows.FlowWithVersion flow) {
        var tree = flow.version().steps();
        return agents.problems(flow.flow().projectId(), tree)
                .compose(ofAgents -> Future.all(nodeSteps(flow), connections(flow), variables(flow))
                        .map(facts -> {
                            var found = new ArrayList<>(problems.of(scope, tree));
                            found.addAll(ofAgents);
                            var checked = new CheckedFlow(
                                    flow.flow().id(),
                                    Optional.of(flow.flow().externalId()),
                                    tree,
                                    (name, version) -> pieces.find(scope, name, version),
                                    facts.resultAt(1),
                                    facts.resultAt(2),
                                    facts.resultAt(0));
                            return new Flows.Verdict(flow, found, FlowWarnings.of(checked));
                        }));
    }

    private Future<Map<String, ConnectionStatus>> connections(Flows.FlowWithVersion flow) {
        var names = FlowWarnings.connectionsOf(flow.version().steps());
        return names.isEmpty()
                ? Future.succeededFuture(Map.of())
                : bus.ask(new Connections.FindStatuses(flow.flow().projectId(), names), DEADLINE_MS);
    }

    private Future<Set<String>> variables(Flows.FlowWithVersion flow) {
        var names = FlowWarnings.variablesOf(flow.version().steps());
        return names.isEmpty()
                ? Future.succeededFuture(Set.of())
                : bus.ask(new Variables.FindNames(flow.flow().projectId(), names), DEADLINE_MS);
    }

    /**
     * The compiler is called only for flows whose code mentions a name of Node.js, because it runs a process for each
     * step.
     */
    private Future<Set<String>> nodeSteps(Flows.FlowWithVersion flow) {
        if (!FlowWarnings.dependsOnEngine(flow.version().steps())) {
            return Future.succeededFuture(Set.of());
        }
        var version = Optional.of(flow.version().id());
        return bus.ask(new Flows.FindCodeSteps(flow.flow().id(), version), DEADLINE_MS)
                .map(reports -> reports.stream()
                        .filter(report -> report.code().engine() == CodeReport.Engine.NODE)
                        .map(CodeStepReport::stepName)
                        .collect(Collectors.toSet()))
                .recover(failure -> {
                    LOG.warn(
                            "flow {}: cannot determine the engine of its code steps, so warnings about Node.js are missing: {}",
                            flow.flow().id(),
                            failure.getMessage());
                    return Future.succeededFuture(Set.of());
                });
    }
}

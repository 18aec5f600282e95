package io.millrace.authoring.upgrade;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.piece.catalogue.PieceChanges;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handles {@link PieceUpgrades}. All flows are checked before the first change; a flow with a step that cannot be
 * upgraded is unchanged. Operations run one at a time, with the same checks and audit records as edits by the author.
 */
public final class PieceUpgradeService implements BusService {
    /** Timeout that includes the installation of both versions. */
    private static final long COMPARE_MS_MAX = 60_000;

    private static final long FLOW_MS_MAX = 30_000;

    private Bus bus;

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(PieceUpgrades.Upgrade.class, this::upgrade);
    }

    private Future<PieceUpgrades.Outcome> upgrade(PieceUpgrades.Upgrade ask) {
        var scope = PieceScope.of(ask.by().platform());
        return bus.ask(new Pieces.Compare(scope, ask.pieceName(), ask.from(), ask.to()), COMPARE_MS_MAX)
                .compose(changes -> planned(ask, changes)
                        .compose(flows -> ask.dryRun() ? Future.succeededFuture(flows) : applied(ask, flows))
                        .map(flows -> new PieceUpgrades.Outcome(changes, flows)));
    }

    private Future<List<PieceUpgrades.OfFlow>> planned(PieceUpgrades.Upgrade ask, PieceChanges changes) {
        var flows = Future.<List<PieceUpgrades.OfFlow>>succeededFuture(new ArrayList<>());
        for (var flowId : ask.flowIds()) {
            flows = flows.compose(plan -> bus.ask(new Flows.Get(flowId, Optional.empty()), FLOW_MS_MAX)
                    .map(flow -> {
                        plan.add(ofFlow(ask, flow, changes));
                        return plan;
                    }));
        }
        return flows;
    }

    private static PieceUpgrades.OfFlow ofFlow(
            PieceUpgrades.Upgrade ask, Flows.FlowWithVersion flow, PieceChanges changes) {
        if (!flow.flow().projectId().equals(ask.projectId())) {
            throw ApiException.notFound("flow", flow.flow().id());
        }
        var steps = flow.version().steps().steps().stream()
                .flatMap(step -> StepUpgrade.of(step, changes).stream())
                .toList();
        return new PieceUpgrades.OfFlow(flow.flow().id(), flow.version().displayName(), steps, false);
    }

    private Future<List<PieceUpgrades.OfFlow>> applied(PieceUpgrades.Upgrade ask, List<PieceUpgrades.OfFlow> planned) {
        var done = Future.<List<PieceUpgrades.OfFlow>>succeededFuture(new ArrayList<>());
        for (var flow : planned) {
            done = done.compose(all -> applied(ask, flow).map(changed -> {
                all.add(changed);
                return all;
            }));
        }
        return done;
    }

    private Future<PieceUpgrades.OfFlow> applied(PieceUpgrades.Upgrade ask, PieceUpgrades.OfFlow flow) {
        if (flow.steps().isEmpty() || !flow.steps().stream().allMatch(StepUpgrade::possible)) {
            return Future.succeededFuture(flow);
        }
        var edited = Future.<Void>succeededFuture();
        for (var step : flow.steps()) {
            edited =
                    edited.compose(_ -> bus.ask(new Flows.Apply(ask.by(), flow.flowId(), step.operation()), FLOW_MS_MAX)
                            .mapEmpty());
        }
        return edited.map(new PieceUpgrades.OfFlow(flow.flowId(), flow.displayName(), flow.steps(), true));
    }
}

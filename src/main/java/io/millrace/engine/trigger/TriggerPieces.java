package io.millrace.engine.trigger;

import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.vertx.core.Future;

/** Makes the triggers of flow versions ready, each with the pieces that the platform of its flow has. */
public final class TriggerPieces {
    private static final long DEADLINE_MS = 10_000;

    private final Bus bus;
    private final PieceFinder pieces;

    public TriggerPieces(Bus bus, PieceFinder pieces) {
        this.bus = bus;
        this.pieces = pieces;
    }

    /** The trigger of a version; fails with ENTITY_NOT_FOUND when the flow is gone. */
    Future<TriggerHook> hookOf(FlowVersion version) {
        return bus.ask(new Flows.PieceScopeOf(version.flowId()), DEADLINE_MS)
                .map(scope -> TriggerHook.compile(version.steps().trigger(), scope, pieces));
    }
}

package io.millrace.engine.trigger;

import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;

/** Compiles the triggers of flow versions, each with the pieces of its flow's platform. */
public final class TriggerPieces {
    private static final long DEADLINE_MS = 10_000;

    /** A longer installation continues in the background; a later look finds the piece. */
    private static final long PROVIDE_DEADLINE_MS = 60_000;

    private final Bus bus;
    private final PieceFinder pieces;

    public TriggerPieces(Bus bus, PieceFinder pieces) {
        this.bus = bus;
        this.pieces = pieces;
    }

    /** Fails with ENTITY_NOT_FOUND when the flow was deleted. */
    Future<TriggerHook> hookOf(FlowVersion version) {
        var step = version.steps().trigger();
        return bus.ask(new Flows.PieceScopeOf(version.flowId()), DEADLINE_MS).compose(scope -> {
            var hook = TriggerHook.compile(step, scope, pieces);
            return hook instanceof TriggerHook.Missing && step instanceof PieceTriggerStep piece
                    ? provided(piece, scope).map(_ -> TriggerHook.compile(step, scope, pieces))
                    : Future.succeededFuture(hook);
        });
    }

    /** The installed pieces may not have been read yet, another node may have installed the piece, or it can be installed. */
    private Future<Void> provided(PieceTriggerStep step, PieceScope scope) {
        var name = step.pieceName();
        var version = step.pieceVersion();
        return name.isEmpty() || version.isEmpty()
                ? Future.succeededFuture()
                : bus.ask(new Pieces.Provide(scope, name.get(), version.get()), PROVIDE_DEADLINE_MS)
                        .<Void>mapEmpty()
                        .otherwiseEmpty();
    }
}

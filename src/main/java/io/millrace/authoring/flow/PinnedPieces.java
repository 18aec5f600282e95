package io.millrace.authoring.flow;

import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.PiecePin;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.Set;

/** Installs the pieces that an operation needs before it is validated, if they are available. */
final class PinnedPieces {
    /** The caller waits, so the limit is that of API requests. */
    private static final long DEADLINE_MS = 25_000;

    private final Bus bus;
    private final Database database;
    private final FlowStore flows;
    private final VersionStore versions;

    PinnedPieces(Bus bus, Database database, FlowStore flows, VersionStore versions) {
        this.bus = bus;
        this.database = database;
        this.flows = flows;
        this.versions = versions;
    }

    /** Always completes successfully; a later check rejects pieces that are unavailable. */
    Future<Void> provide(Flows.Apply apply) {
        return pinned(apply)
                .compose(pins -> pins.isEmpty() ? Future.succeededFuture() : provide(apply.flowId(), pins))
                .otherwiseEmpty();
    }

    private Future<Set<PiecePin>> pinned(Flows.Apply apply) {
        return apply.operation() instanceof FlowOperation.Publishing
                ? database.read(tx -> versions.findLatest(tx, apply.flowId()))
                        .map(found -> found.map(version -> PiecePin.of(version.steps()))
                                .orElseGet(Set::of))
                : Future.succeededFuture(PiecePin.of(apply.operation()));
    }

    private Future<Void> provide(String flowId, Set<PiecePin> pins) {
        return database.read(tx -> flows.findPieceScope(tx, flowId))
                .compose(scope -> provide(scope.orElseThrow(), pins));
    }

    private Future<Void> provide(PieceScope scope, Set<PiecePin> pins) {
        var ready = Future.<Void>succeededFuture();
        for (var pin : pins) {
            ready = ready.compose(_ -> bus.ask(new Pieces.Provide(scope, pin.name(), pin.version()), DEADLINE_MS)
                    .<Void>mapEmpty()
                    .otherwiseEmpty());
        }
        return ready;
    }
}

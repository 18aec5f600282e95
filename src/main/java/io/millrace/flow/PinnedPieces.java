package io.millrace.flow;

import io.millrace.bus.Bus;
import io.millrace.persistence.Database;
import io.millrace.piece.Pieces;
import io.vertx.core.Future;
import java.util.Set;

/** Sees to it that the pieces which an operation needs are there before it is judged, as far as they can be had. */
final class PinnedPieces {
    /** The caller waits for it, as long as API requests wait. */
    private static final long DEADLINE_MS = 25_000;

    private final Bus bus;
    private final Database database;
    private final VersionStore versions;

    PinnedPieces(Bus bus, Database database, VersionStore versions) {
        this.bus = bus;
        this.database = database;
        this.versions = versions;
    }

    /** Completes in any case: what cannot be had is refused by whoever needs it. */
    Future<Void> provide(Flows.Apply apply) {
        return pinned(apply).compose(this::provide).otherwiseEmpty();
    }

    private Future<Set<PiecePin>> pinned(Flows.Apply apply) {
        return apply.operation() instanceof FlowOperation.Publishing
                ? database.read(tx -> versions.findLatest(tx, apply.flowId()))
                        .map(found -> found.map(version -> PiecePin.of(version.steps()))
                                .orElseGet(Set::of))
                : Future.succeededFuture(PiecePin.of(apply.operation()));
    }

    private Future<Void> provide(Set<PiecePin> pins) {
        var ready = Future.<Void>succeededFuture();
        for (var pin : pins) {
            ready = ready.compose(_ -> bus.ask(new Pieces.Provide(pin.name(), pin.version()), DEADLINE_MS)
                    .<Void>mapEmpty()
                    .otherwiseEmpty());
        }
        return ready;
    }
}

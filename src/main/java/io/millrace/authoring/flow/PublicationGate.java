package io.millrace.authoring.flow;

import io.millrace.authoring.flow.testcase.PublicationTests;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Requires passing tests before a publication, in projects with this setting. Tests take up to seconds, so they are
 * executed outside the transaction that publishes.
 */
final class PublicationGate {
    private static final long DEADLINE_MS = 60_000;

    private final Bus bus;
    private final Database database;
    private final FlowStore store;
    private final VersionStore versions;

    PublicationGate(Bus bus, Database database, FlowStore store, VersionStore versions) {
        this.bus = bus;
        this.database = database;
        this.store = store;
        this.versions = versions;
    }

    /** Returns the version whose tests pass; empty without the setting, and for a missing flow. */
    Future<Optional<Flows.VersionRef>> check(String flowId) {
        return database.read(tx -> store.requiresTests(tx, flowId)
                        .compose(isRequired -> isRequired
                                ? versions.findLatest(tx, flowId)
                                : Future.succeededFuture(Optional.empty())))
                .compose(latest -> latest.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : passed(latest.get()).map(Optional::of));
    }

    private Future<Flows.VersionRef> passed(FlowVersion version) {
        return bus.ask(new PublicationTests.RequirePassing(version.flowId(), version.id()), DEADLINE_MS)
                .map(_ -> new Flows.VersionRef(version.id(), version.updated()));
    }

    /** Refuses a version that was changed after its tests. A schema migration does not count as a change. */
    static void checkUnchanged(FlowVersion version, Optional<Flows.VersionRef> tested) {
        if (tested.isPresent()
                && !(tested.get().id().equals(version.id())
                        && tested.get().updated().equals(version.updated()))) {
            throw ApiException.of(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    "the flow was changed while its tests were executed; publish again");
        }
    }
}

package io.millrace.workspace.project;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Projects of an embedding product, in the transaction of the module that signs its users in. */
public final class ManagedProjects {
    private static final String NAME_DEFAULT = "Project";

    private final Bus bus;
    private final ProjectService projects;
    private final InstantSource clock;
    private final ProjectStore store = new ProjectStore();
    private final ConcurrencyPoolStore pools = new ConcurrencyPoolStore();

    public ManagedProjects(Bus bus, ProjectService projects, InstantSource clock) {
        this.bus = bus;
        this.projects = projects;
        this.clock = clock;
    }

    /** A project as stored, and all projects whose change must be announced to modules above. */
    public record ProvidedProject(Project project, boolean isNew, List<String> changed) {}

    /**
     * The team project of that external id, created if missing. On a concurrent creation it fails on the unique index and may
     * be retried.
     */
    public Future<ProvidedProject> provide(Tx tx, String platformId, ManagedProject request) {
        return store.findByExternalId(tx, platformId, request.externalId())
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(new ProvidedProject(team(found.get()), false, List.of()))
                        : projects.createTeam(tx, platformId, fresh(request))
                                .map(made -> new ProvidedProject(made, true, List.of())))
                .compose(provided -> adapt(tx, provided, request));
    }

    /** Publishes the creation or change of a project; called after the commit. */
    public void announce(ProvidedProject provided) {
        var project = provided.project();
        if (provided.isNew()) {
            bus.publish(new Projects.Created(project.id(), project.platformId()));
        }
        provided.changed().forEach(id -> bus.publish(new Projects.Changed(id)));
    }

    private static Project team(Project project) {
        if (project.type() != ProjectType.TEAM) {
            throw ApiException.of(ErrorCode.AUTHORIZATION, "users of an embedding product can join team projects only");
        }
        return project;
    }

    private static NewProject fresh(ManagedProject request) {
        return new NewProject(
                nameOf(request)
                        .or(() -> NewProject.plainName(request.externalId()))
                        .orElse(NAME_DEFAULT),
                Optional.of(request.externalId()),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private static Optional<String> nameOf(ManagedProject request) {
        return request.displayName().flatMap(NewProject::plainName);
    }

    private Future<ProvidedProject> adapt(Tx tx, ProvidedProject provided, ManagedProject request) {
        return request.pool()
                .map(pool -> intoPool(tx, provided, pool))
                .orElseGet(() -> Future.succeededFuture(provided))
                .compose(pooled -> named(tx, pooled, request));
    }

    /** Moves the project into the pool. A changed limit concerns every project of the pool. */
    private Future<ProvidedProject> intoPool(Tx tx, ProvidedProject provided, ManagedProject.Pool request) {
        var project = provided.project();
        return pools.save(tx, Ids.next(), now(), project.platformId(), request).compose(pool -> {
            var moved = !pool.id().equals(project.poolId());
            var pooled = moved ? project.inPool(pool.id(), now()) : project;
            return (moved ? pools.assign(tx, pooled) : Future.<Void>succeededFuture())
                    .compose(_ -> pool.isChanged()
                            ? pools.findProjects(tx, pool.id())
                            : Future.succeededFuture(moved ? List.of(project.id()) : List.<String>of()))
                    .map(changed -> new ProvidedProject(pooled, provided.isNew(), changed));
        });
    }

    private Future<ProvidedProject> named(Tx tx, ProvidedProject provided, ManagedProject request) {
        var before = provided.project();
        var after = before.changed(changes(request), false, now());
        var named = !after.displayName().equals(before.displayName());
        var planned = !sameAccess(after.plan(), before.plan());
        var changed = new ArrayList<>(provided.changed());
        if ((named || planned) && !changed.contains(before.id())) {
            changed.add(before.id());
        }
        return (named ? store.update(tx, after) : Future.<Void>succeededFuture())
                .compose(_ -> planned ? store.updatePlan(tx, after.plan()) : Future.succeededFuture())
                .map(new ProvidedProject(named || planned ? after : before, provided.isNew(), List.copyOf(changed)));
    }

    private static boolean sameAccess(ProjectPlan one, ProjectPlan other) {
        return one.piecesFilterType() == other.piecesFilterType()
                && one.pieces().equals(other.pieces());
    }

    private static ProjectChanges changes(ManagedProject request) {
        return new ProjectChanges(
                nameOf(request),
                Optional.empty(),
                Optional.empty(),
                FieldChange.keep(),
                new ProjectChanges.Rules(Optional.empty(), Optional.empty()),
                new ProjectChanges.PieceFilter(
                        request.pieces().map(ManagedProject.PieceAccess::filterType),
                        request.pieces().map(ManagedProject.PieceAccess::pieces)),
                FieldChange.keep(),
                Optional.empty());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}

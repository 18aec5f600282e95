package io.millrace.workspace.project;

import io.millrace.account.identity.PersonalProjects;
import io.millrace.account.identity.User;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Handles {@link Projects}. Requests for one project have passed the gate; further permissions are checked here. */
public final class ProjectService implements BusService, PersonalProjects {
    private static final String PLAN_NAME = "default";
    private static final String EXTERNAL_ID_INDEX = "project_external_id";

    private final Bus bus;
    private final Database database;
    private final PlatformService platforms;
    private final GlobalConnections connections;
    private final AlertReceivers alerts;
    private final ProjectLimits limits;
    private final InstantSource clock;
    private final ProjectStore store = new ProjectStore();
    private final ProjectFigureCount figures;
    private final ProjectRemoval removal;

    public ProjectService(
            Bus bus,
            Database database,
            PlatformService platforms,
            FlowFigures flows,
            GlobalConnections connections,
            AlertReceivers alerts,
            ProjectLimits limits,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.platforms = platforms;
        this.connections = connections;
        this.alerts = alerts;
        this.limits = limits;
        this.clock = clock;
        this.figures = new ProjectFigureCount(store, flows);
        this.removal = new ProjectRemoval(bus, database, store);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Projects.Create.class, this::create);
        bus.serve(Projects.Update.class, this::update);
        bus.serve(Projects.Show.class, this::show);
        bus.serve(Projects.Find.class, this::find);
        bus.serve(Projects.ConcurrencyOf.class, this::concurrencyOf);
        bus.serve(Projects.ListVisible.class, this::list);
        bus.serve(Projects.Delete.class, this::delete);
        removal.resume();
    }

    @Override
    public Future<String> create(Tx tx, User owner, String displayName) {
        var request = new NewProject(
                displayName, Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty());
        return insert(tx, fresh(ProjectType.PERSONAL, owner.platformId(), owner.id(), request), request)
                .compose(project ->
                        alerts.addOwner(tx, project.id(), project.created()).map(project.id()));
    }

    @Override
    public Future<Optional<String>> firstVisible(Tx tx, User viewer) {
        return store.findFirstVisible(tx, Viewer.of(viewer.principal())).map(found -> found.map(Project::id));
    }

    @Override
    public Future<Boolean> mayInviteSomewhere(Tx tx, Principal.SignedInUser user) {
        return store.holds(tx, user.id(), Permission.WRITE_INVITATION);
    }

    @Override
    public Future<List<String>> retire(Tx tx, User owner) {
        return store.retire(tx, owner.id(), now());
    }

    @Override
    public void remove(String platformId, List<String> projectIds) {
        projectIds.forEach(projectId -> {
            bus.publish(new Projects.Deleted(projectId, platformId));
            removal.start(projectId);
        });
    }

    public Future<Optional<Project>> find(Tx tx, String projectId) {
        return store.find(tx, projectId);
    }

    /** The team projects of a platform, oldest first. */
    public Future<List<Project>> teams(Tx tx, TeamMatch match, int offset, int limit) {
        return store.teams(tx, match, offset, limit);
    }

    public Future<Integer> countTeams(Tx tx, TeamMatch match) {
        return store.countTeams(tx, match);
    }

    /** Renames a project; the caller announces {@link Projects.Changed} after the commit. */
    public Future<Void> rename(Tx tx, String projectId, String displayName, Optional<String> externalId) {
        return found(store.findToChange(tx, projectId), projectId)
                .map(project -> project.named(displayName, externalId, now()))
                .compose(project -> store.update(tx, project))
                .recover(failure -> Future.failedFuture(externalIdTaken(failure, externalId)));
    }

    private Future<ProjectView> create(Projects.Create ask) {
        var platformId = ask.by().platform();
        return database.inTransaction(tx -> createTeam(tx, platformId, ask.request())
                        .map(project -> new ProjectView(project, ProjectFigures.NONE)))
                .recover(failure -> Future.failedFuture(
                        externalIdTaken(failure, ask.request().externalId())))
                .onSuccess(
                        view -> bus.publish(new Projects.Created(view.project().id(), platformId)));
    }

    /**
     * Creates a team project, which belongs to the owner of the platform; the caller announces {@link Projects.Created} after
     * the commit.
     */
    public Future<Project> createTeam(Tx tx, String platformId, NewProject request) {
        return refuseTooMany(tx, platformId)
                .compose(_ -> platforms.find(tx, platformId))
                .map(platform -> fresh(ProjectType.TEAM, platformId, platform.ownerId(), request))
                .compose(project -> insert(tx, project, request));
    }

    private Future<Void> refuseTooMany(Tx tx, String platformId) {
        return tx.exclusive("team-projects/" + platformId)
                .compose(_ -> store.countTeams(tx, new TeamMatch(platformId, Optional.empty(), Optional.empty())))
                .compose(count -> count < limits.teamProjectsMax()
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "projects: expected fewer than " + limits.teamProjectsMax()
                                        + " team projects on the platform, found " + count
                                        + "; delete some or raise AP_TEAM_PROJECTS_MAX")));
    }

    private Future<Project> insert(Tx tx, Project project, NewProject request) {
        return store.insert(tx, project)
                .compose(_ -> request.alertReceiverEmail()
                        .map(receiver -> alerts.add(tx, project.id(), receiver, project.created()))
                        .orElseGet(Future::succeededFuture))
                .compose(_ -> connections.giveToNew(
                        tx, project.platformId(), project.id(), request.globalConnectionExternalIds()))
                .map(project);
    }

    private Future<ProjectView> update(Projects.Update ask) {
        var isAdministrator = ask.by().administersPlatform();
        return database.inTransaction(tx -> {
                    // Counts before the row is locked, to keep the lock short.
                    var counted = figures.of(tx, ask.projectId());
                    return found(store.findToChange(tx, ask.projectId()), ask.projectId())
                            .map(project -> isAdministrator ? project : withinLimit(project, ask.changes()))
                            .map(project -> project.changed(ask.changes(), isAdministrator, now()))
                            .compose(project -> isAdministrator
                                    ? Future.succeededFuture(project)
                                    : withoutNewConnections(tx, project, ask.changes()))
                            .compose(project -> save(tx, project, ask.changes()))
                            .compose(project -> counted.map(found -> new ProjectView(project, found)));
                })
                .recover(failure -> Future.failedFuture(
                        externalIdTaken(failure, ask.changes().externalId())))
                .onSuccess(_ -> {
                    if (ask.changes().globalConnectionExternalIds().isPresent()) {
                        connections.changed();
                    }
                    bus.publish(new Projects.Changed(ask.projectId()));
                });
    }

    /** Only administrators may set a limit above the server's; an unchanged limit is accepted from any caller. */
    private Project withinLimit(Project project, ProjectChanges changes) {
        var now = project.maxConcurrentJobs();
        var wanted = changes.maxConcurrentJobs().or(now);
        if (wanted != null && !wanted.equals(now) && wanted > limits.concurrentJobs()) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "maxConcurrentJobs: expected at most " + limits.concurrentJobs()
                            + ", which only administrators of the platform may exceed, found " + wanted);
        }
        return project;
    }

    /** A connection of the platform holds its credentials: a project gets one from administrators only. */
    private Future<Project> withoutNewConnections(Tx tx, Project project, ProjectChanges changes) {
        return changes.globalConnectionExternalIds()
                .map(wanted -> connections.gains(tx, project.platformId(), project.id(), wanted))
                .orElseGet(() -> Future.succeededFuture(false))
                .map(gains -> {
                    if (gains) {
                        throw ApiException.of(
                                ErrorCode.VALIDATION,
                                "globalConnectionExternalIds: expected connections that the project already has;"
                                        + " only administrators of the platform can add others");
                    }
                    return project;
                });
    }

    private Future<Project> save(Tx tx, Project project, ProjectChanges changes) {
        return store.update(tx, project)
                .compose(_ -> changes.namesPlan() ? store.updatePlan(tx, project.plan()) : Future.succeededFuture())
                .compose(_ -> changes.globalConnectionExternalIds()
                        .map(wanted -> connections.setWanted(tx, project.platformId(), project.id(), wanted))
                        .orElseGet(Future::succeededFuture))
                .map(project);
    }

    private Future<ProjectView> show(Projects.Show ask) {
        return database.read(tx -> {
            var counted = figures.of(tx, ask.projectId());
            return found(store.find(tx, ask.projectId()), ask.projectId())
                    .compose(project -> counted.map(found -> new ProjectView(project, found)));
        });
    }

    private Future<Project> find(Projects.Find ask) {
        return database.read(tx -> found(store.find(tx, ask.projectId()), ask.projectId()));
    }

    private Future<Concurrency> concurrencyOf(Projects.ConcurrencyOf ask) {
        return database.read(tx -> store.findConcurrency(tx, ask.projectId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project", ask.projectId())));
    }

    private Future<Page<ProjectView>> list(Projects.ListVisible ask) {
        return database.read(tx ->
                store.page(tx, Viewer.of(ask.by()), ask.filter(), ask.page()).compose(page -> figures.of(tx, page)));
    }

    private Future<Nothing> delete(Projects.Delete ask) {
        var platformId = ask.by().platform();
        return database.inTransaction(tx -> found(store.findToChange(tx, ask.projectId()), ask.projectId())
                        .map(project -> deletable(project, platformId))
                        .compose(project -> store.markDeleted(tx, project.id(), now())))
                .onSuccess(_ -> {
                    bus.publish(new Projects.Deleted(ask.projectId(), platformId));
                    removal.start(ask.projectId());
                })
                .map(Nothing.DONE);
    }

    private static Project deletable(Project project, String platformId) {
        if (!project.platformId().equals(platformId)) {
            throw ApiException.notFound("project", project.id());
        }
        if (project.type() == ProjectType.PERSONAL) {
            throw ApiException.of(ErrorCode.VALIDATION, "Personal projects cannot be deleted");
        }
        return project;
    }

    private static Future<Project> found(Future<Optional<Project>> search, String projectId) {
        return search.map(found -> found.orElseThrow(() -> ApiException.notFound("project", projectId)));
    }

    private static Throwable externalIdTaken(Throwable failure, Optional<String> externalId) {
        return failure instanceof ConstraintViolation refused
                        && refused.constraint().equals(EXTERNAL_ID_INDEX)
                ? ApiException.of(
                        ErrorCode.PROJECT_EXTERNAL_ID_ALREADY_EXISTS,
                        Json.object().put("externalId", externalId.orElse(null)))
                : failure;
    }

    private Project fresh(ProjectType type, String platformId, String ownerId, NewProject request) {
        var now = now();
        var colors = IconColor.values();
        return new Project(
                Ids.next(),
                now,
                now,
                platformId,
                ownerId,
                type,
                new ProjectSettings(
                        request.displayName(),
                        colors[ThreadLocalRandom.current().nextInt(colors.length)],
                        request.externalId().orElse(null),
                        false,
                        request.maxConcurrentJobs().orElse(null),
                        request.metadata().orElse(null),
                        null,
                        false),
                new ProjectPlan(Ids.next(), now, now, false, PLAN_NAME, PiecesFilterType.NONE, List.of()));
    }

    /** Current time in the precision of the database, so that the answer equals the stored value. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}

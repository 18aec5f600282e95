package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.NewProject;
import io.millrace.workspace.project.Project;
import io.millrace.workspace.project.ProjectService;
import io.millrace.workspace.project.ProjectType;
import io.millrace.workspace.project.Projects;
import io.millrace.workspace.project.TeamMatch;
import io.millrace.workspace.project.member.ProjectPeople;
import io.millrace.workspace.scim.ScimQuery.ScimPage;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Handles {@link ScimGroups}: a group is a team project, its members are those of the project. */
public final class ScimGroupService implements BusService {
    private static final long DEADLINE_MS = 10_000;

    /** Maximum number of projects for filters other than by name or external id, which are evaluated in memory. */
    private static final int JUDGED_MAX = 10_000;

    private final Bus bus;
    private final Database database;
    private final ProjectService projects;
    private final ProjectPeople people;
    private final String roleName;
    private final Supplier<String> publicUrl;

    /** @param roleName role of members that join through a group (AP_SCIM_DEFAULT_PROJECT_ROLE) */
    public ScimGroupService(
            Bus bus,
            Database database,
            ProjectService projects,
            ProjectPeople people,
            String roleName,
            Supplier<String> publicUrl) {
        this.bus = bus;
        this.database = database;
        this.projects = projects;
        this.people = people;
        this.roleName = roleName;
        this.publicUrl = publicUrl;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(ScimGroups.ListOf.class, this::list);
        bus.serve(
                ScimGroups.Get.class,
                ask -> database.read(
                        tx -> team(tx, ask.by().platform(), ask.id()).compose(team -> shown(tx, team))));
        bus.serve(ScimGroups.Create.class, this::create);
        bus.serve(
                ScimGroups.Replace.class,
                ask -> change(ask.by().platform(), ask.id(), _ -> ScimGroup.read(ask.resource())));
        bus.serve(
                ScimGroups.Patch.class,
                ask -> change(
                        ask.by().platform(),
                        ask.id(),
                        resource -> ScimGroup.read(ScimPatch.apply(resource, ask.operations()))));
        bus.serve(ScimGroups.Delete.class, this::delete);
    }

    private Future<ScimPage> list(ScimGroups.ListOf ask) {
        var query = ask.query();
        var match = new TeamMatch(
                ask.by().platform(),
                query.filter().flatMap(filter -> filter.required("displayName")),
                query.filter().flatMap(filter -> filter.required("externalId")));
        return database.read(tx -> query.filter().isPresent()
                ? projects.teams(tx, match, 0, JUDGED_MAX)
                        .compose(teams -> resources(tx, teams))
                        .map(query::page)
                : projects.countTeams(tx, match)
                        .compose(total -> projects.teams(tx, match, query.offset(), query.count())
                                .compose(teams -> resources(tx, teams))
                                .map(resources -> new ScimPage(total, query.startIndex(), resources))));
    }

    private Future<List<ObjectNode>> resources(Tx tx, List<Project> teams) {
        return people.of(tx, teams.stream().map(Project::id).toList()).map(members -> {
            var byTeam = members.stream().collect(Collectors.groupingBy(ProjectPeople.Member::projectId));
            return teams.stream()
                    .map(team -> ScimGroup.toJson(team, byTeam.getOrDefault(team.id(), List.of()), publicUrl.get()))
                    .toList();
        });
    }

    private Future<ObjectNode> shown(Tx tx, Project team) {
        return resources(tx, List.of(team)).map(List::getFirst);
    }

    private Future<Project> team(Tx tx, String platformId, String id) {
        return projects.find(tx, id)
                .map(found -> found.filter(project -> project.platformId().equals(platformId))
                        .filter(project -> project.type() == ProjectType.TEAM)
                        .orElseThrow(() -> ScimFailures.unknown("Group", id)));
    }

    private Future<ObjectNode> create(ScimGroups.Create ask) {
        var platformId = ask.by().platform();
        var group = ScimGroup.read(ask.resource());
        var request = new NewProject(
                group.displayName(),
                group.externalId(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
        return database.inTransaction(tx -> refuseTaken(tx, platformId, group.displayName())
                        .compose(_ -> projects.createTeam(tx, platformId, request))
                        .compose(team -> settle(tx, team, group, Set.of()).compose(_ -> shown(tx, team))))
                .recover(ScimGroupService::taken)
                .onSuccess(
                        json -> bus.publish(new Projects.Created(json.path("id").asText(), platformId)));
    }

    /** Refuses a name in use: directories find a group by its name, so that two groups of one name would be ambiguous. */
    private Future<Void> refuseTaken(Tx tx, String platformId, String displayName) {
        return projects.countTeams(tx, new TeamMatch(platformId, Optional.of(displayName), Optional.empty()))
                .compose(count -> count > 0
                        ? Future.failedFuture(ScimFailures.taken("a group with this name already exists"))
                        : Future.succeededFuture());
    }

    private static <T> Future<T> taken(Throwable failure) {
        var isTaken = failure instanceof ConstraintViolation
                || failure instanceof ApiException refused
                        && refused.code() == ErrorCode.PROJECT_EXTERNAL_ID_ALREADY_EXISTS;
        return Future.failedFuture(isTaken ? ScimFailures.taken("another group has this external id") : failure);
    }

    /** Remaining members keep their role, which may have been changed meanwhile. */
    private Future<Void> settle(Tx tx, Project team, ScimGroup group, Set<String> before) {
        var joining = without(group.memberIds(), before);
        var leaving = without(before, group.memberIds());
        return refuseUnknown(tx, team.platformId(), joining)
                .compose(_ -> people.join(tx, team.platformId(), team.id(), joining, roleName))
                .compose(_ -> people.leave(tx, team.id(), leaving));
    }

    private static List<String> without(Set<String> ids, Set<String> others) {
        return ids.stream().filter(id -> !others.contains(id)).toList();
    }

    private Future<Void> refuseUnknown(Tx tx, String platformId, List<String> userIds) {
        var areIds = userIds.stream().allMatch(Ids::isId);
        return (areIds ? people.areKnown(tx, platformId, userIds) : Future.succeededFuture(false))
                .compose(known -> known
                        ? Future.succeededFuture()
                        : Future.failedFuture(ScimFailures.invalidValue("expected users of this platform as members")));
    }

    private Future<ObjectNode> change(String platformId, String id, Function<ObjectNode, ScimGroup> changed) {
        return database.inTransaction(tx -> team(tx, platformId, id)
                        .compose(team -> shown(tx, team)
                                .compose(resource ->
                                        change(tx, team, ScimGroup.read(resource), changed.apply(resource))))
                        .compose(_ -> team(tx, platformId, id))
                        .compose(team -> shown(tx, team)))
                .recover(ScimGroupService::taken)
                .onSuccess(_ -> bus.publish(new Projects.Changed(id)));
    }

    private Future<Void> change(Tx tx, Project team, ScimGroup before, ScimGroup after) {
        var isRenamed = !before.displayName().equals(after.displayName());
        var free = isRenamed && !before.displayName().equalsIgnoreCase(after.displayName())
                ? refuseTaken(tx, team.platformId(), after.displayName())
                : Future.<Void>succeededFuture();
        return free.compose(_ -> isRenamed || !before.externalId().equals(after.externalId())
                        ? projects.rename(tx, team.id(), after.displayName(), after.externalId())
                        : Future.succeededFuture())
                .compose(_ -> settle(tx, team, after, before.memberIds()));
    }

    private Future<Nothing> delete(ScimGroups.Delete ask) {
        return database.read(tx -> team(tx, ask.by().platform(), ask.id()))
                .compose(team -> bus.ask(new Projects.Delete(ask.by(), team.id()), DEADLINE_MS));
    }
}

package io.millrace.workspace.project.member;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;

/** Members of projects, for modules above that add and remove many users at once. Runs in the caller's transaction. */
public final class ProjectPeople {
    private final ProjectRoleService roles;
    private final InstantSource clock;
    private final ProjectMemberStore store = new ProjectMemberStore();

    public ProjectPeople(ProjectRoleService roles, InstantSource clock) {
        this.roles = roles;
        this.clock = clock;
    }

    public record Member(String projectId, String userId, String email) {}

    public record Team(String userId, String projectId, String displayName) {}

    /** The members of projects, in the order of their arrival. */
    public Future<List<Member>> of(Tx tx, List<String> projectIds) {
        return store.people(tx, projectIds);
    }

    /** The team projects of users, in the order in which they joined. */
    public Future<List<Team>> teamsOf(Tx tx, List<String> userIds) {
        return store.teamsOf(tx, userIds);
    }

    public Future<Boolean> areKnown(Tx tx, String platformId, List<String> userIds) {
        var distinct = List.copyOf(new HashSet<>(userIds));
        return store.countKnown(tx, platformId, distinct).map(known -> known == distinct.size());
    }

    /** Adds users to a project in the role of that name; existing members keep their role. */
    public Future<Void> join(Tx tx, String platformId, String projectId, List<String> userIds, String roleName) {
        var ids = userIds.stream().map(_ -> Ids.next()).toList();
        return userIds.isEmpty()
                ? Future.succeededFuture()
                : roles.roleByName(tx, platformId, roleName)
                        .compose(role ->
                                store.joinNew(tx, ids, clock.instant(), platformId, projectId, userIds, role.id()));
    }

    public Future<Void> leave(Tx tx, String projectId, List<String> userIds) {
        return userIds.isEmpty() ? Future.succeededFuture() : store.leave(tx, projectId, userIds);
    }
}

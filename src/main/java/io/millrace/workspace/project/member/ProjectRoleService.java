package io.millrace.workspace.project.member;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Handles {@link ProjectRoles} and {@link ProjectMembers}; modules above use both in their own transactions. Default roles
 * are never changed.
 */
public final class ProjectRoleService implements BusService {
    private final Bus bus;
    private final Database database;
    private final AuditLog auditLog;
    private final InstantSource clock;
    private final ProjectRoleStore store = new ProjectRoleStore();
    private final ProjectAccessLookup entrances = new ProjectAccessLookup(store);
    private final ProjectMemberStore members = new ProjectMemberStore();

    public ProjectRoleService(Bus bus, Database database, AuditLog auditLog, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.auditLog = auditLog;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ProjectRoles.ListAll.class, this::listAll);
        bus.serve(ProjectRoles.Find.class, this::find);
        bus.serve(ProjectRoles.Create.class, this::create);
        bus.serve(ProjectRoles.Update.class, this::update);
        bus.serve(ProjectRoles.Delete.class, this::delete);
        bus.serve(ProjectRoles.HeldBy.class, this::heldBy);
        bus.serve(ProjectMembers.ListOf.class, this::listOf);
        bus.serve(ProjectMembers.ListHolders.class, this::listHolders);
        bus.serve(ProjectMembers.ProjectOf.class, this::projectOf);
        bus.serve(ProjectMembers.ChangeRole.class, this::changeRole);
        bus.serve(ProjectMembers.Remove.class, this::remove);
    }

    private Future<List<RoleView>> listAll(ProjectRoles.ListAll ask) {
        return database.read(tx -> store.roles(tx, ask.by().platform()));
    }

    private Future<RoleView> find(ProjectRoles.Find ask) {
        return database.read(tx -> store.role(tx, ask.by().platform(), ask.roleId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project_role", ask.roleId())));
    }

    private Future<RoleView> create(ProjectRoles.Create ask) {
        var now = clock.instant();
        var role = new ProjectRole(
                Ids.next(),
                now,
                now,
                ask.name(),
                names(ask.permissions()),
                ask.by().platform());
        return database.inTransaction(tx -> refuseTaken(tx, role)
                        .compose(_ -> store.insert(tx, role))
                        .compose(_ -> record(tx, EventAction.PROJECT_ROLE_CREATED, ask.by(), role)))
                .recover(ProjectRoleService::nameTaken)
                .onSuccess(_ -> announce(ask.by(), role, ProjectRoles.Deed.CREATED))
                .map(new RoleView(role, 0));
    }

    private Future<RoleView> update(ProjectRoles.Update ask) {
        return database.inTransaction(tx -> customRole(tx, ask.by().platform(), ask.roleId())
                        .map(role -> role.changed(
                                ask.name(), ask.permissions().map(ProjectRoleService::names), clock.instant()))
                        .compose(role -> (ask.name().isPresent() ? refuseTaken(tx, role) : Future.succeededFuture())
                                .compose(_ -> store.update(tx, role))
                                .compose(_ -> record(tx, EventAction.PROJECT_ROLE_UPDATED, ask.by(), role)))
                        .compose(_ -> store.role(tx, ask.by().platform(), ask.roleId()))
                        .map(Optional::orElseThrow))
                .recover(ProjectRoleService::nameTaken)
                .onSuccess(view -> announce(ask.by(), view.role(), ProjectRoles.Deed.UPDATED));
    }

    private Future<ProjectRole> customRole(Tx tx, String platformId, String roleId) {
        return store.customRoleToChange(tx, platformId, roleId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project_role", roleId)));
    }

    /**
     * Roles are addressed by name, so names are unique without regard to case, including those of default roles. The lock
     * makes concurrent requests see each other: the index compares exact names.
     */
    private Future<Void> refuseTaken(Tx tx, ProjectRole role) {
        return tx.exclusive("names/project-roles/" + role.platformId())
                .compose(_ -> store.isNameTaken(tx, role))
                .compose(taken -> taken ? Future.failedFuture(taken()) : Future.succeededFuture());
    }

    private static <T> Future<T> nameTaken(Throwable failure) {
        return Future.failedFuture(failure instanceof ConstraintViolation ? taken() : failure);
    }

    private static ApiException taken() {
        return ApiException.of(ErrorCode.VALIDATION, "a role with this name already exists");
    }

    private Future<Nothing> delete(ProjectRoles.Delete ask) {
        return database.inTransaction(tx -> store.customRoleByName(tx, ask.by().platform(), ask.name())
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("project_role", ask.name())))
                        .compose(role -> store.delete(tx, role.id())
                                .compose(_ -> record(tx, EventAction.PROJECT_ROLE_DELETED, ask.by(), role))
                                .map(role)))
                .recover(ProjectRoleService::stillHeld)
                .onSuccess(role -> announce(ask.by(), role, ProjectRoles.Deed.DELETED))
                .map(Nothing.DONE);
    }

    /** Refuses to delete a role that members hold: they must be given another role first. */
    private static <T> Future<T> stillHeld(Throwable failure) {
        return Future.failedFuture(
                failure instanceof ConstraintViolation
                        ? ApiException.of(ErrorCode.VALIDATION, "the role is still assigned to members or invitations")
                        : failure);
    }

    private Future<ProjectRole> heldBy(ProjectRoles.HeldBy ask) {
        return database.read(
                        tx -> entrances.find(tx, ask.projectId(), ask.user().id()))
                .map(found -> found.flatMap(entrance -> entrance.roleOf(ask.user()))
                        .orElseThrow(() -> ApiException.notFound("project", ask.projectId())));
    }

    private Future<Page<ProjectMember>> listOf(ProjectMembers.ListOf ask) {
        return database.read(tx -> members.ofProject(tx, ask.projectId(), ask.roleId(), ask.page()));
    }

    private Future<Page<ProjectMember>> listHolders(ProjectMembers.ListHolders ask) {
        return find(new ProjectRoles.Find(ask.by(), ask.roleId()))
                .compose(_ -> database.read(
                        tx -> ask.by() instanceof Principal.SignedInUser user && !user.administersPlatform()
                                ? members.ofRoleSeenBy(tx, user, ask.roleId(), ask.page())
                                : members.ofRole(tx, ask.by().platform(), ask.roleId(), ask.page())));
    }

    private Future<String> projectOf(ProjectMembers.ProjectOf ask) {
        return database.read(tx -> member(tx, ask.memberId())).map(ProjectMember::projectId);
    }

    private Future<ProjectMember> member(Tx tx, String memberId) {
        return members.find(tx, memberId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project_member", memberId)));
    }

    private Future<ProjectMember> changeRole(ProjectMembers.ChangeRole ask) {
        return database.inTransaction(tx -> member(tx, ask.memberId())
                .compose(member -> roleByName(tx, member.platformId(), ask.roleName())
                        .compose(role -> checkGrant(tx, ask.by(), member.projectId(), role)
                                .map(role)))
                .compose(role -> members.changeRole(tx, ask.memberId(), role.id(), clock.instant()))
                .compose(_ -> member(tx, ask.memberId())));
    }

    /** A default role or one of the platform, by its name without regard to case. */
    public Future<ProjectRole> roleByName(Tx tx, String platformId, String name) {
        return store.roleByName(tx, platformId, name)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project_role", name)));
    }

    /**
     * Refuses a caller that lacks a permission of the role in the project: a grant must not exceed the rights of its author.
     * Administrators of the platform define the roles, and grant all of them.
     */
    public Future<Void> checkGrant(Tx tx, Principal by, String projectId, ProjectRole role) {
        return managesPlatform(by)
                ? Future.succeededFuture()
                : access(tx, by, projectId).map(access -> {
                    role.known()
                            .forEach(permission ->
                                    ProjectGateService.check(new Gate.Enter(by, projectId, permission), access));
                    return null;
                });
    }

    /** An API key without the scope for the platform has its other scopes only. */
    private static boolean managesPlatform(Principal by) {
        return by.administersPlatform()
                && !(by instanceof Principal.Service service
                        && service.scopes().missingForPlatform(false).isPresent());
    }

    private Future<ProjectAccess> access(Tx tx, Principal by, String projectId) {
        return entrances
                .find(tx, projectId, by.actingUser())
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project", projectId)));
    }

    /** Refuses a caller that would change the role of a member without the permission; a user who is no member may join. */
    public Future<Void> checkJoin(Tx tx, Principal by, String projectId, String userId) {
        return members.isMember(tx, projectId, userId)
                .compose(isMember -> isMember
                        ? access(tx, by, projectId).map(access -> {
                            ProjectGateService.check(
                                    new Gate.Enter(by, projectId, Permission.WRITE_PROJECT_MEMBER), access);
                            return null;
                        })
                        : Future.succeededFuture());
    }

    /** Adds a user to a project, or changes the role of a member. */
    public Future<Void> join(Tx tx, String platformId, String projectId, String userId, String roleId) {
        return members.join(tx, Ids.next(), clock.instant(), platformId, projectId, userId, roleId);
    }

    private Future<Nothing> remove(ProjectMembers.Remove ask) {
        return database.inTransaction(tx -> member(tx, ask.memberId()).compose(_ -> members.delete(tx, ask.memberId())))
                .map(Nothing.DONE);
    }

    private Future<Void> record(Tx tx, EventAction action, Principal by, ProjectRole role) {
        return auditLog.record(tx, ApplicationEvent.onPlatform(action, by, role.eventData()));
    }

    private void announce(Principal by, ProjectRole role, ProjectRoles.Deed deed) {
        bus.publish(new ProjectRoles.Changed(by, role, deed));
    }

    private static List<String> names(Collection<Permission> permissions) {
        return permissions.stream().sorted().map(Permission::name).toList();
    }
}

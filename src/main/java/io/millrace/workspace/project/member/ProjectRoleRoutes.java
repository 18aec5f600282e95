package io.millrace.workspace.project.member;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Routes of project roles and of project members (contract admin-api 4, 5). */
public final class ProjectRoleRoutes implements RouteGroup {
    private static final Pattern ROLE_NAME = Pattern.compile("^[^./]+$");
    private static final int PAGE_LIMIT_DEFAULT = 10;

    private final Bus bus;

    public ProjectRoleRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/project-roles", Access.platform(), _ -> true, (call, _) -> roles(call));
        routes.get("/v1/project-roles/:id", Access.platform(), input -> input.id("id"), this::role);
        routes.get("/v1/project-roles/:id/project-members", Access.platform(), Holders::read, this::holders);
        routes.post("/v1/project-roles", Access.platformAdmin(), NewRole::read, this::create);
        routes.post("/v1/project-roles/:id", Access.platformAdmin(), RoleChanges::read, this::update);
        routes.delete("/v1/project-roles/:id", Access.platformAdmin(), input -> input.parameter("id"), this::delete);
        mountMembers(routes);
    }

    private void mountMembers(Routes routes) {
        routes.get(
                "/v1/project-members",
                Access.projectInQuery(Permission.READ_PROJECT_MEMBER),
                ListQuery::read,
                this::members);
        routes.get(
                "/v1/project-members/role",
                Access.projectUsersInQuery(),
                input -> input.query().text("projectId", Ids.PATTERN),
                (call, _) -> ownRole(call));
        var write = Access.projectOfRow(Permission.WRITE_PROJECT_MEMBER, ProjectMembers.ProjectOf::new);
        routes.post("/v1/project-members/:id", write, Assignment::read, this::assign);
        routes.delete("/v1/project-members/:id", write, input -> input.id("id"), this::remove);
    }

    private record Holders(String roleId, PageRequest page) {
        static Holders read(Input input) {
            return new Holders(input.id("id"), input.query().page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record NewRole(String name, Set<Permission> permissions, RoleType type) {
        static NewRole read(Input input) {
            var body = input.body();
            return new NewRole(body.name("name", ROLE_NAME), permissionsOf(body), body.option("type", RoleType.class));
        }
    }

    private enum RoleType {
        DEFAULT,
        CUSTOM
    }

    private record RoleChanges(String roleId, Optional<String> name, Optional<Set<Permission>> permissions) {
        static RoleChanges read(Input input) {
            var body = input.body();
            return new RoleChanges(
                    input.id("id"),
                    body.optionalName("name", ROLE_NAME),
                    body.isAbsent("permissions") ? Optional.empty() : Optional.of(permissionsOf(body)));
        }
    }

    private static Set<Permission> permissionsOf(Fields body) {
        var permissions = EnumSet.noneOf(Permission.class);
        if (!body.array("permissions").isEmpty()) {
            permissions.addAll(body.options("permissions", Permission.class));
        }
        return permissions;
    }

    private record ListQuery(Optional<String> roleId, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            query.text("projectId", Ids.PATTERN);
            return new ListQuery(query.optionalText("projectRoleId"), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record Assignment(String memberId, String roleName) {
        static Assignment read(Input input) {
            return new Assignment(input.id("id"), input.body().text("role"));
        }
    }

    private Future<ApiReply> roles(ApiCall call) {
        return bus.ask(new ProjectRoles.ListAll(call.principal()), call.deadlineMs())
                .map(roles -> ApiReply.page(Page.whole(roles), RoleView::toJson));
    }

    private Future<ApiReply> role(ApiCall call, String id) {
        return bus.ask(new ProjectRoles.Find(call.principal(), id), call.deadlineMs())
                .map(role -> ApiReply.ok(role.toJson()));
    }

    private Future<ApiReply> holders(ApiCall call, Holders ask) {
        return bus.ask(new ProjectMembers.ListHolders(call.principal(), ask.roleId(), ask.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, ProjectMember::toJson));
    }

    private Future<ApiReply> create(ApiCall call, NewRole parameters) {
        if (parameters.type() == RoleType.DEFAULT) {
            return Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, "only custom roles can be created"));
        }
        return bus.ask(
                        new ProjectRoles.Create(call.principal(), parameters.name(), parameters.permissions()),
                        call.deadlineMs())
                .map(role -> ApiReply.created(role.toJson()));
    }

    private Future<ApiReply> update(ApiCall call, RoleChanges changes) {
        var update = new ProjectRoles.Update(call.principal(), changes.roleId(), changes.name(), changes.permissions());
        return bus.ask(update, call.deadlineMs()).map(role -> ApiReply.ok(role.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String name) {
        return bus.ask(new ProjectRoles.Delete(call.principal(), name), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> members(ApiCall call, ListQuery listing) {
        return bus.ask(new ProjectMembers.ListOf(call.projectId(), listing.roleId(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, ProjectMember::toJson));
    }

    private Future<ApiReply> ownRole(ApiCall call) {
        var user = (Principal.SignedInUser) call.principal();
        return bus.ask(new ProjectRoles.HeldBy(user, call.projectId()), call.deadlineMs())
                .map(role -> ApiReply.ok(role.toJson()));
    }

    private Future<ApiReply> assign(ApiCall call, Assignment assignment) {
        var change = new ProjectMembers.ChangeRole(call.principal(), assignment.memberId(), assignment.roleName());
        return bus.ask(change, call.deadlineMs()).map(member -> ApiReply.ok(member.toJson()));
    }

    private Future<ApiReply> remove(ApiCall call, String id) {
        return bus.ask(new ProjectMembers.Remove(id), call.deadlineMs()).map(_ -> ApiReply.empty());
    }
}

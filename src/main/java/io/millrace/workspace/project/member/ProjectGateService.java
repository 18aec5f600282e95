package io.millrace.workspace.project.member;

import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;

/** Handles {@link Gate.Enter}: checks a principal's permission in a project (contract admin-api 1.9). */
public final class ProjectGateService implements BusService {
    private final Database database;
    private final ProjectAccessLookup entrances = new ProjectAccessLookup(new ProjectRoleStore());

    public ProjectGateService(Database database) {
        this.database = database;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Gate.Enter.class, this::enter);
    }

    private Future<Nothing> enter(Gate.Enter ask) {
        if (ask.by() instanceof Principal.Anonymous) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.AUTHORIZATION, "principal is not allowed for this route"));
        }
        if (isOfOtherProject(ask)) {
            return Future.failedFuture(noAccess(ask));
        }
        // A piece has no role, so that the looked-up user makes no difference.
        var userId = ask.by() instanceof Principal.Engine ? "" : ask.by().actingUser();
        return database.read(tx -> entrances.find(tx, ask.projectId(), userId)).map(found -> {
            var entrance = found.orElseThrow(() -> ApiException.notFound("project", ask.projectId()));
            check(ask, entrance);
            return Nothing.DONE;
        });
    }

    /** Pieces and MCP servers have access to one project only. */
    private static boolean isOfOtherProject(Gate.Enter ask) {
        return switch (ask.by()) {
            case Principal.Engine engine -> !engine.projectId().equals(ask.projectId());
            case Principal.McpServerToken token -> !token.projectId().equals(ask.projectId());
            case Principal.SignedInUser _, Principal.Service _, Principal.Newcomer _, Principal.Anonymous _ -> false;
        };
    }

    static void check(Gate.Enter ask, ProjectAccess entrance) {
        if (!entrance.platformId().equals(ask.by().platform())) {
            throw noAccess(ask);
        }
        if (ask.by() instanceof Principal.Service service && !service.scopes().allow(ask.permission())) {
            throw denied(ask, null, ask.permission());
        }
        if (ask.by() instanceof Principal.SignedInUser user) {
            var role = entrance.roleOf(user).orElseThrow(() -> noAccess(ask));
            if (ask.permission() != null && !role.allows(ask.permission())) {
                throw denied(ask, role, ask.permission());
            }
        }
    }

    private static ApiException noAccess(Gate.Enter ask) {
        return ApiException.of(
                ErrorCode.AUTHORIZATION,
                Json.object()
                        .put("message", "User does not have access to the project")
                        .put("userId", ask.by().userIdOrNull())
                        .put("projectId", ask.projectId()));
    }

    /**
     * @param role null for an API key
     */
    private static ApiException denied(Gate.Enter ask, ProjectRole role, Permission permission) {
        var params = Json.object()
                .put("userId", ask.by().userIdOrNull())
                .put("projectId", ask.projectId())
                .put("permission", permission.name());
        params.set("projectRole", role == null ? null : role.toJson());
        return ApiException.of(ErrorCode.PERMISSION_DENIED, params);
    }
}

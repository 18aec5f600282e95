package io.millrace.app.module;

import io.millrace.account.platform.PlatformService;
import io.millrace.authoring.flow.FlowService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.RowBound;
import io.millrace.workspace.connection.ProjectConnections;
import io.millrace.workspace.project.ProjectLimits;
import io.millrace.workspace.project.ProjectRoutes;
import io.millrace.workspace.project.ProjectService;
import io.millrace.workspace.project.alert.AlertRoutes;
import io.millrace.workspace.project.alert.AlertService;
import io.millrace.workspace.project.member.ProjectGateService;
import io.millrace.workspace.project.member.ProjectRoleRoutes;
import io.millrace.workspace.project.member.ProjectRoleService;
import java.util.List;

/** Projects, their members and roles, and recipients of failure alerts. */
final class ProjectModule implements ServerModule {
    private final ServerContext context;
    private final ProjectService projects;
    private final ProjectRoleService roles;
    private final List<BusService> busServices;

    ProjectModule(ServerContext context, PlatformService platforms, FlowService flows, ProjectConnections connections) {
        this.context = context;
        var bus = context.bus();
        var database = context.database();
        var alerts = new AlertService(
                database,
                new RowBound(context.config().content().bounds().alertReceiversMax(), "AP_ALERT_RECEIVERS_MAX"),
                context.clock());
        projects = new ProjectService(
                bus,
                database,
                platforms,
                flows,
                connections,
                alerts,
                new ProjectLimits(
                        context.config().runs().engine().shares().concurrentJobsLimit(),
                        context.config().runs().engine().shares().teamProjectsMax()),
                context.clock());
        roles = new ProjectRoleService(bus, database, context.security().auditLog(), context.clock());
        busServices = List.of(projects, roles, alerts);
    }

    ProjectService projects() {
        return projects;
    }

    ProjectRoleService roles() {
        return roles;
    }

    @Override
    public List<BusService> loopServices() {
        return List.of(new ProjectGateService(context.database()));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(new ProjectRoutes(bus), new ProjectRoleRoutes(bus), new AlertRoutes(bus));
    }
}

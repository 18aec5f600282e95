package io.millrace;

import io.millrace.connection.ProjectConnections;
import io.millrace.flow.FlowService;
import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.platform.PlatformService;
import io.millrace.project.AlertRoutes;
import io.millrace.project.AlertService;
import io.millrace.project.ProjectGateService;
import io.millrace.project.ProjectRoleRoutes;
import io.millrace.project.ProjectRoleService;
import io.millrace.project.ProjectRoutes;
import io.millrace.project.ProjectService;
import java.util.List;

/** Where people work, as what, and whom to mail when something fails there. */
final class ProjectRooms implements Wing {
    private final Ground ground;
    private final ProjectService projects;
    private final ProjectRoleService roles;
    private final List<Desk> desks;

    ProjectRooms(Ground ground, PlatformService platforms, FlowService flows, ProjectConnections connections) {
        this.ground = ground;
        var bus = ground.bus();
        var database = ground.database();
        projects = new ProjectService(
                bus,
                database,
                platforms,
                flows,
                connections,
                ground.config().engine().concurrentJobsLimit(),
                ground.clock());
        roles = new ProjectRoleService(bus, database, ground.trail(), ground.clock());
        desks = List.of(projects, roles, new ProjectGateService(database), new AlertService(database, ground.clock()));
    }

    ProjectService projects() {
        return projects;
    }

    ProjectRoleService roles() {
        return roles;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(new ProjectRoutes(bus), new ProjectRoleRoutes(bus), new AlertRoutes(bus));
    }
}

package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/** A project with its figures, as the API shows it (contract admin-api 3.1). */
public record ProjectView(Project project, ProjectFigures figures) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("id", project.id())
                .put("created", Json.timestamp(project.created()))
                .put("updated", Json.timestamp(project.updated()))
                .put("ownerId", project.ownerId())
                .put("displayName", project.displayName())
                .put("platformId", project.platformId())
                .put("type", project.type().name())
                .put("externalId", project.externalId())
                .put("releasesEnabled", project.releasesEnabled())
                .put("flowTestsRequired", project.flowTestsRequired())
                .put("maxConcurrentJobs", project.maxConcurrentJobs())
                .put("poolId", project.poolId());
        json.putObject("icon").put("color", project.icon().name());
        json.set("metadata", project.metadata());
        json.set("plan", planJson());
        json.putObject("analytics")
                .put("totalUsers", figures.totalUsers())
                .put("activeUsers", figures.activeUsers())
                .put("totalFlows", figures.totalFlows())
                .put("activeFlows", figures.activeFlows());
        return json;
    }

    private ObjectNode planJson() {
        var plan = project.plan();
        var json = Json.object()
                .put("id", plan.id())
                .put("projectId", project.id())
                .put("created", Json.timestamp(plan.created()))
                .put("updated", Json.timestamp(plan.updated()))
                .put("locked", plan.locked())
                .put("name", plan.name())
                .put("piecesFilterType", plan.piecesFilterType().name());
        var pieces = json.putArray("pieces");
        plan.pieces().forEach(pieces::add);
        return json;
    }
}

package io.millrace.workspace.model;

import io.millrace.base.access.Access;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** The route that names the tiers of the platform's AI credits (contract agents 4.4). */
public final class ModelTierRoutes implements RouteGroup {
    @Override
    public void mount(Routes routes) {
        routes.get(
                "/v1/ai-providers/tiers",
                Access.platformUsersAndPieces(),
                _ -> true,
                (_, _) -> Future.succeededFuture(tiers()));
    }

    private static ApiReply tiers() {
        var answer = Json.object();
        var tiers = answer.putObject("flow").putArray("tiers");
        OfferedModels.TIERS.forEach(
                tier -> tiers.addObject().put("id", tier.id()).put("label", tier.label()));
        return ApiReply.ok(answer);
    }
}

package io.millrace.authoring.agent;

import io.millrace.base.access.Access;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;

/**
 * Routes of a server without saved agents (AP_AGENTS_ENABLED=false): every authenticated request is answered that the
 * feature is disabled (contract agents 1.1).
 */
public final class AgentsOffRoutes implements RouteGroup {
    private static final String ALL = "/v1/agents";
    private static final List<String> POSTED =
            List.of(ALL, ALL + "/draft", ALL + "/:id", ALL + "/:id/publish", ALL + "/:id/unpublish", ALL + "/:id/move");
    private static final List<String> READ = List.of(ALL, ALL + "/templates", ALL + "/:id");

    @Override
    public void mount(Routes routes) {
        POSTED.forEach(path -> routes.post(path, Access.platform(), _ -> true, AgentsOffRoutes::refuse));
        READ.forEach(path -> routes.get(path, Access.platform(), _ -> true, AgentsOffRoutes::refuse));
        routes.delete(ALL + "/:id", Access.platform(), _ -> true, AgentsOffRoutes::refuse);
    }

    private static Future<ApiReply> refuse(ApiCall call, boolean read) {
        return Future.failedFuture(ApiException.of(ErrorCode.FEATURE_DISABLED, "saved agents are switched off"));
    }
}

package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.platform.Platforms;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Public routes of forms and chats: the address is the only credential (contract flows-and-engine 24.1). Submissions go to the
 * webhook.
 */
public final class HumanInputRoutes implements RouteGroup {
    private static final String ENTITY = "flow_form";

    private final Bus bus;

    public HumanInputRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/human-input/form/:flowId", Access.everybody(), HumanInputRoutes::page, this::form);
        routes.get("/v1/human-input/chat/:flowId", Access.everybody(), HumanInputRoutes::page, this::chat);
    }

    private record FlowQuery(String flowId, boolean draft) {}

    private static FlowQuery page(Input input) {
        return new FlowQuery(
                input.id("flowId"), input.query().optionalFlag("useDraft").orElse(false));
    }

    private Future<ApiReply> form(ApiCall call, FlowQuery asked) {
        return flow(call, asked).map(flow -> found(asked, HumanInput.form(flow)));
    }

    private Future<ApiReply> chat(ApiCall call, FlowQuery asked) {
        return flow(call, asked)
                .compose(flow -> bus.ask(new Projects.Find(flow.flow().projectId()), call.deadlineMs())
                        .compose(project -> bus.ask(new Platforms.Get(project.platformId()), call.deadlineMs()))
                        .map(platform -> found(asked, HumanInput.chat(flow, platform))));
    }

    private static ApiReply found(FlowQuery asked, Optional<ObjectNode> view) {
        return ApiReply.ok(view.orElseThrow(() -> ApiException.notFound(ENTITY, asked.flowId())));
    }

    private Future<Flows.FlowWithVersion> flow(ApiCall call, FlowQuery asked) {
        return bus.ask(new Flows.Get(asked.flowId(), Optional.empty()), call.deadlineMs())
                .compose(latest -> asked.draft() ? Future.succeededFuture(latest) : published(call, latest))
                .recover(failure -> Future.failedFuture(
                        ApiException.isNotFound(failure) ? ApiException.notFound(ENTITY, asked.flowId()) : failure));
    }

    private Future<Flows.FlowWithVersion> published(ApiCall call, Flows.FlowWithVersion latest) {
        var versionId = latest.flow().publishedVersionId();
        return versionId == null
                ? Future.failedFuture(
                        ApiException.notFound(ENTITY, latest.flow().id()))
                : bus.ask(new Flows.Get(latest.flow().id(), Optional.of(versionId)), call.deadlineMs());
    }
}

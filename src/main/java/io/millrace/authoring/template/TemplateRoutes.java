package io.millrace.authoring.template;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;

/** Routes of templates (seed endpoints 3 to 5, contract admin-api 6). */
public final class TemplateRoutes implements RouteGroup {
    /** Categories for sorting templates in clients; the categories of a template are free texts. */
    public static final List<String> CATEGORIES = List.of(
            "ANALYTICS",
            "COMMUNICATION",
            "CONTENT",
            "CUSTOMER_SUPPORT",
            "DEVELOPMENT",
            "E_COMMERCE",
            "FINANCE",
            "HR",
            "IT_OPERATIONS",
            "MARKETING",
            "PRODUCTIVITY",
            "SALES");

    private final Bus bus;
    private final InstantSource clock;

    public TemplateRoutes(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
    }

    @Override
    public void mount(Routes routes) {
        routes.postDeep(
                "/v1/templates", Access.platform(), input -> NewTemplate.read(input.body(), now()), this::create);
        routes.get("/v1/templates", Access.anyPrincipal(), input -> TemplateFilter.read(input.query()), this::list);
        routes.get("/v1/templates/categories", Access.everybody(), _ -> true, (_, _) -> categories());
        routes.get("/v1/templates/:id", Access.everybody(), input -> input.id("id"), this::find);
        routes.postDeep("/v1/templates/:id", Access.platform(), this::changes, this::update);
        routes.delete("/v1/templates/:id", Access.platform(), input -> input.id("id"), this::delete);
    }

    private record Parameters(String templateId, TemplateChanges changes) {}

    private Parameters changes(Input input) {
        return new Parameters(input.id("id"), TemplateChanges.read(input.body(), now()));
    }

    private String now() {
        return Json.timestamp(clock.instant());
    }

    private Future<ApiReply> create(ApiCall call, NewTemplate parameters) {
        return bus.ask(new Templates.Create(call.principal(), parameters), call.deadlineMs())
                .map(template -> ApiReply.deep(200, template.toJson()));
    }

    /** Never paged. */
    private Future<ApiReply> list(ApiCall call, TemplateFilter filter) {
        return bus.ask(new Templates.ListVisible(call.principal(), filter), call.deadlineMs())
                .map(templates -> {
                    var answer = Json.object();
                    var data = answer.putArray("data");
                    templates.forEach(template -> data.add(template.toJson()));
                    return ApiReply.deep(200, answer.putNull("next").putNull("previous"));
                });
    }

    private static Future<ApiReply> categories() {
        var names = Json.array();
        CATEGORIES.forEach(names::add);
        return Future.succeededFuture(ApiReply.ok(names));
    }

    private Future<ApiReply> find(ApiCall call, String id) {
        return bus.ask(new Templates.Find(id), call.deadlineMs())
                .map(template -> ApiReply.deep(200, template.toJson()));
    }

    private Future<ApiReply> update(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Templates.Update(call.principal(), parameters.templateId(), parameters.changes()),
                        call.deadlineMs())
                .map(template -> ApiReply.deep(200, template.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Templates.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}

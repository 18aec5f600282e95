package io.millrace.authoring.flow.sample;

import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Samples over HTTP (contract flows-and-engine 21, admin-api 17): the stored value itself, without a wrapping. */
public final class SampleDataRoutes implements RouteGroup {
    private final Bus bus;

    public SampleDataRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(
                "/v1/sample-data", Access.projectInQuery(Permission.READ_FLOW), SampleDataRoutes::readFind, this::find);
        routes.post(
                "/v1/sample-data/preview",
                Access.projectInBody(Permission.WRITE_FLOW),
                SampleDataRoutes::readPreview,
                this::preview);
    }

    private static SampleData.Preview readPreview(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        if (!body.has("value")) {
            body.refuse("value", "Invalid input: expected a value, received undefined");
        }
        return new SampleData.Preview(body.raw("value"), body.object("samples"));
    }

    private Future<ApiReply> preview(ApiCall call, SampleData.Preview preview) {
        return bus.ask(preview, call.deadlineMs()).map(ApiReply::ok);
    }

    private static SampleData.Find readFind(Input input) {
        var query = input.query();
        return new SampleData.Find(
                query.text("projectId", Ids.PATTERN),
                query.text("flowId", Ids.PATTERN),
                query.text("flowVersionId", Ids.PATTERN),
                query.text("stepName"),
                query.option("type", SampleDataType.class));
    }

    /** A sample is an untrusted response of an external service; a browser must not render it as a page. */
    private Future<ApiReply> find(ApiCall call, SampleData.Find find) {
        return bus.ask(find, call.deadlineMs()).map(sample -> {
            call.context().response().putHeader("X-Content-Type-Options", "nosniff");
            return new ApiReply(200, sample.data(), sample.isText() ? "text/plain; charset=utf-8" : ApiReply.JSON);
        });
    }
}

package io.millrace.engine.run.flowtest;

import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** HTTP routes of the tests of flows: our own addition to the contract (decision 0464). */
public final class FlowTestRoutes implements RouteGroup {
    private static final Pattern VERSION = Pattern.compile("draft|published|[0-9a-zA-Z]{21}");
    private static final int TEST_IDS_MAX = 2_000;

    private final Bus bus;

    public FlowTestRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var read = Access.projectOfRow(Permission.READ_FLOW, Flows.ProjectOf::new);
        var write = Access.projectOfRow(Permission.WRITE_FLOW, Flows.ProjectOf::new);
        routes.get("/v1/flows/:id/tests", read, input -> input.id("id"), this::list);
        routes.post("/v1/flows/:id/tests", write, FlowTestRoutes::readNew, this::create);
        routes.post("/v1/flows/:id/tests/from-run", write, FlowTestRoutes::readFromRun, this::createFromRun);
        routes.post("/v1/flows/:id/tests/run", read, FlowTestRoutes::readRun, this::run);
        routes.get("/v1/flows/:id/tests/:testId", read, FlowTestRoutes::readOne, this::get);
        routes.post("/v1/flows/:id/tests/:testId", write, FlowTestRoutes::readChanged, this::replace);
        routes.delete("/v1/flows/:id/tests/:testId", write, FlowTestRoutes::readOne, this::delete);
    }

    private record TestKey(String flowId, String testId) {}

    private record TestInput(String flowId, FlowTestCase test) {}

    private record OfRun(String flowId, String runId, Optional<String> name) {}

    private static TestKey readOne(Input input) {
        return new TestKey(input.id("id"), input.parameter("testId"));
    }

    private static TestInput readNew(Input input) {
        return new TestInput(input.id("id"), FlowTestCase.read(Ids.next(), input.body()));
    }

    private static TestInput readChanged(Input input) {
        return new TestInput(input.id("id"), FlowTestCase.read(input.parameter("testId"), input.body()));
    }

    private static OfRun readFromRun(Input input) {
        var body = input.body();
        var runId = body.text("flowRunId", Ids.PATTERN);
        var name = body.isAbsent("name")
                ? Optional.<String>empty()
                : Optional.of(body.text("name", 1, Fields.NAME_LENGTH_MAX));
        return new OfRun(input.id("id"), runId, name);
    }

    private static FlowTests.Execute readRun(Input input) {
        var body = input.body();
        var ids = body.isAbsent("testIds") ? List.<String>of() : body.texts("testIds");
        if (ids.size() > TEST_IDS_MAX) {
            body.refuse("testIds", "Too big: expected array to have <=" + TEST_IDS_MAX + " items");
        }
        var version = body.optionalText("version", VERSION).orElse(FlowTests.Execute.DRAFT);
        return new FlowTests.Execute(input.id("id"), version, ids);
    }

    private Future<ApiReply> list(ApiCall call, String flowId) {
        return bus.ask(new FlowTests.Find(flowId), call.deadlineMs()).map(tests -> {
            var json = Json.object();
            var data = json.putArray("data");
            tests.forEach(test -> data.add(test.toJson()));
            return ApiReply.ok(json);
        });
    }

    private Future<ApiReply> get(ApiCall call, TestKey named) {
        return bus.ask(new FlowTests.Get(named.flowId(), named.testId()), call.deadlineMs())
                .map(test -> ApiReply.ok(test.toJson()));
    }

    private Future<ApiReply> create(ApiCall call, TestInput given) {
        return bus.ask(new FlowTests.Create(call.principal(), given.flowId(), given.test()), call.deadlineMs())
                .map(test -> ApiReply.created(test.toJson()));
    }

    private Future<ApiReply> replace(ApiCall call, TestInput given) {
        return bus.ask(new FlowTests.Replace(call.principal(), given.flowId(), given.test()), call.deadlineMs())
                .map(test -> ApiReply.ok(test.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, TestKey named) {
        return bus.ask(new FlowTests.Delete(call.principal(), named.flowId(), named.testId()), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> createFromRun(ApiCall call, OfRun of) {
        return bus.ask(
                        new FlowTests.CreateFromRun(call.principal(), of.flowId(), of.runId(), of.name()),
                        call.deadlineMs())
                .map(test -> ApiReply.created(test.toJson()));
    }

    private Future<ApiReply> run(ApiCall call, FlowTests.Execute run) {
        return bus.ask(run, call.deadlineMs()).map(ApiReply::ok);
    }
}

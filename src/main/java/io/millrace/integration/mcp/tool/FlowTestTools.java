package io.millrace.integration.mcp.tool;

import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.flowtest.FlowTests;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tools for the tests of a flow, which send nothing to the outside. */
final class FlowTestTools {
    private static final long DEADLINE_MS = 60_000;
    private static final String VERSION = "version";
    private static final String TEST_IDS = "testIds";
    private static final String RUN_ID = "flowRunId";
    private static final String NAME = "name";
    private static final int NAME_LENGTH_MAX = 255;
    private static final Pattern VERSIONS = Pattern.compile("draft|published|[0-9a-zA-Z]{21}");

    private final Bus bus;
    private final FlowAccess flows;

    FlowTestTools(Bus bus, FlowAccess flows) {
        this.bus = bus;
        this.flows = flows;
    }

    List<Tool> all() {
        return List.of(
                new Tool(
                        new ToolSpec(
                                "ap_list_flow_tests",
                                "List the tests of a flow",
                                "Lists the tests of a flow with their events, fixtures and expectations.",
                                FlowBuildingTools.ofFlow(),
                                Permission.READ_FLOW,
                                ToolSpec.Effect.READS),
                        this::list),
                new Tool(
                        new ToolSpec(
                                "ap_run_flow_tests",
                                "Run the tests of a flow",
                                "Executes tests of a flow with fixtures in place of outside effects: nothing is sent."
                                        + " Returns differences, steps that no fixture answers, and coverage.",
                                FlowBuildingTools.ofFlow()
                                        .text(VERSION, "draft (default), published, or the id of a version.")
                                        .list(TEST_IDS, "Ids of the tests. Default: all."),
                                Permission.READ_FLOW,
                                ToolSpec.Effect.READS),
                        this::run),
                new Tool(
                        new ToolSpec(
                                "ap_make_flow_test",
                                "Make a test of a run",
                                "Adds a test to a flow that expects the answer, the branches and the calls of an ended"
                                        + " run. Secrets are replaced.",
                                FlowBuildingTools.ofFlow()
                                        .text(RUN_ID, "Id of the run.")
                                        .text(NAME, "Name of the test.")
                                        .requiring(RUN_ID),
                                Permission.WRITE_FLOW,
                                ToolSpec.Effect.WRITES),
                        this::make));
    }

    private Future<ToolResult> list(Tool.Use use) {
        return flows.get(use)
                .compose(flow -> bus.ask(new FlowTests.Find(flow.flow().id()), DEADLINE_MS))
                .map(tests -> {
                    var json = Json.object();
                    var data = json.putArray("data");
                    tests.forEach(test -> data.add(test.toJson()));
                    return ToolResult.json(json);
                });
    }

    private Future<ToolResult> run(Tool.Use use) {
        var version = use.text(VERSION).isEmpty() ? FlowTests.Execute.DRAFT : use.text(VERSION);
        if (!VERSIONS.matcher(version).matches()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.VALIDATION,
                    "version: expected draft, published or the id of a version, found other text"));
        }
        var testIds = new ArrayList<String>();
        use.arguments().path(TEST_IDS).forEach(id -> testIds.add(id.asText()));
        return flows.get(use)
                .compose(flow -> bus.ask(new FlowTests.Execute(flow.flow().id(), version, testIds), DEADLINE_MS))
                .map(report -> {
                    var passed = report.path("passed").asInt();
                    var all = report.path("results").size();
                    return passed == all
                            ? ToolResult.done("All " + all + " tests pass.", report)
                            : new ToolResult(
                                    "\u26a0\ufe0f " + (all - passed) + " of " + all + " tests do not pass.\n\n"
                                            + ToolResult.json(report).text(),
                                    false);
                });
    }

    private Future<ToolResult> make(Tool.Use use) {
        var name = Optional.of(use.text(NAME)).filter(text -> !text.isEmpty());
        if (name.filter(text -> text.length() > NAME_LENGTH_MAX).isPresent()) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.VALIDATION, "name: expected at most " + NAME_LENGTH_MAX + " characters"));
        }
        return flows.get(use)
                .compose(flow -> bus.ask(
                        new FlowTests.CreateFromRun(use.by(), flow.flow().id(), use.text(RUN_ID), name), DEADLINE_MS))
                .map(test -> ToolResult.done("The test was added.", test.toJson()));
    }
}

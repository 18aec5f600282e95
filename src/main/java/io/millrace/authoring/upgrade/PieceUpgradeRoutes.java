package io.millrace.authoring.upgrade;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;
import java.util.regex.Pattern;

/** The upgrade of a piece in chosen flows of a project, over HTTP. */
public final class PieceUpgradeRoutes implements RouteGroup {
    private static final Pattern EXACT_VERSION = Pattern.compile("^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}$");
    private static final int FLOWS_MAX = 100;

    /** Timeout for downloads of two packages and changes of up to a hundred flows. */
    private static final long UPGRADE_MS_MAX = 120_000;

    private final Bus bus;

    public PieceUpgradeRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var authors = Access.projectInBody(Permission.WRITE_FLOW);
        routes.post("/v1/pieces/:name/upgrade", authors, UpgradeRequest::read, this::upgrade);
        routes.post("/v1/pieces/:scope/:name/upgrade", authors, UpgradeRequest::read, this::upgrade);
    }

    private record UpgradeRequest(
            String projectId, String name, String from, String to, List<String> flowIds, boolean dryRun) {
        static UpgradeRequest read(Input input) {
            var body = input.body();
            var scope = input.parameter("scope");
            var flowIds = body.requiredTexts("flowIds");
            if (flowIds.size() > FLOWS_MAX) {
                body.refuse("flowIds", "Too big: expected array to have <=" + FLOWS_MAX + " items");
            }
            for (var index = 0; index < flowIds.size(); index++) {
                if (!Ids.isId(flowIds.get(index))) {
                    body.refuse("flowIds/" + index, "Invalid input: expected the id of a flow");
                }
            }
            return new UpgradeRequest(
                    body.text("projectId", Ids.PATTERN),
                    scope.isEmpty() ? input.parameter("name") : scope + "/" + input.parameter("name"),
                    body.text("from", EXACT_VERSION),
                    body.text("to", EXACT_VERSION),
                    flowIds.stream().distinct().toList(),
                    body.optionalFlag("dryRun").orElse(false));
        }
    }

    private Future<ApiReply> upgrade(ApiCall call, UpgradeRequest request) {
        return bus.ask(
                        new PieceUpgrades.Upgrade(
                                call.principal(),
                                request.projectId(),
                                request.name(),
                                request.from(),
                                request.to(),
                                request.flowIds(),
                                request.dryRun()),
                        UPGRADE_MS_MAX)
                .map(outcome -> ApiReply.ok(json(outcome)));
    }

    private static ObjectNode json(PieceUpgrades.Outcome outcome) {
        var json = Json.object();
        json.set("changes", outcome.changes().toJson());
        var flows = json.putArray("flows");
        for (var flow : outcome.flows()) {
            var steps = flows.addObject()
                    .put("flowId", flow.flowId())
                    .put("displayName", flow.displayName())
                    .put("applied", flow.applied())
                    .putArray("steps");
            flow.steps().forEach(step -> steps.add(step.toJson()));
        }
        return json;
    }
}

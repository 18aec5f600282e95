package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.PageRequest;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class AgentUsage {
    private static final String STEP = "run_agent";
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;

    AgentUsage(Bus bus) {
        this.bus = bus;
    }

    Future<List<String>> flowsRunning(String projectId, String externalId) {
        return collect(projectId, externalId, new PageRequest(PageRequest.LIMIT_MAX, null, false), new ArrayList<>());
    }

    private Future<List<String>> collect(String projectId, String externalId, PageRequest page, List<String> names) {
        var filter = new Flows.Filter(
                projectId,
                List.of(FlowStatus.ENABLED),
                Optional.empty(),
                List.of(),
                new Flows.Filter.UsedObjects(List.of(), List.of(externalId)),
                List.of(),
                false,
                Flows.VersionChoice.LOCKED);
        return bus.ask(new Flows.Find(filter, page), DEADLINE_MS).compose(found -> {
            found.data().stream()
                    .filter(flow -> names(flow.toJson().at("/version/trigger"), externalId))
                    .map(flow -> flow.version().displayName())
                    .forEach(names::add);
            return found.next() == null
                    ? Future.succeededFuture(names)
                    : collect(
                            projectId,
                            externalId,
                            PageRequest.parse(PageRequest.LIMIT_MAX, found.next())
                                    .orElseThrow(),
                            names);
        });
    }

    private static boolean names(JsonNode step, String externalId) {
        var here = step.at("/settings/actionName").asText("").equals(STEP)
                && step.at("/settings/input/agentId").asText("").equals(externalId);
        return here || step.valueStream().anyMatch(inner -> inner.isContainerNode() && names(inner, externalId));
    }
}

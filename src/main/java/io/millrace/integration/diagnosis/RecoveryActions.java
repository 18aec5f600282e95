package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.config.Setting;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RetryStrategy;
import io.millrace.engine.run.Run;
import io.millrace.integration.diagnosis.DiagnosisStore.UsedConnection;
import io.millrace.integration.failure.CauseClass;
import io.millrace.integration.failure.CauseRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Actions after a failure, the most specific first. Each is an operation of the API, or names the setting to change. */
final class RecoveryActions {
    private final Run run;
    private final CauseRule rule;
    private final Map<String, String> limits;

    RecoveryActions(Run run, CauseRule rule, Map<String, String> limits) {
        this.run = run;
        this.rule = rule;
        this.limits = limits;
    }

    List<ObjectNode> list(List<UsedConnection> connections) {
        var actions = new ArrayList<ObjectNode>();
        if (rule.cause() == CauseClass.CREDENTIALS) {
            connections.forEach(connection -> actions.add(reconnect(connection)));
        }
        rule.setting().ifPresent(setting -> actions.add(raise(setting)));
        if (run.failedStep() != null) {
            actions.add(replay(run.failedStep().name()));
        }
        actions.add(retry(RetryStrategy.FROM_FAILED_STEP));
        actions.add(retry(RetryStrategy.ON_LATEST_VERSION));
        if (run.stepNameToTest() == null) {
            actions.add(makeTest());
        }
        return actions;
    }

    private ObjectNode reconnect(UsedConnection connection) {
        return Json.object()
                .put("kind", "RECONNECT")
                .put("method", "POST")
                .put("path", "/api/v1/app-connections")
                .put("permission", Permission.WRITE_APP_CONNECTION.name())
                .put("connectionId", connection.id())
                .put("externalId", connection.externalId())
                .put("displayName", connection.displayName())
                .put("console", "/projects/" + run.projectId() + "/connections");
    }

    private ObjectNode raise(Setting setting) {
        return Json.object()
                .put("kind", "RAISE_LIMIT")
                .put("setting", setting.name())
                .put("value", limits.getOrDefault(setting.name(), ""));
    }

    private ObjectNode replay(String step) {
        var action = call("REPLAY", "replay");
        action.putObject("body").put("step", step).put("effects", "perform");
        return action;
    }

    private ObjectNode retry(RetryStrategy strategy) {
        var action = call("RETRY", "retry");
        action.putObject("body").put("projectId", run.projectId()).put("strategy", strategy.name());
        return action;
    }

    private ObjectNode makeTest() {
        var action = Json.object()
                .put("kind", "MAKE_TEST")
                .put("method", "POST")
                .put("path", "/api/v1/flows/" + run.flowId() + "/tests/from-run")
                .put("permission", Permission.WRITE_FLOW.name());
        action.putObject("body").put("flowRunId", run.id());
        return action;
    }

    private ObjectNode call(String kind, String operation) {
        return Json.object()
                .put("kind", kind)
                .put("method", "POST")
                .put("path", "/api/v1/flow-runs/" + run.id() + "/" + operation)
                .put("permission", Permission.WRITE_RUN.name());
    }
}

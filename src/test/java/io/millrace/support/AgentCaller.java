package io.millrace.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import java.util.concurrent.atomic.AtomicReference;

/** Client that starts agent runs in a project and waits for them. */
public record AgentCaller(TestServer.SignedIn user) {
    /** Route of agent runs. */
    public static final String RUNS = "/v1/agents/runs";

    /** Request body that gives the agent an instruction. */
    public ObjectNode order(String instruction) {
        return Json.object().put("projectId", user.projectId()).put("instruction", instruction);
    }

    public Answer start(ObjectNode order) {
        return user.api().post(RUNS, order);
    }

    /** Starts a run and returns it after its end. */
    public JsonNode run(ObjectNode order) {
        return ended(start(order));
    }

    /** Returns the started run after its end. */
    public JsonNode ended(Answer started) {
        if (started.status() != 200) {
            throw new AssertionError("expected the agent to begin, found " + started);
        }
        return ended(started.text("/runId"));
    }

    /** Returns the run with that id after its end. */
    public JsonNode ended(String runId) {
        var found = new AtomicReference<JsonNode>();
        Waiting.until("the agent has ended", () -> {
            var run = user.api().get(RUNS + "/" + runId);
            found.set(run.body());
            return !run.text("/status").equals("STREAMING");
        });
        return found.get();
    }
}

package io.millrace.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.util.List;

/**
 * Flows that attacks call, by their ids; each kind is in a separate project, as if from different authors.
 *
 * @param echo responds with its request body
 * @param unzip unpacks the received file
 * @param paused pauses with its whole payload until long after other runs have paused
 * @param bombs run code that uses memory, time or output space without a bound
 */
record AttackedFlows(String echo, String unzip, String paused, List<String> bombs) {
    private static final int PAUSE_SECONDS = 20;

    private static final List<String> BOMBS = List.of(
            "export const code = async () => { const held = []; while (true) held.push(new Array(10000).fill(1)); };",
            "export const code = async () => { while (true) {} };",
            "export const code = async () => 'x'.repeat(200 * 1024 * 1024);");

    /** Publishes the flows, each in a new project, on the server of the calm client's flow. */
    static AttackedFlows publish(PublishedFlow calm) {
        var unzip = Json.object().put("file", "{{trigger.output.body.file}}");
        return new AttackedFlows(
                publish(calm, FlowScript.webhook().returnJson("step_1", "{'body':'{{trigger.output.body}}'}")),
                publish(
                        calm,
                        FlowScript.webhook()
                                .piece("step_1", "@activepieces/piece-file-helper", "0.2.0", "unzipFile", unzip)),
                publish(
                        calm,
                        FlowScript.webhook().delay("step_1", PAUSE_SECONDS).map("step_2", "{'done':true}")),
                BOMBS.stream()
                        .map(bomb -> publish(calm, FlowScript.webhook().code("step_1", bomb)))
                        .toList());
    }

    private static String publish(PublishedFlow calm, FlowScript script) {
        JsonNode flow = script.importOperation("Attacked").path("request");
        return calm.inProjectOfItsOwn(flow).flowId();
    }
}

package io.millrace.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * DSL for flows: a trigger and a sequence of steps, converted to the JSON of IMPORT_FLOW. JSON texts are written with
 * single quotes, so expressions use dots: {@code {'a':'{{step_1.output.b}}'}}.
 */
public final class FlowScript {
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    private static final String SUBFLOWS = "@activepieces/piece-subflows";
    private static final String APPROVAL = "@activepieces/piece-approval";

    private final ObjectNode trigger;
    private final List<ObjectNode> steps = new ArrayList<>();

    private FlowScript(ObjectNode trigger) {
        this.trigger = trigger;
    }

    /** A flow that is started by its webhook. */
    public static FlowScript webhook() {
        return webhook("{'authType':'none'}");
    }

    /** A flow that is started by its webhook, with this input of the trigger. */
    public static FlowScript webhook(String input) {
        var trigger = header("trigger", "PIECE_TRIGGER");
        var settings = pieceSettings(WEBHOOK, "0.1.29", input).put("triggerName", "catch_webhook");
        trigger.set("settings", settings);
        return new FlowScript(trigger);
    }

    /** Sets the deduplication key of the trigger. */
    public FlowScript deliveryId(String expression) {
        ((ObjectNode) trigger.get("settings")).put("deliveryId", expression);
        return this;
    }

    /** A flow that is started by a piece's trigger. */
    public static FlowScript trigger(String pieceName, String version, String triggerName, String input) {
        var trigger = header("trigger", "PIECE_TRIGGER");
        trigger.set("settings", pieceSettings(pieceName, version, input).put("triggerName", triggerName));
        return new FlowScript(trigger);
    }

    /** A flow that starts at the times of a cron expression. */
    public static FlowScript cron(String expression, String timezone) {
        return trigger(
                "@activepieces/piece-schedule",
                "0.1.17",
                "cron_expression",
                "{'cronExpression':'" + expression + "','timezone':'" + timezone + "'}");
    }

    /** A flow that other flows call. */
    public static FlowScript callable() {
        var trigger = header("trigger", "PIECE_TRIGGER");
        var input = "{'mode':'simple','exampleData':{'sampleData':{}}}";
        trigger.set("settings", pieceSettings(SUBFLOWS, "0.6.3", input).put("triggerName", "callableFlow"));
        return new FlowScript(trigger);
    }

    /** Calls another flow with this payload. */
    public FlowScript callFlow(String name, String externalId, String payload, boolean waits) {
        var input =
                Json.object().put("flowId", externalId).put("mode", "simple").put("waitForResponse", waits);
        input.putObject("flowProps").set("payload", json(payload));
        return piece(name, SUBFLOWS, "0.6.3", "callFlow", input);
    }

    /** Returns a value to the calling flow. */
    public FlowScript returnToCaller(String name, String response) {
        var input = Json.object().put("mode", "simple");
        input.putObject("response").set("response", json(response));
        return piece(name, SUBFLOWS, "0.6.3", "returnResponse", input);
    }

    /** Steps without a trigger, for the body of a loop or of a branch. */
    public static FlowScript steps() {
        return new FlowScript(null);
    }

    /** A step that runs code without inputs. */
    public FlowScript code(String name, String source) {
        return code(name, source, "{}");
    }

    /** A step that runs code; {@code input} is passed to the code. */
    public FlowScript code(String name, String source, String input) {
        return code(name, source, input, Map.of());
    }

    /** Runs code that uses npm packages, by name and range. */
    public FlowScript code(String name, String source, String input, Map<String, String> packages) {
        var step = header(name, "CODE");
        var settings = step.putObject("settings");
        var manifest = Json.object();
        packages.forEach(manifest.putObject("dependencies")::put);
        settings.putObject("sourceCode")
                .put("code", source)
                .put("packageJson", packages.isEmpty() ? "{}" : Json.text(manifest));
        settings.set("input", json(input));
        return add(step);
    }

    /** A step that runs Python code; {@code input} is passed to the code. */
    public FlowScript python(String name, String source, String input) {
        var step = header(name, "CODE");
        var settings = step.putObject("settings");
        settings.putObject("sourceCode")
                .put("code", source)
                .put("packageJson", "{}")
                .put("language", "python");
        settings.set("input", json(input));
        return add(step);
    }

    /** A pure step whose output is the mapping, resolved. */
    public FlowScript map(String name, String mapping) {
        var input = Json.object();
        input.set("mapping", json(mapping));
        return piece(name, "@activepieces/piece-data-mapper", "0.3.15", "advanced_mapping", input);
    }

    /** A step that runs an action of a piece. */
    public FlowScript piece(String name, String pieceName, String version, String action, JsonNode input) {
        var step = header(name, "PIECE");
        var settings = pieceSettings(pieceName, version, "{}").put("actionName", action);
        settings.set("input", input);
        step.set("settings", settings);
        return add(step);
    }

    /** An outgoing HTTP request; the step is not pure. */
    public FlowScript http(String name, String method, String url) {
        var input = Json.object()
                .put("method", method)
                .put("url", url)
                .put("authType", "NONE")
                .put("body_type", "none")
                .put("sendIdempotencyKey", true);
        input.putObject("headers");
        input.putObject("queryParams");
        input.putObject("authFields");
        return piece(name, "@activepieces/piece-http", "0.11.13", "send_request", input);
    }

    /** Stores a value in the flow's store. */
    public FlowScript storePut(String name, String key, String value) {
        var input = Json.object().put("key", key).put("value", value).put("store_scope", "FLOW");
        return piece(name, "@activepieces/piece-store", "0.6.20", "put", input);
    }

    /** Waits that many seconds. */
    public FlowScript delay(String name, int seconds) {
        var input = Json.object().put("unit", "seconds").put("delayFor", seconds);
        return piece(name, "@activepieces/piece-delay", "0.3.26", "delayFor", input);
    }

    /** Creates approval links. */
    public FlowScript approvalLinks(String name) {
        return piece(name, APPROVAL, "0.1.13", "create_approval_links", Json.object());
    }

    /** Waits for the decision on an approval link. */
    public FlowScript waitForApproval(String name) {
        return piece(name, APPROVAL, "0.1.13", "wait_for_approval", Json.object());
    }

    /** Requests an approval and waits for it. */
    public FlowScript requestApproval(String name, String input) {
        return piece(name, APPROVAL, "0.1.13", "request_approval", json(input));
    }

    /** Responds to the caller with a JSON body, and waits for its next call. */
    public FlowScript answerAndWait(String name, String body) {
        var input = json("{'responseType':'json','fields':{'status':200,'headers':{},'body':" + body + "}}");
        return piece(name, WEBHOOK, "0.1.29", "return_response_and_wait_for_next_webhook", input);
    }

    /** Responds to the caller with a JSON body and ends the run. */
    public FlowScript returnJson(String name, String body) {
        return answer(name, body, "stop");
    }

    /** Responds to the caller with a JSON body and continues the run. */
    public FlowScript respondJson(String name, String body) {
        return answer(name, body, "respond");
    }

    private FlowScript answer(String name, String body, String respond) {
        var input = Json.object().put("responseType", "json").put("respond", respond);
        var fields = input.putObject("fields").put("status", 200);
        fields.putObject("headers");
        fields.set("body", json(body));
        return piece(name, WEBHOOK, "0.1.29", "return_response", input);
    }

    /** Repeats the body for each item. */
    public FlowScript loop(String name, String items, FlowScript body) {
        var step = header(name, "LOOP_ON_ITEMS");
        step.putObject("settings").put("items", items);
        if (!body.steps.isEmpty()) {
            step.set("firstLoopAction", body.chain());
        }
        return add(step);
    }

    /** Repeats the body for each of the event's {@code xs}. */
    public FlowScript eachX(String name, FlowScript body) {
        return loop(name, "{{trigger.output.body.xs}}", body);
    }

    /** An event whose {@code xs} are this many numbers, from 0 on. */
    public static ObjectNode xs(int count) {
        var event = Json.object();
        IntStream.range(0, count).forEach(event.putArray("xs")::add);
        return event;
    }

    /** Executes only the first branch whose condition holds. */
    public FlowScript firstMatch(String name, Branch... branches) {
        return router(name, "EXECUTE_FIRST_MATCH", branches);
    }

    /** Executes every branch whose condition holds. */
    public FlowScript allMatches(String name, Branch... branches) {
        return router(name, "EXECUTE_ALL_MATCH", branches);
    }

    private FlowScript router(String name, String executionType, Branch... branches) {
        var step = header(name, "ROUTER");
        var settings = step.putObject("settings").put("executionType", executionType);
        var described = settings.putArray("branches");
        var children = step.putArray("children");
        for (var branch : branches) {
            described.add(branch.settings());
            children.add(branch.steps().chain());
        }
        return add(step);
    }

    /** A branch of a router. */
    public record Branch(ObjectNode settings, FlowScript steps) {
        /** Holds when the two texts are equal. */
        public static Branch whenEqual(String name, String first, String second, FlowScript steps) {
            var settings = Json.object().put("branchType", "CONDITION").put("branchName", name);
            settings.putArray("conditions")
                    .addArray()
                    .addObject()
                    .put("operator", "TEXT_EXACTLY_MATCHES")
                    .put("firstValue", first)
                    .put("secondValue", second);
            return new Branch(settings, steps);
        }

        /** Holds when no other branch does. */
        public static Branch otherwise(FlowScript steps) {
            return new Branch(Json.object().put("branchType", "FALLBACK").put("branchName", "Otherwise"), steps);
        }
    }

    /** Lets the run continue after a failure of the last step. */
    public FlowScript continuing() {
        return withOption("continueOnFailure");
    }

    /** Lets the run continue after the last step, on its success or its failure branch. */
    public FlowScript continuing(FlowScript onSuccess, FlowScript onFailure) {
        withOption("continueOnFailure");
        var branches = steps.getLast().putObject("continueOnFailureBranches");
        branches.set("onSuccess", onSuccess.chain());
        branches.set("onFailure", onFailure.chain());
        return this;
    }

    /** Retries the last step when it fails. */
    public FlowScript retrying() {
        return withOption("retryOnFailure");
    }

    /** Does not execute the last step again after its server has ended during it. */
    public FlowScript failingOnCrash() {
        var settings = (ObjectNode) steps.getLast().get("settings");
        settings.withObjectProperty("errorHandlingOptions").put("onCrash", "fail");
        return this;
    }

    private FlowScript withOption(String option) {
        var settings = (ObjectNode) steps.getLast().get("settings");
        settings.withObjectProperty("errorHandlingOptions").putObject(option).put("value", true);
        return this;
    }

    /** Skips the last step. */
    public FlowScript skipped() {
        steps.getLast().put("skip", true);
        return this;
    }

    /** The trigger, linked to all steps. */
    public ObjectNode tree() {
        var root = trigger.deepCopy();
        if (!steps.isEmpty()) {
            root.set("nextAction", chain());
        }
        return root;
    }

    /** The operation that replaces a flow by this one. */
    public ObjectNode importOperation(String displayName) {
        var operation = Json.object().put("type", "IMPORT_FLOW");
        operation
                .putObject("request")
                .put("displayName", displayName)
                .put("schemaVersion", FlowVersion.SCHEMA_VERSION)
                .set("trigger", tree());
        return operation;
    }

    /** Parses JSON with single quotes. */
    public static JsonNode json(String singleQuoted) {
        return Json.trusted(singleQuoted.replace('\'', '"'));
    }

    private FlowScript add(ObjectNode step) {
        steps.add(step);
        return this;
    }

    /** The linked steps; null without any. */
    private ObjectNode chain() {
        ObjectNode next = null;
        for (var step : steps.reversed()) {
            var copy = step.deepCopy();
            if (next != null) {
                copy.set("nextAction", next);
            }
            next = copy;
        }
        return next;
    }

    private static ObjectNode header(String name, String type) {
        return Json.object()
                .put("name", name)
                .put("displayName", "The " + name)
                .put("type", type)
                .put("valid", true)
                .put("lastUpdatedDate", "2026-01-05T10:20:30.123Z");
    }

    private static ObjectNode pieceSettings(String pieceName, String version, String input) {
        var settings = Json.object().put("pieceName", pieceName).put("pieceVersion", version);
        settings.set("input", json(input));
        settings.putObject("propertySettings");
        return settings;
    }
}

package io.millrace.authoring.flow.warning;

import static io.millrace.authoring.flow.warning.CheckedFlows.MANUAL;
import static io.millrace.authoring.flow.warning.CheckedFlows.WEBHOOK;
import static io.millrace.authoring.flow.warning.CheckedFlows.code;
import static io.millrace.authoring.flow.warning.CheckedFlows.flow;
import static io.millrace.authoring.flow.warning.CheckedFlows.loop;
import static io.millrace.authoring.flow.warning.CheckedFlows.piece;
import static io.millrace.authoring.flow.warning.CheckedFlows.pieceTrigger;
import static io.millrace.authoring.flow.warning.CheckedFlows.skipped;
import static io.millrace.authoring.flow.warning.CheckedFlows.warnings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules about fields of steps, headers and parameters: duplicate names that hide a value, and empty names. */
final class FieldRulesTest {
    private static final String HTTP = "@activepieces/piece-http";
    private static final String WEBHOOK_PIECE = "@activepieces/piece-webhook";
    private static final String MCP = "@activepieces/piece-mcp";

    static Stream<Arguments> directFields() {
        return Stream.of(
                arguments("trigger.body", "trigger has no field body, so its value is empty"),
                arguments("trigger[`body`][`id`]", "step_1: input/v: trigger has no field body"),
                arguments("trigger?.headers", "trigger has no field headers"),
                arguments("trigger?.[`a b`]", "write trigger['output']['a b']"),
                arguments("1 + trigger.queryParams.n", "trigger has no field queryParams"),
                arguments("trigger.Output", "trigger has no field Output"),
                arguments("`x` + trigger . outputs", "trigger has no field outputs"),
                arguments("trigger", ""),
                arguments("trigger.output.body", ""),
                arguments("trigger[ `output` ].trigger", ""),
                arguments("trigger[`error`].message", ""),
                arguments("trigger[`out` + `put`]", ""),
                arguments("`trigger.body`", ""),
                arguments("connections.trigger.body", ""),
                arguments("variables[`trigger`]", ""),
                arguments("step_7.body", ""),
                arguments("a.trigger.body", ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("directFields")
    void warnsOfFieldsThatNoStepHas(String expression, String part) {
        var found = warnings(new DirectFieldRule(), flow(WEBHOOK, code("step_1", "{'v':'{{" + expression + "}}'}")));

        if (part.isEmpty()) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).singleElement().asString().contains(part);
        }
    }

    static Stream<Arguments> flows() {
        var direct = new DirectFieldRule();
        var repeated = new RepeatedHeaderRule();
        var colliding = new CollidingInputsRule();
        return Stream.of(
                arguments(
                        direct,
                        "step_2: items: step_1 has no field list",
                        flow(MANUAL, code("step_1", "{}"), loop("step_2", "{{step_1.list}}"))),
                arguments(
                        direct,
                        "step_3: input/v: step_2 has no field item",
                        flow(MANUAL, loop("step_2", "{{trigger.output}}", code("step_3", "{'v':'{{step_2.item}}'}")))),
                arguments(direct, "", flow(MANUAL, code("step_1", "{'v':'the trigger.body of {{trigger.output}}'}"))),
                arguments(direct, "", flow(MANUAL, skipped(code("step_1", "{'v':'{{trigger.body}}'}")))),
                arguments(
                        direct,
                        "input/v: trigger has no field a",
                        flow(MANUAL, code("step_1", "{'v':'{{trigger.a}} and {{trigger.a}}'}"))),
                arguments(
                        repeated,
                        "step_1: input/headers: \"X-A\" and \"x-a\" are the same header",
                        http("{'headers':{'X-A':'1','x-a':'2'}}")),
                arguments(
                        repeated,
                        "\"X-A\" and \"X-A \" are the same header",
                        http("{'headers':{'X-A':'1','X-A ':'2'}}")),
                arguments(
                        repeated,
                        "input/fields/headers",
                        flow(
                                WEBHOOK,
                                piece(
                                        "step_1",
                                        WEBHOOK_PIECE,
                                        "return_response",
                                        "{'fields':{'headers':{'Content-Type':'a/b','content-type':'c/d'}}}"))),
                arguments(
                        repeated,
                        "input/customHeaders",
                        flow(
                                MANUAL,
                                piece(
                                        "step_1",
                                        "@activepieces/piece-smtp",
                                        "send-email",
                                        "{'customHeaders':{'X-A':1,'x-A':2}}"))),
                arguments(repeated, "", http("{'headers':{'X-A':'1','X-B':'2'}}")),
                arguments(repeated, "", http("{'headers':{'X-A':'1','x-a':null}}")),
                arguments(repeated, "", http("{'queryParams':{'a':'1','A':'2'}}")),
                arguments(repeated, "", http("{'headers':'{{trigger.output}}'}")),
                arguments(repeated, "", flow(MANUAL, code("step_1", "{'headers':{'a':1,'A':2}}"))),
                arguments(
                        colliding,
                        "input/inputSchema: the inputs \"city\" and \"city\" share the field city",
                        tool("city", "city")),
                arguments(colliding, "", tool("city", "City")),
                arguments(colliding, "", tool("city", "town")));
    }

    private static CheckedFlow http(String input) {
        return flow(MANUAL, piece("step_1", HTTP, "send_request", input));
    }

    private static CheckedFlow tool(String first, String second) {
        return flow(pieceTrigger(
                MCP,
                "mcp_tool",
                "{'inputSchema':[{'name':'" + first + "','type':'Text'},{'name':'" + second + "','type':'Text'}]}"));
    }

    @ParameterizedTest(name = "{1} {index}")
    @MethodSource("flows")
    void warnsOfHiddenValues(WarningRule rule, String part, CheckedFlow flow) {
        if (part.isEmpty()) {
            assertThat(warnings(rule, flow)).isEqualTo(List.of());
        } else {
            assertThat(warnings(rule, flow)).singleElement().asString().contains(part);
        }
    }
}

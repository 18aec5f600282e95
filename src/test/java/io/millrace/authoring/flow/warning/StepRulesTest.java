package io.millrace.authoring.flow.warning;

import static io.millrace.authoring.flow.warning.CheckedFlows.MANUAL;
import static io.millrace.authoring.flow.warning.CheckedFlows.WEBHOOK;
import static io.millrace.authoring.flow.warning.CheckedFlows.branch;
import static io.millrace.authoring.flow.warning.CheckedFlows.code;
import static io.millrace.authoring.flow.warning.CheckedFlows.fallback;
import static io.millrace.authoring.flow.warning.CheckedFlows.flow;
import static io.millrace.authoring.flow.warning.CheckedFlows.loop;
import static io.millrace.authoring.flow.warning.CheckedFlows.piece;
import static io.millrace.authoring.flow.warning.CheckedFlows.pieceTrigger;
import static io.millrace.authoring.flow.warning.CheckedFlows.router;
import static io.millrace.authoring.flow.warning.CheckedFlows.skipped;
import static io.millrace.authoring.flow.warning.CheckedFlows.warnings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of the rules about the order of steps: for each rule, flows with and without a warning. */
final class StepRulesTest {
    private static final String HTTP = "@activepieces/piece-http";
    private static final String TABLES = "@activepieces/piece-tables";
    private static final String RESPONSE = "@activepieces/piece-webhook";
    private static final String TRUE = "[[{'operator':'TEXT_EXACTLY_MATCHES','firstValue':'a','secondValue':'a'}]]";
    private static final String FALSE = "[[{'operator':'TEXT_EXACTLY_MATCHES','firstValue':'a','secondValue':'b'}]]";
    private static final String OPEN =
            "[[{'operator':'TEXT_EXACTLY_MATCHES','firstValue':'{{trigger[`output`]}}','secondValue':'b'}]]";
    private static final String OTHER =
            "[[{'operator':'TEXT_EXACTLY_MATCHES','firstValue':'{{trigger[`output`]}}','secondValue':'c'}]]";

    private static String reads(String name, String read) {
        return code(name, "{'v':'{{" + read + "[`output`]}}'}");
    }

    private static Arguments warns(String about, WarningRule rule, String part, CheckedFlow flow) {
        return arguments(named(about, rule), part, flow);
    }

    private static Arguments silent(String about, WarningRule rule, CheckedFlow flow) {
        return arguments(named(about, rule), "", flow);
    }

    static Stream<Arguments> missingSteps() {
        var rule = new MissingStepRule();
        return Stream.of(
                warns(
                        "deleted step",
                        rule,
                        "step_1: input/v: the step step_9 does not exist",
                        flow(MANUAL, reads("step_1", "step_9"))),
                warns(
                        "deleted step with a name of its own",
                        rule,
                        "the step fetch_order does not exist",
                        flow(MANUAL, reads("step_1", "fetch_order"))),
                warns(
                        "deleted step in a condition",
                        rule,
                        "the step step_7 does not exist",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "["
                                                + branch(
                                                        "A",
                                                        "[[{'operator':'EXISTS','firstValue':'{{step_7[`output`]}}'}]]")
                                                + "]",
                                        (String) null))),
                warns(
                        "deleted step as items",
                        rule,
                        "the step step_3 does not exist",
                        flow(MANUAL, loop("step_1", "{{step_3[`output`]}}"))),
                warns(
                        "deleted step in a nested list",
                        rule,
                        "input/list/1/x",
                        flow(MANUAL, code("step_1", "{'list':[1,{'x':'a {{step_4.output.b}} c'}]}"))),
                warns(
                        "deleted step in a formula",
                        rule,
                        "the step step_4 does not exist",
                        flow(MANUAL, code("step_1", "{'x':'{{[1].map(n => n + step_4[`output`])}}'}"))),
                warns(
                        "skipped step",
                        rule,
                        "the step step_1 is skipped",
                        flow(MANUAL, skipped(code("step_1", "{}")), reads("step_2", "step_1"))),
                silent("existing step", rule, flow(MANUAL, code("step_1", "{}"), reads("step_2", "step_1"))),
                silent("trigger", rule, flow(MANUAL, reads("step_1", "trigger"))),
                silent("reader is skipped", rule, flow(MANUAL, skipped(reads("step_1", "step_9")))),
                silent("name in plain text", rule, flow(MANUAL, code("step_1", "{'v':'step_9'}"))),
                silent(
                        "parameter of a function",
                        rule,
                        flow(MANUAL, code("step_1", "{'v':'{{trigger[`output`].map(item => item.output)}}'}"))),
                silent(
                        "connections and variables",
                        rule,
                        flow(MANUAL, code("step_1", "{'v':'{{connections[`a`]}}','w':'{{variables[`output`]}}'}"))),
                silent(
                        "member that is called like a step",
                        rule,
                        flow(MANUAL, code("step_1", "{'v':'{{trigger[`output`].step_9}}'}"))));
    }

    static Stream<Arguments> lateSteps() {
        var rule = new LateStepRule();
        var branches = "[" + branch("A", OPEN) + "," + fallback() + "]";
        return Stream.of(
                warns(
                        "later step",
                        rule,
                        "step_1: input/v: the step step_2 runs after this step",
                        flow(MANUAL, reads("step_1", "step_2"), code("step_2", "{}"))),
                warns("itself", rule, "the step step_1 is this step itself", flow(MANUAL, reads("step_1", "step_1"))),
                warns(
                        "other branch",
                        rule,
                        "the step step_2 is in another branch",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        branches,
                                        code("step_2", "{}"),
                                        reads("step_3", "step_2")))),
                warns(
                        "loop over its own body",
                        rule,
                        "the step step_2 runs after this step",
                        flow(MANUAL, loop("step_1", "{{step_2[`output`]}}", code("step_2", "{}")))),
                silent("earlier step", rule, flow(MANUAL, code("step_1", "{}"), reads("step_2", "step_1"))),
                silent(
                        "branch before",
                        rule,
                        flow(
                                MANUAL,
                                router("step_1", "EXECUTE_FIRST_MATCH", branches, code("step_2", "{}"), null),
                                reads("step_3", "step_2"))),
                silent(
                        "all branches run",
                        rule,
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_ALL_MATCH",
                                        branches,
                                        code("step_2", "{}"),
                                        reads("step_3", "step_2")))),
                silent(
                        "item of the loop",
                        rule,
                        flow(MANUAL, loop("step_1", "{{trigger[`output`]}}", reads("step_2", "step_1")))),
                silent(
                        "value of the previous item",
                        rule,
                        flow(
                                MANUAL,
                                loop(
                                        "step_1",
                                        "{{trigger[`output`]}}",
                                        reads("step_2", "step_3"),
                                        code("step_3", "{}")))),
                silent(
                        "own value of the previous item",
                        rule,
                        flow(MANUAL, loop("step_1", "{{trigger[`output`]}}", reads("step_2", "step_2")))),
                silent("deleted step", rule, flow(MANUAL, reads("step_1", "step_9"))));
    }

    static Stream<Arguments> unreachableSteps() {
        var rule = new UnreachableStepsRule();
        var then = code("step_2", "{}");
        var otherwise = code("step_3", "{}");
        return Stream.of(
                warns(
                        "conditions never true",
                        rule,
                        "step_1: the branch \"A\" never runs: its conditions are never true",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", FALSE) + "," + fallback() + "]",
                                        then,
                                        null))),
                warns(
                        "no condition",
                        rule,
                        "its conditions are never true",
                        flow(MANUAL, router("step_1", "EXECUTE_ALL_MATCH", "[" + branch("A", "[]") + "]", then))),
                warns(
                        "after a constant branch",
                        rule,
                        "the branch \"B\" never runs: the branch \"A\" always runs instead",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", TRUE) + "," + branch("B", OPEN) + "]",
                                        null,
                                        then))),
                warns(
                        "fallback of a constant branch",
                        rule,
                        "the branch \"Otherwise\" never runs",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_ALL_MATCH",
                                        "[" + branch("A", TRUE) + "," + fallback() + "]",
                                        null,
                                        then))),
                warns(
                        "same conditions",
                        rule,
                        "the branch \"A\" has the same conditions",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", OPEN) + "," + branch("B", OPEN) + "]",
                                        then,
                                        otherwise))),
                warns(
                        "branch that was deleted",
                        rule,
                        "no longer has this branch",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", OPEN) + "]",
                                        then,
                                        otherwise))),
                warns(
                        "after the last response",
                        rule,
                        "step_2: never runs: the response of step_1 ends the run",
                        flow(WEBHOOK, piece("step_1", RESPONSE, "return_response", "{'respond':'stop'}"), then)),
                warns(
                        "after a response with the default",
                        rule,
                        "step_2: never runs",
                        flow(WEBHOOK, piece("step_1", RESPONSE, "return_response", "{}"), then)),
                silent(
                        "open conditions",
                        rule,
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", OPEN) + "," + branch("B", OTHER) + "," + fallback() + "]",
                                        then,
                                        otherwise,
                                        code("step_4", "{}")))),
                silent(
                        "same conditions, all run",
                        rule,
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_ALL_MATCH",
                                        "[" + branch("A", OPEN) + "," + branch("B", OPEN) + "]",
                                        then,
                                        otherwise))),
                silent(
                        "empty branch",
                        rule,
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", FALSE) + "," + fallback() + "]",
                                        null,
                                        then))),
                silent(
                        "no operator",
                        rule,
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", "[[{'firstValue':'a'}]]") + "]",
                                        then))),
                silent(
                        "respond and continue",
                        rule,
                        flow(WEBHOOK, piece("step_1", RESPONSE, "return_response", "{'respond':'respond'}"), then)),
                silent(
                        "response in one branch",
                        rule,
                        flow(
                                WEBHOOK,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "[" + branch("A", OPEN) + "]",
                                        piece("step_2", RESPONSE, "return_response", "{}")),
                                otherwise)),
                silent(
                        "skipped response",
                        rule,
                        flow(WEBHOOK, skipped(piece("step_1", RESPONSE, "return_response", "{}")), then)));
    }

    static Stream<Arguments> endlessFlows() {
        var rule = new EndlessFlowRule();
        var newRecord = pieceTrigger(TABLES, "newRecord", "{'table_id':'orders'}");
        var create = piece("step_1", TABLES, "tables-create-records", "{'table_id':'orders'}");
        var own = "http://localhost/api/v1/webhooks/" + CheckedFlows.FLOW_ID + "/sync";
        var callsItself = piece("step_1", "@activepieces/piece-subflows", "callFlow", "{'flowId':'external-1'}");
        return Stream.of(
                warns("calls itself", rule, "step_1: the flow calls itself in every run", flow(MANUAL, callsItself)),
                warns(
                        "calls itself by the older input",
                        rule,
                        "the flow calls itself",
                        flow(
                                MANUAL,
                                piece(
                                        "step_1",
                                        "@activepieces/piece-subflows",
                                        "callFlow",
                                        "{'flow':{'externalId':'external-1'}}"))),
                warns(
                        "calls its webhook",
                        rule,
                        "the flow calls its own webhook",
                        flow(WEBHOOK, piece("step_1", HTTP, "send_request", "{'url':'" + own + "'}"))),
                warns("adds to its table", rule, "the flow changes the table that starts it", flow(newRecord, create)),
                warns(
                        "updates its table",
                        rule,
                        "the flow changes the table",
                        flow(
                                pieceTrigger(TABLES, "updatedRecord", "{'table_id':'orders'}"),
                                piece("step_1", TABLES, "tables-update-record", "{'table_id':'orders'}"))),
                warns(
                        "in a loop over items",
                        rule,
                        "the flow calls itself",
                        flow(MANUAL, loop("step_9", "{{trigger[`output`]}}", callsItself))),
                silent(
                        "calls another flow",
                        rule,
                        flow(
                                MANUAL,
                                piece(
                                        "step_1",
                                        "@activepieces/piece-subflows",
                                        "callFlow",
                                        "{'flowId':'external-2'}"))),
                silent(
                        "calls another webhook",
                        rule,
                        flow(
                                WEBHOOK,
                                piece(
                                        "step_1",
                                        HTTP,
                                        "send_request",
                                        "{'url':'http://localhost/api/v1/webhooks/flow00000000000000002'}"))),
                silent(
                        "adds to another table",
                        rule,
                        flow(newRecord, piece("step_1", TABLES, "tables-create-records", "{'table_id':'lines'}"))),
                silent(
                        "updates what was added",
                        rule,
                        flow(newRecord, piece("step_1", TABLES, "tables-update-record", "{'table_id':'orders'}"))),
                silent(
                        "under a condition",
                        rule,
                        flow(
                                newRecord,
                                router("step_9", "EXECUTE_FIRST_MATCH", "[" + branch("A", OPEN) + "]", create))),
                silent("skipped", rule, flow(newRecord, skipped(create))));
    }

    static Stream<Arguments> unansweredCalls() {
        var rule = new UnansweredCallRule();
        return Stream.of(
                warns(
                        "no answer",
                        rule,
                        "trigger: no step responds to the caller",
                        flow(WEBHOOK, code("step_1", "{}"))),
                warns(
                        "skipped answer",
                        rule,
                        "no step responds",
                        flow(WEBHOOK, skipped(piece("step_1", RESPONSE, "return_response", "{}")))),
                silent("answer", rule, flow(WEBHOOK, piece("step_1", RESPONSE, "return_response", "{}"))),
                silent(
                        "answer and wait",
                        rule,
                        flow(WEBHOOK, piece("step_1", RESPONSE, "return_response_and_wait_for_next_webhook", "{}"))),
                silent("other trigger", rule, flow(MANUAL, code("step_1", "{}"))));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({"missingSteps", "lateSteps", "unreachableSteps", "endlessFlows", "unansweredCalls"})
    void warnsOfMistakesOnly(WarningRule rule, String part, CheckedFlow flow) {
        if (part.isEmpty()) {
            assertThat(warnings(rule, flow)).isEqualTo(List.of());
        } else {
            assertThat(warnings(rule, flow)).singleElement().asString().contains(part);
        }
    }
}

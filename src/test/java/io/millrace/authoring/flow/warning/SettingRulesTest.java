package io.millrace.authoring.flow.warning;

import static io.millrace.authoring.flow.warning.CheckedFlows.MANUAL;
import static io.millrace.authoring.flow.warning.CheckedFlows.WEBHOOK;
import static io.millrace.authoring.flow.warning.CheckedFlows.branch;
import static io.millrace.authoring.flow.warning.CheckedFlows.code;
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
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of the rules about single settings: for each rule, settings with and without a warning. */
final class SettingRulesTest {
    private static final String RESPONSE = "@activepieces/piece-webhook";
    private static final String FORMS = "@activepieces/piece-forms";
    private static final String HTTP = "@activepieces/piece-http";

    private static Arguments warns(String about, WarningRule rule, String part, CheckedFlow flow) {
        return arguments(named(about, rule), part, flow);
    }

    private static Arguments silent(String about, WarningRule rule, CheckedFlow flow) {
        return arguments(named(about, rule), "", flow);
    }

    private static CheckedFlow reads(String expression) {
        return flow(MANUAL, code("step_1", "{'v':'" + expression + "'}"));
    }

    static Stream<Arguments> braces() {
        var rule = new BracesInExpressionRule();
        return Stream.of(
                warns(
                        "nested objects",
                        rule,
                        "step_1: input/v: the first }} inside {{JSON.stringify({a: {x: 1}})}}",
                        reads("{{JSON.stringify({a: {x: 1}})}}")),
                warns("object at the end", rule, "ends the expression", reads("{{ {a: {b: trigger[`output`]}} }}")),
                warns("object that touches the end", rule, "ends the expression", reads("{{({a:{b:1}})}}")),
                warns("braces in a text", rule, "ends the expression", reads("{{`}}` + 1}}")),
                warns(
                        "second expression",
                        rule,
                        "ends the expression",
                        reads("{{trigger[`output`]}} {{f({a: {x: 1}})}}")),
                warns("three levels", rule, "ends the expression", reads("{{JSON.stringify({a: {b: {c: 1}}})}}")),
                warns(
                        "object made for each item",
                        rule,
                        "ends the expression",
                        reads("{{trigger[`output`].map(o => ({a: {b: o}}))}}")),
                warns("template literal in braces", rule, "ends the expression", reads("{{({a: {b: `}`}}).a}}")),
                warns(
                        "in a header",
                        rule,
                        "input/headers/X-Data",
                        http("{'headers':{'X-Data':'{{JSON.stringify({a: {x: 1}})}}'}}")),
                silent("space between braces", rule, reads("{{JSON.stringify({a: {x: 1} })}}")),
                silent("two expressions", rule, reads("{{trigger[`output`]}} and {{trigger[`output`]}}")),
                silent("syntax error without more braces", rule, reads("{{nonsense(}}")),
                silent("braces in text behind", rule, reads("{{trigger[`output`]}} }}")));
    }

    static Stream<Arguments> unreadableExpressions() {
        var rule = new UnreadableExpressionRule();
        return Stream.of(
                warns(
                        "open parenthesis",
                        rule,
                        "step_1: input/v: the expression {{nonsense(}} cannot be read",
                        reads("{{nonsense(}}")),
                warns("open text", rule, "cannot be read", reads("{{trigger[`output]}}")),
                warns("two values", rule, "cannot be read", reads("{{trigger trigger}}")),
                warns("open bracket", rule, "cannot be read", reads("{{trigger[`output`}}")),
                warns("member without a name", rule, "cannot be read", reads("{{trigger.}}")),
                warns("second of two", rule, "{{b.}} cannot be read", reads("{{trigger[`output`]}} {{b.}}")),
                warns(
                        "in a list of objects",
                        rule,
                        "input/list/0/x",
                        flow(MANUAL, code("step_1", "{'list':[{'x':'{{f(1,}}'}]}"))),
                warns("operator without value", rule, "cannot be read", reads("{{1 +}}")),
                warns("in items", rule, "step_1: items: the expression", flow(MANUAL, loop("step_1", "{{a(}}"))),
                silent("readable", rule, reads("{{trigger[`output`].a ?? 1}}")),
                silent("statement that the sandbox judges", rule, reads("{{(() => { const a = 1; return a; })()}}")),
                silent("plain text", rule, reads("nonsense(")),
                silent("braces inside have their own warning", rule, reads("{{JSON.stringify({a: {x: 1}})}}")),
                silent("skipped", rule, flow(MANUAL, skipped(code("step_1", "{'v':'{{a(}}'}")))));
    }

    private static CheckedFlow computes(String formula) {
        return reads("ap-formula-v1::{" + formula + "}::ap-formula-v1");
    }

    static Stream<Arguments> brokenFormulas() {
        var rule = new BrokenFormulaRule();
        return Stream.of(
                warns(
                        "open parenthesis",
                        rule,
                        "step_1: input/v: the formula add(1; cannot be evaluated, so the step fails: ",
                        computes("add(1;")),
                warns("empty argument", rule, "add() is missing value 2", computes("add(1; )")),
                warns("operator without value", rule, "Invalid formula", computes("1 +")),
                warns("unknown function", rule, "no_such", computes("no_such(1)")),
                warns("unknown function in a branch", rule, "no_such", computes("true ? 1 : no_such(1)")),
                warns(
                        "between text, of an item",
                        rule,
                        "input/list/0",
                        flow(MANUAL, code("step_1", "{'list':['a ap-formula-v1::{1 +}::ap-formula-v1']}"))),
                silent("valid", rule, computes("add({{trigger[`output`].a}}; 1)")),
                silent("empty", rule, computes("")),
                silent("bare text", rule, computes("uppercase(hello)")),
                silent("unfit values", rule, computes("divide(1; 0)")),
                silent("unreadable token has its own warning", rule, computes("add({{a(}}; 1)")),
                silent("without an end", rule, reads("ap-formula-v1::{1 +")),
                silent(
                        "skipped",
                        rule,
                        flow(MANUAL, skipped(code("step_1", "{'v':'ap-formula-v1::{1 +}::ap-formula-v1'}")))));
    }

    static Stream<Arguments> textAround() {
        var rule = new TextAroundExpressionRule();
        var list = "@activepieces/piece-forms";
        var condition = "'}]]";
        return Stream.of(
                warns(
                        "space behind in code",
                        rule,
                        "step_1: input/v: text or a space around the expression",
                        reads("{{trigger[`output`]}} ")),
                warns("line break before", rule, "input/v", reads("\\n{{trigger[`output`]}}")),
                warns(
                        "items with text",
                        rule,
                        "step_1: items",
                        flow(MANUAL, loop("step_1", "items: {{trigger[`output`]}}"))),
                warns(
                        "items with a space",
                        rule,
                        "step_1: items",
                        flow(MANUAL, loop("step_1", " {{trigger[`output`]}}"))),
                warns(
                        "list condition",
                        rule,
                        "step_1: branches/0/conditions",
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "["
                                                + branch(
                                                        "A",
                                                        "[[{'operator':'LIST_IS_EMPTY','firstValue':'{{trigger[`output`]}} "
                                                                + condition)
                                                + "]",
                                        (String) null))),
                warns(
                        "list property",
                        rule,
                        "trigger: input/inputs",
                        flow(pieceTrigger(FORMS, "form_submission", "{'inputs':'x {{variables[`a`]}}'}"))),
                warns(
                        "checkbox with a space",
                        rule,
                        "trigger: input/waitForResponse",
                        flow(pieceTrigger(FORMS, "form_submission", "{'waitForResponse':'{{variables[`a`]}} '}"))),
                silent(
                        "list property as JSON",
                        rule,
                        flow(pieceTrigger(FORMS, "form_submission", "{'inputs':'[{{variables[`a`]}}]'}"))),
                silent("expression alone", rule, reads("{{trigger[`output`]}}")),
                silent("sentence in code", rule, reads("Hello {{trigger[`output`]}}!")),
                silent("items alone", rule, flow(MANUAL, loop("step_1", "{{trigger[`output`]}}"))),
                silent("items as JSON", rule, flow(MANUAL, loop("step_1", "[{{trigger[`output`]}}, 2]"))),
                silent(
                        "text condition",
                        rule,
                        flow(
                                MANUAL,
                                router(
                                        "step_1",
                                        "EXECUTE_FIRST_MATCH",
                                        "["
                                                + branch(
                                                        "A",
                                                        "[[{'operator':'TEXT_CONTAINS','firstValue':'a {{trigger[`output`]}}','secondValue':'b"
                                                                + condition)
                                                + "]",
                                        (String) null))),
                silent(
                        "text property",
                        rule,
                        flow(
                                MANUAL,
                                piece("step_1", list, "return_response", "{'markdown':'# {{trigger[`output`]}} '}"))));
    }

    static Stream<Arguments> droppedHeaders() {
        var rule = new DroppedHeaderRule();
        return Stream.of(
                warns(
                        "cookie",
                        rule,
                        "step_1: input/fields/headers: the header Set-Cookie is not sent",
                        headers("{'Set-Cookie':'a=1'}")),
                warns("connection header", rule, "Transfer-Encoding", headers("{'Transfer-Encoding':'chunked'}")),
                warns(
                        "transport security",
                        rule,
                        "Strict-Transport-Security",
                        headers("{'Strict-Transport-Security':'max-age=1'}")),
                warns("proxy command", rule, "X-Accel-Redirect", headers("{'X-Accel-Redirect':'/x'}")),
                warns("preload", rule, "Link", headers("{'Link':'</a.js>; rel=preload'}")),
                warns(
                        "waiting answer",
                        rule,
                        "Set-Cookie",
                        flow(
                                WEBHOOK,
                                piece(
                                        "step_1",
                                        RESPONSE,
                                        "return_response_and_wait_for_next_webhook",
                                        "{'fields':{'headers':{'Set-Cookie':'a'}}}"))),
                silent(
                        "ordinary header",
                        rule,
                        headers("{'Content-Type':'text/csv','X-Order':'{{trigger[`output`]}}'}")),
                silent("navigation", rule, headers("{'Link':'</2>; rel=next'}")),
                silent("computed link", rule, headers("{'Link':'{{trigger[`output`]}}'}")),
                silent("computed name", rule, headers("{'{{trigger[`output`]}}':'a'}")),
                silent("null", rule, headers("{'Set-Cookie':null}")),
                silent(
                        "request of HTTP",
                        rule,
                        flow(
                                MANUAL,
                                piece("step_1", HTTP, "send_request", "{'fields':{'headers':{'Set-Cookie':'a'}}}"))));
    }

    private static CheckedFlow headers(String headers) {
        return flow(WEBHOOK, piece("step_1", RESPONSE, "return_response", "{'fields':{'headers':" + headers + "}}"));
    }

    static Stream<Arguments> collidingInputs() {
        var rule = new CollidingInputsRule();
        return Stream.of(
                warns(
                        "case",
                        rule,
                        "trigger: input/inputs: the inputs \"E Mail\" and \"e mail\" share the field eMail",
                        form("E Mail", "e mail")),
                warns("quotes", rule, "share the field name", form("Name", "'Name'")),
                warns("letters beyond ASCII", rule, "share the field größe", form("Größe", "größe")),
                warns("spaces before and behind", rule, "share the field EMail", form(" E Mail", " e mail")),
                warns("a tab", rule, "share the field eMail", form("E Mail", "E\\tMail")),
                silent("a space in front is part of the field", rule, form("E Mail", " e mail")),
                warns("spaces", rule, "share the field firstName", form("first name", "First   Name")),
                silent("different", rule, form("E Mail", "Mail")),
                silent("one word and two", rule, form("email", "e mail")),
                silent(
                        "chat",
                        rule,
                        flow(pieceTrigger(
                                FORMS, "chat_submission", "{'inputs':[{'displayName':'a'},{'displayName':'a'}]}"))),
                silent("other trigger", rule, flow(MANUAL)));
    }

    private static CheckedFlow form(String one, String other) {
        return flow(pieceTrigger(
                FORMS,
                "form_submission",
                "{'inputs':[{'displayName':'" + escaped(one) + "'},{'displayName':'" + escaped(other) + "'}]}"));
    }

    private static String escaped(String text) {
        return text.replace("'", "\\'");
    }

    static Stream<Arguments> nodeCode() {
        var rule = new NodeCodeRule();
        var buffer = "export const code = async (i) => Buffer.from(i.a);";
        return Stream.of(
                warns(
                        "global of Node.js",
                        rule,
                        "step_1: the code uses Buffer and therefore runs in Node.js",
                        flow(Set.of("step_1"), MANUAL, code("step_1", buffer, "{}"))),
                warns(
                        "two globals",
                        rule,
                        "the code uses Buffer, fetch",
                        flow(
                                Set.of("step_1"),
                                MANUAL,
                                code("step_1", "code = async () => Buffer.from(await fetch(1))", "{}"))),
                silent("the compiler found a local name", rule, flow(MANUAL, code("step_1", buffer, "{}"))),
                silent(
                        "import",
                        rule,
                        flow(Set.of("step_1"), MANUAL, code("step_1", "import fs from `node:fs`; " + buffer, "{}"))),
                silent(
                        "require",
                        rule,
                        flow(Set.of("step_1"), MANUAL, code("step_1", "const c = require(`crypto`); " + buffer, "{}"))),
                silent(
                        "plain code",
                        rule,
                        flow(Set.of("step_1"), MANUAL, code("step_1", "export const code = async () => 1;", "{}"))),
                silent("skipped", rule, flow(Set.of("step_1"), MANUAL, skipped(code("step_1", buffer, "{}")))));
    }

    static Stream<Arguments> plainSecrets() {
        var rule = new PlainSecretRule();
        var stripe = "sk_" + "live_" + "0123456789abcdefghij";
        return Stream.of(
                warns(
                        "authorization",
                        rule,
                        "step_1: input/headers/Authorization: the text looks like a secret",
                        http("{'headers':{'Authorization':'abcdef123456'}}")),
                warns(
                        "bearer under another name",
                        rule,
                        "input/headers/X-Other",
                        http("{'headers':{'X-Other':'Bearer abcdefghijklmnop'}}")),
                warns("API key", rule, "input/headers/X-Api-Key", http("{'headers':{'X-Api-Key':'12345678'}}")),
                warns(
                        "password",
                        rule,
                        "input/authFields/password",
                        http("{'authFields':{'password':'correct horse'}}")),
                warns("key of a provider in text", rule, "input/v", reads("use " + stripe)),
                warns("private key", rule, "input/v", reads("-----BEGIN RSA PRIVATE KEY-----")),
                warns(
                        "user and password in a URL",
                        rule,
                        "input/url",
                        http("{'url':'https://user:secret1@example.com'}")),
                warns(
                        "in code",
                        rule,
                        "step_1: sourceCode/code",
                        flow(MANUAL, code("step_1", "const key = `" + stripe + "`;", "{}"))),
                warns(
                        "access key in a list",
                        rule,
                        "input/v/0",
                        flow(MANUAL, code("step_1", "{'v':['AKIA" + "IOSFODNN7EXAMPLE']}"))),
                silent("connection", rule, http("{'headers':{'Authorization':'Bearer {{connections[`api`]}}'}}")),
                silent("variable", rule, http("{'authFields':{'password':'{{variables[`p`]}}'}}")),
                silent("short", rule, http("{'authFields':{'password':'none'}}")),
                silent("name that only contains the word", rule, http("{'queryParams':{'pageToken':'abcdefghijkl'}}")),
                silent("text about secrets", rule, reads("the password is in the vault")),
                silent("URL with a port", rule, http("{'url':'https://example.com:8443/a@b'}")),
                silent("skipped", rule, flow(MANUAL, skipped(code("step_1", "{'password':'correct horse'}")))));
    }

    private static CheckedFlow http(String input) {
        return flow(MANUAL, piece("step_1", HTTP, "send_request", input));
    }

    static Stream<Arguments> missingPieces() {
        var rule = new MissingPieceRule();
        return Stream.of(
                warns(
                        "piece",
                        rule,
                        "step_1: the piece @activepieces/piece-gone 0.0.1 is not installed",
                        flow(MANUAL, piece("step_1", "@activepieces/piece-gone", "go", "{}"))),
                warns("action", rule, "has no action gone", flow(MANUAL, piece("step_1", RESPONSE, "gone", "{}"))),
                warns(
                        "trigger",
                        rule,
                        "trigger: the piece @activepieces/piece-webhook 0.1.29 has no trigger gone",
                        flow(pieceTrigger(RESPONSE, "gone", "{}"))),
                silent("known", rule, flow(MANUAL, piece("step_1", RESPONSE, "return_response", "{}"))),
                silent(
                        "invalid step",
                        rule,
                        flow(
                                MANUAL,
                                piece("step_1", "@activepieces/piece-gone", "go", "{}")
                                        .replace("'valid':true", "'valid':false"))),
                silent("skipped", rule, flow(MANUAL, skipped(piece("step_1", "@activepieces/piece-gone", "go", "{}")))),
                silent("code", rule, flow(MANUAL, code("step_1", "{}"))));
    }

    static Stream<Arguments> legacyPieces() {
        var rule = new LegacyPieceRule();
        return Stream.of(
                warns(
                        "legacy piece",
                        rule,
                        "step_1: Create Approval Links (Legacy) is kept for existing flows only",
                        flow(MANUAL, piece("step_1", "@activepieces/piece-approval", "create_approval_links", "{}"))),
                silent("current piece", rule, flow(MANUAL, piece("step_1", RESPONSE, "return_response", "{}"))),
                silent("unknown piece", rule, flow(MANUAL, piece("step_1", "@activepieces/piece-gone", "go", "{}"))),
                silent(
                        "skipped",
                        rule,
                        flow(
                                MANUAL,
                                skipped(piece(
                                        "step_1", "@activepieces/piece-approval", "create_approval_links", "{}")))));
    }

    static Stream<Arguments> missingVariables() {
        var rule = new MissingVariableRule();
        return Stream.of(
                warns(
                        "unknown",
                        rule,
                        "step_1: input/url: the project has no variable gone, so the step fails",
                        flow(MANUAL, piece("step_1", HTTP, "send_request", "{'url':'{{variables[`gone`]}}'}"))),
                warns(
                        "dotted form, in code",
                        rule,
                        "step_1: input/a/0: the project has no variable gone",
                        flow(MANUAL, code("step_1", "{'a':['{{variables.known}} {{variables.gone}}']}"))),
                silent("known", rule, flow(MANUAL, code("step_1", "{'a':'{{variables.known}}'}"))),
                silent("text", rule, flow(MANUAL, code("step_1", "{'a':'variables.gone'}"))),
                silent(
                        "skipped",
                        rule,
                        flow(MANUAL, skipped(piece("step_1", HTTP, "send_request", "{'url':'{{variables.gone}}'}")))));
    }

    static Stream<Arguments> missingConnections() {
        var rule = new MissingConnectionRule();
        return Stream.of(
                warns(
                        "unknown",
                        rule,
                        "step_1: input/auth: the project has no connection gone, so the step fails",
                        flow(MANUAL, piece("step_1", HTTP, "send_request", "{'auth':'{{connections[`gone`]}}'}"))),
                warns(
                        "placeholder",
                        rule,
                        "the connection empty has no credentials yet",
                        flow(MANUAL, piece("step_1", HTTP, "send_request", "{'auth':'{{connections[`empty`]}}'}"))),
                warns(
                        "in error",
                        rule,
                        "the connection expired is in error",
                        flow(MANUAL, piece("step_1", HTTP, "send_request", "{'auth':'{{connections[`expired`]}}'}"))),
                warns(
                        "dotted form",
                        rule,
                        "no connection gone",
                        flow(MANUAL, code("step_1", "{'auth':'{{connections.good.a}} {{connections.gone.a}}'}"))),
                warns(
                        "field of a value, in code",
                        rule,
                        "step_1: input/a/0/key: the project has no connection gone",
                        flow(MANUAL, code("step_1", "{'a':[{'key':'Bearer {{connections[`gone`].secret_text}}'}]}"))),
                warns(
                        "trigger",
                        rule,
                        "trigger: input/auth: the project has no connection gone",
                        flow(pieceTrigger(HTTP, "catch", "{'auth':'{{connections[`gone`]}}'}"))),
                silent(
                        "usable",
                        rule,
                        flow(MANUAL, piece("step_1", HTTP, "send_request", "{'auth':'{{connections[`good`]}}'}"))),
                silent(
                        "skipped",
                        rule,
                        flow(
                                MANUAL,
                                skipped(piece("step_1", HTTP, "send_request", "{'auth':'{{connections[`gone`]}}'}")))),
                silent("text about connections", rule, flow(MANUAL, code("step_1", "{'a':'connections[`gone`]'}"))));
    }

    static Stream<Arguments> unusableValues() {
        var rule = new UnusableValueRule();
        return Stream.of(
                warns(
                        "object",
                        rule,
                        "step_1: input/fields.headers: expected object, received: X-A: 1",
                        answers("'X-A: 1'")),
                warns("list in place of an object", rule, "input/fields.headers: expected object", answers("[1]")),
                silent("usable object", rule, answers("{'X-A':'1'}")),
                silent("empty", rule, answers("''")),
                silent("expression", rule, answers("'{{trigger[`output`]}}'")),
                silent("required", rule, flow(MANUAL, piece("step_1", HTTP, "send_request", "{'headers':'x'}"))),
                silent(
                        "unknown piece",
                        rule,
                        flow(MANUAL, piece("step_1", "@activepieces/piece-gone", "go", "{'due':'soon'}"))));
    }

    private static CheckedFlow answers(String headers) {
        return flow(
                WEBHOOK,
                piece(
                        "step_1",
                        RESPONSE,
                        "return_response",
                        "{'responseType':'json','fields':{'status':200,'headers':" + headers + ",'body':{}}}"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({
        "braces",
        "unreadableExpressions",
        "brokenFormulas",
        "textAround",
        "droppedHeaders",
        "collidingInputs",
        "nodeCode",
        "plainSecrets",
        "missingPieces",
        "missingConnections",
        "missingVariables",
        "unusableValues",
        "legacyPieces"
    })
    void warnsOfMistakesOnly(WarningRule rule, String part, CheckedFlow flow) {
        if (part.isEmpty()) {
            assertThat(warnings(rule, flow)).isEqualTo(List.of());
        } else {
            assertThat(warnings(rule, flow)).singleElement().asString().contains(part);
        }
    }
}

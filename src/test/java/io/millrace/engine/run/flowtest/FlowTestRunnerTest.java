package io.millrace.engine.run.flowtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowTestRunnerTest {
    private static final String X = "{{trigger.output.body.x}}";

    private final FlowTestRunner runner = new FlowTestRunner(new InputTruncation(1_000));

    /** Four steps: a request, a mapping, a router with a call in each branch, and the response. */
    static FlowScript order() {
        return FlowScript.webhook()
                .http("ask", "GET", "http://prices.test/items/" + X)
                .map("total", "{'sum':'{{ask.output.body.price}}'}")
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Large",
                                "{{total.output.sum}}",
                                "9",
                                FlowScript.steps().storePut("warn", "w", X)),
                        Branch.otherwise(FlowScript.steps().storePut("keep", "k", X)))
                .returnJson("answer", "{'sum':'{{total.output.sum}}'}");
    }

    static final String FIXTURES =
            "'fixtures':{'steps':{'warn':true,'keep':true},'http':[{'method':'get','urlPattern':'http://prices.test/*',"
                    + "'response':{'status':200,'body':{'price':9}}}]}";

    static final String EXPECTED = "'expectations':{'status':'SUCCEEDED','answer':{'status':200,'body':{'sum':9}},"
            + "'branches':{'size':['Large']},'calls':[{'step':'ask','input':{'method':'GET'}},{'step':'warn'}],"
            + "'outputs':{'total':{'sum':9}}}";

    static FlowTestCase test(String fields) {
        var given = Fields.of("body", FlowScript.json("{'name':'T','trigger':{'body':{'x':2}}," + fields + "}"));
        var test = FlowTestCase.read("t1", given);
        given.done();
        return test;
    }

    private JsonNode run(FlowScript flow, String fields) {
        return runner.run(test(fields), FlowPlans.of(flow)).json();
    }

    @Test
    void passes_whenEverythingIsAsExpected() {
        assertThat(run(order(), FIXTURES + "," + EXPECTED))
                .isEqualTo(
                        FlowScript.json(
                                "{'testId':'t1','name':'T','state':'passed','differencesCount':0,'differences':[],'stale':null}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'status':'FAILED'                                     | status              | 'FAILED'      | 'SUCCEEDED'
            'answer':{'status':201}                               | answer.status       | 201           | 200
            'answer':{'body':{'sum':8}}                           | answer.body.sum     | 8             | 9
            'answer':{'body':{'sum':9,'more':1}}                  | answer.body.more    | 1             |
            'answer':{'headers':{'X-A':'b'}}                      | answer.headers.X-A  | 'b'           |
            'branches':{'size':['Otherwise']}                     | branches.size[0]    | 'Otherwise'   | 'Large'
            'branches':{'gone':['Large']}                         | branches.gone       | ['Large']     |
            'calls':[{'step':'ask'},{'step':'keep'}]              | calls[1].step       | 'keep'        | 'warn'
            'calls':[{'step':'ask'}]                              | calls[1].step       |               | 'warn'
            'calls':[{'step':'ask'},{'step':'warn'},{'step':'x'}] | calls[2].step       | 'x'           |
            'calls':[{'step':'ask'},{'step':'warn','input':{'key':'v'}}] | calls[1].input.key | 'v'     | 'w'
            'outputs':{'total':{'sum':9,'b':[1]}}                 | outputs.total.b     | [1]           |
            'outputs':{'keep':true}                               | outputs.keep        | true          |
            """)
    void failsWithTheDifference(String expectation, String path, String expected, String found) {
        var result = run(order(), FIXTURES + ",'expectations':{" + expectation + "}");

        var difference = Json.object().put("path", path);
        if (expected != null) {
            difference.set("expected", FlowScript.json(expected));
        }
        if (found != null) {
            difference.set("found", FlowScript.json(found));
        }
        assertThat(result.path("state").asText()).isEqualTo("failed");
        assertThat(result.path("differences")).isEqualTo(Json.array().add(difference));
    }

    @Test
    void expectsNoAnswer_whenTheExpectedAnswerIsNull() {
        var silent = FlowScript.webhook().map("total", "{'a':1}");

        assertThat(run(silent, "'expectations':{'answer':null}").path("state").asText())
                .isEqualTo("passed");
        assertThat(run(order(), FIXTURES + ",'expectations':{'answer':null}")
                        .at("/differences/0/path")
                        .asText())
                .isEqualTo("answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.0", "1e0"})
    void comparesNumbersByValue(String number) {
        var flow = FlowScript.webhook().map("total", "{'a':1}");

        assertThat(run(flow, "'expectations':{'outputs':{'total':{'a':" + number + "}}}")
                        .path("state")
                        .asText())
                .isEqualTo("passed");
    }

    @Test
    void isStaleAndNamesTheStep_whenNoFixtureAnswers() {
        var result = run(order(), "'fixtures':{'steps':{'warn':true}}," + EXPECTED);

        assertThat(result.path("state").asText()).isEqualTo("stale");
        assertThat(result.path("stale")).isEqualTo(FlowScript.json("{'step':'ask','reason':'no fixture answers it'}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            POST | http://prices.test/*   |           | false
            *    | http://prices.test/*   |           | true
            get  | http://other.test/*    |           | false
            get  | http://prices.test/items/2 |       | true
            get  | *items*                |           | true
            get  | http://prices.test/*   | *x*       | false
            get  | http://prices.test/*   | *         | true
            """)
    void answersRequestsByMethodUrlAndBody(String method, String url, String body, boolean isAnswered) {
        var pattern = body == null ? "" : "'bodyPattern':'" + body + "',";
        var result = run(
                order(),
                "'fixtures':{'steps':{'warn':1},'http':[{'method':'" + method + "','urlPattern':'" + url + "',"
                        + pattern + "'response':{'body':{'price':9}}}]}");

        assertThat(result.path("state").asText()).isEqualTo(isAnswered ? "passed" : "stale");
    }

    @Test
    void letsAStepFail_whenItsFixtureIsAnErrorOrAResponseOfAnError() {
        var flow = FlowScript.webhook().http("ask", "GET", "http://prices.test/");
        var expected = "'expectations':{'status':'FAILED'}";
        var response = "'fixtures':{'http':[{'method':'*','urlPattern':'*','response':{'status':STATUS}}]},";

        assertThat(run(flow, "'fixtures':{'steps':{'ask':{'error':'no route'}}}," + expected)
                        .path("state")
                        .asText())
                .isEqualTo("passed");
        assertThat(run(flow, response.replace("STATUS", "404") + expected)
                        .path("state")
                        .asText())
                .isEqualTo("passed");
        assertThat(run(flow, response.replace("STATUS", "399") + expected)
                        .path("state")
                        .asText())
                .isEqualTo("failed");
    }

    @Test
    void takesAnOutputThatLooksLikeAnError_whenItIsWrapped() {
        var flow = FlowScript.webhook().http("ask", "GET", "http://prices.test/");

        var result = run(
                flow,
                "'fixtures':{'steps':{'ask':{'output':{'error':'text'}}}},"
                        + "'expectations':{'status':'SUCCEEDED','outputs':{'ask':{'error':'text'}}}");

        assertThat(result.path("state").asText()).isEqualTo("passed");
    }

    @Test
    void answersIterationsByIndex_beforeFixturesOfTheName() {
        var flow = FlowScript.webhook()
                .loop("each", "{{trigger.output.body.list}}", FlowScript.steps().http("ask", "GET", "http://a.test/"));
        var test = FlowTestCase.read(
                "t1",
                Fields.of(
                        "body",
                        FlowScript.json("{'name':'T','trigger':{'body':{'list':[1,2,3]}},"
                                + "'fixtures':{'steps':{'ask':'any','each[1].ask':'second'}},"
                                + "'expectations':{'calls':[{'step':'ask'},{'step':'each[1].ask'},{'step':'ask'}],"
                                + "'outputs':{'each[0].ask':'any','each[1].ask':'second','each[2].ask':'any'}}}")));

        assertThat(runner.run(test, FlowPlans.of(flow)).json().path("state").asText())
                .isEqualTo("passed");
    }

    @Test
    void evaluatesTheClockAtTheFixedTime() {
        var flow = FlowScript.webhook().map("total", "{'at':'{{new Date().toISOString()}}'}");
        var fixed = run(flow, "'now':'2020-02-03T04:05:06.000Z','expectations':{'outputs':{'total':{'at':'none'}}}");
        var found = fixed.at("/differences/0/found").asText();

        assertThat(found).startsWith("2020-02-03T04:05:06");
    }

    @Test
    void answersAPureStepByItsFixture_whenItDependsOnAConnection() {
        var flow = FlowScript.webhook().map("total", "{'key':'{{connections.shop}}'}");

        assertThat(run(flow, "'fixtures':{}").at("/stale/step").asText()).isEqualTo("total");
        assertThat(run(flow, "'fixtures':{'steps':{'total':{'key':'k'}}}")
                        .path("state")
                        .asText())
                .isEqualTo("passed");
    }

    @Test
    void showsTheFirstTwentyDifferences_andShortensLongValues() {
        var fields = new StringBuilder("'a0':'" + "y".repeat(2_000) + "'");
        for (var index = 1; index < 30; index++) {
            fields.append(",'a").append(index).append("':1");
        }
        var result = run(
                FlowScript.webhook().map("total", "{'b':1}"),
                "'expectations':{'outputs':{'total':{" + fields + ",'b':1}}}");

        assertThat(result.path("differencesCount").asInt()).isEqualTo(30);
        assertThat(result.path("differences")).hasSize(20);
        assertThat(result.at("/differences/0/expected").asText())
                .hasSizeLessThan(1_100)
                .endsWith("…[shortened]");
    }

    @Test
    void countsBranchesAndLoopBodies() {
        var flow = FlowPlans.of(FlowScript.webhook()
                .firstMatch(
                        "size",
                        Branch.whenEqual("Large", X, "2", FlowScript.steps().map("large", "{'a':1}")),
                        Branch.otherwise(FlowScript.steps().map("small", "{'a':1}")))
                .loop("each", "{{trigger.output.body.list}}", FlowScript.steps().map("inner", "{'a':1}")));

        var large = runner.run(test("'expectations':{}"), flow);
        ObjectNode report = FlowTestRunner.report(flow, List.of(large));

        assertThat(report.at("/coverage/reached").asInt()).isEqualTo(1);
        assertThat(report.at("/coverage/all").asInt()).isEqualTo(3);
        assertThat(report.at("/coverage/branches"))
                .isEqualTo(FlowScript.json("[{'step':'size','kind':'BRANCH','name':'Large','reached':true},"
                        + "{'step':'size','kind':'BRANCH','name':'Otherwise','reached':false},"
                        + "{'step':'each','kind':'LOOP_BODY','name':'body','reached':false}]"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'name':'T'}                                                                        | body/trigger
            {'name':'','trigger':1}                                                             | body/name
            {'name':'T','trigger':1,'fixtures':[]}                                              | body/fixtures
            {'name':'T','trigger':1,'fixtures':{'http':[{'method':'GET','response':{}}]}}                     | body/fixtures/http/0/urlPattern
            {'name':'T','trigger':1,'fixtures':{'http':[{'method':'G T','urlPattern':'*','response':{}}]}} | body/fixtures/http/0/method
            {'name':'T','trigger':1,'fixtures':{'http':[{'method':'*','urlPattern':'*','response':{'status':99}}]}} | body/fixtures/http/0/response/status
            {'name':'T','trigger':1,'expectations':{'status':'PAUSED'}}                         | body/expectations/status
            {'name':'T','trigger':1,'expectations':{'answer':1}}                                | body/expectations/answer
            {'name':'T','trigger':1,'expectations':{'calls':[{}]}}                              | body/expectations/calls/0/step
            {'name':'T','trigger':1,'now':'yesterday'}                                          | body/now
            """)
    void refusesAMalformedTestWithThePlace(String json, String place) {
        var problems = new ArrayList<String>();
        FlowTestCase.read(
                "t1", Fields.of("body", FlowScript.json(json), problems).neverNull());

        assertThat(problems).singleElement().asString().contains(place);
    }
}

package io.millrace.engine.run.program;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.limit.FlowLimits;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledVersion;
import io.millrace.sandbox.expression.closure.ClosureModules;
import io.millrace.support.FlowScript;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Choice between a program and the general engine for each call. */
class PureRunsTest {
    private static final CompiledFlow ANSWERING = flow(FlowScript.webhook()
            .map("step_1", "{'a':'{{trigger.output.body.x}}'}")
            .returnJson("step_2", "{'b':'{{step_1.output.a}}'}"));

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    @AutoClose
    private final Vertx freshVertx = Vertx.vertx();

    private ProgramWorld world;

    @BeforeEach
    void learnLimits() {
        world = new ProgramWorld(vertx);
        Waiting.until("the limits are loaded", () -> world.isAdmitted(ANSWERING));
    }

    private static CompiledFlow flow(FlowScript script) {
        return CompiledVersion.of(script).flow();
    }

    private static ObjectNode event() {
        return Json.object().set("body", Json.object().put("x", 7));
    }

    private boolean takes(CompiledFlow flow) {
        return takes(flow, event());
    }

    private boolean takes(CompiledFlow flow, ObjectNode event) {
        return world.programs
                .start(flow, ProgramEquivalenceTest.start(event, true), event)
                .isPresent();
    }

    private Future<Runs.StartResult> started() {
        return world.programs
                .start(ANSWERING, ProgramEquivalenceTest.start(event(), true), event())
                .orElseThrow();
    }

    @Test
    void shouldAnswerOnlyAfterTheCommit() {
        var commit = Promise.<Boolean>promise();
        world.written = commit.future();

        var started = started();

        assertThat(started.isComplete()).isFalse();
        assertThat(world.memory.used()).isPositive();
        var emptied = world.registry.close().future();
        world.registry.tellIfEmpty();
        assertThat(emptied.isComplete()).as("a stop waits for the commit").isFalse();

        commit.complete(true);

        assertThat(started.result())
                .isInstanceOfSatisfying(
                        Runs.StartResult.Answered.class,
                        answered -> assertThat(answered.answer().body())
                                .isEqualTo(Json.object().put("b", 7)));
        assertThat(world.memory.used()).isZero();
        world.registry.tellIfEmpty();
        assertThat(emptied.isComplete()).isTrue();
    }

    @Test
    void shouldTellTheCallerThatTheOutcomeIsUnknown_whenTheCommitIsNotConfirmed() {
        world.written = Future.failedFuture(ApiException.of(ErrorCode.OUTCOME_UNKNOWN, "no reply"));

        var started = started();

        assertThat(ApiException.isOutcomeUnknown(started.cause())).isTrue();
        assertThat(world.memory.used()).isZero();
    }

    @Test
    void shouldTakePureFlowsOnly() {
        assertThat(takes(ANSWERING)).isTrue();
        assertThat(takes(flow(FlowScript.webhook()))).isTrue();
        assertThat(takes(flow(FlowScript.webhook().storePut("step_1", "k", "v"))))
                .isFalse();
        assertThat(takes(flow(FlowScript.webhook().storePut("step_1", "k", "v").skipped())))
                .isTrue();
        assertThat(takes(flow(FlowScript.webhook().map("step_1", "{'a':'{{connections.mine}}'}"))))
                .isFalse();
    }

    @Test
    void shouldTakeShortLoops() {
        var flow = flow(FlowScript.webhook()
                .eachX("step_1", FlowScript.steps().map("step_2", "{'a':'{{step_1.output.item}}'}"))
                .map("step_3", "{'count':'{{step_1.output.index}}'}"));

        assertThat(takes(flow, xs(0))).isTrue();
        assertThat(takes(flow, xs(20))).isTrue();
        assertThat(takes(flow, xs(300))).as("a long log").isFalse();
        assertThat(takes(flow, xs(1_000))).isFalse();
        assertThat(takes(flow, Json.object().set("body", Json.object().put("xs", 1))))
                .as("not a list")
                .isFalse();
        assertThat(takes(flow(FlowScript.webhook().loop("step_1", "{{[1]}}", FlowScript.steps()))))
                .isTrue();
        assertThat(takes(flow(FlowScript.webhook()
                        .loop("step_1", "{{[1]}}", FlowScript.steps().storePut("step_2", "k", "v")))))
                .isFalse();
    }

    /** The record of a loop grows while its steps run. */
    @Test
    void shouldLeaveFlowsThatReadTheIterationsOfALoop() {
        for (var read : List.of("{{step_1.output.iterations}}", "{{step_1.output}}", "{{step_1['out' + 'put']}}")) {
            var flow = flow(FlowScript.webhook()
                    .eachX("step_1", FlowScript.steps().map("step_2", "{'a':1}"))
                    .map("step_3", "{'all':'" + read.replace("'", "\\u0027") + "'}"));

            assertThat(takes(flow, xs(1))).as(read).isFalse();
        }
    }

    @Test
    void shouldLeaveAStopInALoop() {
        var flow = flow(FlowScript.webhook().eachX("step_1", FlowScript.steps().returnJson("step_2", "{'a':1}")));

        assertThat(takes(flow, xs(3))).isFalse();
        assertThat(world.writes).isEmpty();
    }

    @Test
    void shouldLeaveFlowsWithTwoStepsOfOneName() {
        assertThat(takes(flow(FlowScript.webhook().map("step_1", "{'a':1}").map("step_1", "{'a':2}"))))
                .isFalse();
        assertThat(takes(flow(FlowScript.webhook().map("trigger", "{'a':1}")))).isFalse();
    }

    /** A second request for the same run would count its start twice for the pace of its flow. */
    @Test
    void shouldRequestNoPermit_beforeTheLimitsAreKnown() {
        var fresh = new ProgramWorld(freshVertx);

        var started = fresh.programs.start(ANSWERING, ProgramEquivalenceTest.start(event(), true), event());
        Waiting.await(fresh.bus.ask(new FlowLimits.FindInForce("flow"), 10_000));

        assertThat(started).isEmpty();
        assertThat(fresh.limitLookups).hasValue(1);
    }

    @Test
    void shouldTakeCodeWithoutEffectsOnly() {
        assertThat(takes(code("return { total: inputs.q * inputs.p };"))).isTrue();
        assertThat(takes(code("return undefined;"))).isTrue();
        assertThat(takes(code("return fetch('http://example.com');"))).isFalse();
        assertThat(takes(code("console.log(1); return 1;"))).isFalse();
    }

    @Test
    void shouldLeaveCodeThatMeetsAnUnusualValue_withoutAnyEffect() {
        var flow = code("return inputs.q / inputs.p;");

        assertThat(takes(flow, numbers(6, 0))).isFalse();
        assertThat(world.writes).isEmpty();
        assertThat(takes(flow, numbers(6, 2))).isTrue();
    }

    /** The steps of a walk share its work: each of these alone would be within it. */
    @Test
    void shouldLeaveRunsWhoseCodeNeedsMuchWork() {
        var body = "let n = 0; for (const x of inputs.q) { n += x; } return n;";
        var input = "{'q':'{{trigger.output.body.q}}'}";
        var script = FlowScript.webhook();
        for (var step = 1; step <= 8; step++) {
            script.code("step_" + step, ClosureModules.ofBody(body), input);
        }
        var flow = CompiledVersion.withModules(script).flow();

        assertThat(takes(flow, list(10))).isTrue();
        assertThat(takes(flow, list(2_000))).isFalse();
        assertThat(takes(code(body), list(2_000))).isTrue();
    }

    private static CompiledFlow code(String body) {
        var script = FlowScript.webhook()
                .code(
                        "step_1",
                        ClosureModules.ofBody(body),
                        "{'q':'{{trigger.output.body.q}}','p':'{{trigger.output.body.p}}'}");
        return CompiledVersion.withModules(script).flow();
    }

    private static ObjectNode numbers(int q, int p) {
        return Json.object().set("body", Json.object().put("q", q).put("p", p));
    }

    private static ObjectNode list(int count) {
        var body = Json.object();
        var list = body.putArray("q");
        IntStream.range(0, count).forEach(list::add);
        return Json.object().set("body", body);
    }

    @Test
    void shouldLeaveAnAnswerBeforeTheLastStep_whileTheCallerWaits() {
        var flow = flow(FlowScript.webhook().respondJson("step_1", "{}").map("step_2", "{'a':1}"));

        assertThat(takes(flow)).isFalse();
        assertThat(world.writes).isEmpty();
    }

    /** The general engine yields to other runs between the steps. */
    @Test
    void shouldLeaveRunsWhoseExpressionsNeedMuchWork() {
        var squares =
                "{'n':'{{trigger.output.body.xs.map(x => trigger.output.body.xs.filter(y => y < x).length).length}}'}";
        var flow = flow(FlowScript.webhook().map("step_1", squares).map("step_2", squares));

        assertThat(takes(flow, xs(10))).isTrue();
        assertThat(takes(flow, xs(200))).isFalse();
    }

    private static ObjectNode xs(int count) {
        var body = Json.object();
        var list = body.putArray("xs");
        IntStream.range(0, count).forEach(list::add);
        return Json.object().set("body", body);
    }

    /** The general engine warns in the log of the step. */
    @Test
    void shouldLeaveInputsThatTheActionDoesNotReceive() {
        var input = "{'responseType':'json','fields':{'status':200,'headers':'{{trigger.output.body.h}}','body':{}}}";
        var script = FlowScript.webhook()
                .piece("step_1", "@activepieces/piece-webhook", "0.1.29", "return_response", json(input));

        assertThat(takes(flow(script), body(TextNode.valueOf("X-A: 1")))).isFalse();
        assertThat(takes(flow(script), body(Json.object().put("X-A", "1")))).isTrue();
    }

    private static ObjectNode body(JsonNode headers) {
        return Json.object().set("body", Json.object().set("h", headers));
    }

    @Test
    void shouldLeaveRunsThatAreWatched() {
        takes(ANSWERING);
        var start = ProgramEquivalenceTest.start(event(), true);
        world.writes.clear();

        var watching = world.hub.open(start.runId(), _ -> {});

        assertThat(world.programs.start(ANSWERING, start, event())).isEmpty();
        assertThat(world.writes).isEmpty();
        watching.close();
    }

    @Test
    void shouldLeaveTestsAndKeyedStartsAndCalledFlows() {
        takes(ANSWERING);
        world.writes.clear();

        assertThat(world.programs.start(ANSWERING, start(RunEnvironment.TESTING, null, null), event()))
                .isEmpty();
        assertThat(world.programs.start(
                        ANSWERING, start(RunEnvironment.PRODUCTION, "run000000000000000002", null), event()))
                .isEmpty();
        assertThat(world.programs.start(ANSWERING, start(RunEnvironment.PRODUCTION, null, "key"), event()))
                .isEmpty();
        assertThat(world.writes).isEmpty();
    }

    private static Runs.Start start(RunEnvironment environment, String parentRunId, String key) {
        var usual = ProgramEquivalenceTest.start(event(), true);
        return new Runs.Start(
                usual.runId(),
                usual.projectId(),
                new Runs.Start.FlowRef(
                        usual.flow().id(),
                        usual.flow().versionId(),
                        usual.flow().versionUpdated()),
                environment,
                usual.payload(),
                true,
                new Runs.Start.ParentRun(parentRunId, true, null),
                new Runs.Start.CallOrigin(key, null, null));
    }

    @Test
    void shouldPauseAProgramWhoseWalksAreAllLeft() {
        var use = new ProgramUse(ProgramCompiler.compile(ANSWERING, _ -> Optional.empty()));
        for (var walk = 0; walk < 16; walk++) {
            assertThat(use.isWorthTrying()).isTrue();
            use.tried(false);
        }
        for (var call = 0; call < 1_000; call++) {
            assertThat(use.isWorthTrying()).isFalse();
        }
        assertThat(use.isWorthTrying()).isTrue();
    }
}

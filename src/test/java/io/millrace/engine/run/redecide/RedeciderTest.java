package io.millrace.engine.run.redecide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledVersion;
import io.millrace.engine.run.redecide.RedecisionVerdict.Different;
import io.millrace.engine.run.redecide.RedecisionVerdict.Kind;
import io.millrace.engine.run.redecide.RedecisionVerdict.NotRecomputable;
import io.millrace.engine.run.redecide.RedecisionVerdict.Same;
import io.millrace.engine.run.redecide.RedecisionVerdict.Unknown;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RedeciderTest {
    private static final String X = "{{trigger.output.body.x}}";

    private final Redecider redecider = new Redecider(new InputTruncation(100));

    private static FlowScript order() {
        return FlowScript.webhook()
                .map("total", "{'sum':'" + X + "'}")
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Large",
                                "{{total.output.sum}}",
                                "2",
                                FlowScript.steps().storePut("warn", "w", X)),
                        Branch.otherwise(FlowScript.steps().storePut("keep", "k", X)))
                .returnJson("answer", "{'sum':'{{total.output.sum}}'}");
    }

    private static RunRecording recorded(FlowScript script, String event) {
        var body = Json.object().set("body", FlowScript.json(event));
        return new RunRecorder(CompiledVersion.of(script).flow(), 1, false).run(body);
    }

    private RedecisionVerdict verdict(FlowScript before, FlowScript now, RunRecording recording) {
        return walk(before, now, recording, WalkRequest.COMPARE).verdict();
    }

    private Redecision walk(FlowScript before, FlowScript now, RunRecording recording, WalkRequest request) {
        var old = CompiledVersion.of(before);
        var target = CompiledVersion.of(now);
        var changes = StepChanges.between(
                old.version().steps(), old.flow(), target.version().steps());
        return redecider.redecide(recording, target.flow(), changes, request);
    }

    private RedecisionVerdict verdict(FlowScript before, FlowScript now) {
        return verdict(before, now, recorded(before, "{'x':2}"));
    }

    private static RunRecording edited(RunRecording recording, UnaryOperator<ObjectNode> edit) {
        return new RunRecording(recording.status(), recording.startedAt(), edit.apply(recording.steps()));
    }

    @Test
    void isTheSame_whenAPureStepIsAddedOrRewritten() {
        var rewritten = FlowScript.webhook()
                .map("extra", "{'unused':1}")
                .map("total", "{'sum':'{{trigger.output.body.x + 0}}'}")
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Large",
                                "{{total.output.sum}}",
                                "2",
                                FlowScript.steps().storePut("warn", "w", X)),
                        Branch.otherwise(FlowScript.steps().storePut("keep", "k", X)))
                .returnJson("answer", "{'sum':'{{total.output.sum}}'}");

        assertThat(verdict(order(), rewritten)).isEqualTo(new Same());
    }

    @Test
    void reportsTheBranchesOfTheFirstRouterThatDiffers() {
        var stricter = FlowScript.webhook()
                .map("total", "{'sum':'" + X + "'}")
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Large",
                                "{{total.output.sum}}",
                                "3",
                                FlowScript.steps().storePut("warn", "w", X)),
                        Branch.otherwise(FlowScript.steps().storePut("keep", "k", X)))
                .returnJson("answer", "{'sum':'{{total.output.sum}}'}");

        assertThat(verdict(order(), stricter))
                .isEqualTo(new Different(
                        "size",
                        Kind.OTHER_BRANCH,
                        Json.array().add("Large"),
                        Json.array().add("Otherwise")));
    }

    @Test
    void isTheSame_whenABranchThatIsNotTakenIsAddedBefore() {
        var longer = FlowScript.webhook()
                .map("total", "{'sum':'" + X + "'}")
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Huge",
                                "{{total.output.sum}}",
                                "9",
                                FlowScript.steps().storePut("n", "n", X)),
                        Branch.whenEqual(
                                "Large",
                                "{{total.output.sum}}",
                                "2",
                                FlowScript.steps().storePut("warn", "w", X)),
                        Branch.otherwise(FlowScript.steps().storePut("keep", "k", X)))
                .returnJson("answer", "{'sum':'{{total.output.sum}}'}");

        assertThat(verdict(order(), longer)).isEqualTo(new Same());
    }

    @Test
    void reportsBothInputs_whenAnOutsideStepGetsAnother() {
        var before = FlowScript.webhook().storePut("keep", "k", X).storePut("next", "n", "1");
        var now = FlowScript.webhook().storePut("keep", "k", "v" + X).storePut("next", "n", "1");

        assertThat(verdict(before, now)).isInstanceOfSatisfying(Different.class, found -> {
            assertThat(found.path()).isEqualTo("keep");
            assertThat(found.kind()).isEqualTo(Kind.OTHER_INPUT);
            assertThat(found.before().path("value").asText()).isEqualTo("2");
            assertThat(found.now().path("value").asText()).isEqualTo("v2");
        });
    }

    @Test
    void reportsTheAnswer_whenTheCallerGetsAnother() {
        var before = FlowScript.webhook().returnJson("answer", "{'x':'" + X + "'}");
        var now = FlowScript.webhook().returnJson("answer", "{'y':'" + X + "'}");

        assertThat(verdict(before, now))
                .isInstanceOfSatisfying(
                        Different.class, found -> assertThat(found.kind()).isEqualTo(Kind.OTHER_ANSWER));
    }

    @Test
    void isUnknown_fromANewOutsideStepOn() {
        var before = FlowScript.webhook().storePut("keep", "k", X);
        var now = FlowScript.webhook().storePut("keep", "k", X).storePut("extra", "e", X);

        assertThat(verdict(before, now)).isEqualTo(new Unknown("extra", "it has no recorded result"));
    }

    @Test
    void isUnknown_whenAStepOfTheSameNameCallsAnotherAction() {
        var before = FlowScript.webhook().storePut("keep", "k", X);
        var get = Json.object().put("key", "k").put("store_scope", "FLOW");
        var now = FlowScript.webhook().piece("keep", "@activepieces/piece-store", "0.6.20", "get", get);

        assertThat(verdict(before, now)).isInstanceOf(Unknown.class);
    }

    @Test
    void reportsACallThatIsNotMade() {
        var before = FlowScript.webhook().storePut("keep", "k", X).storePut("next", "n", X);
        var now = FlowScript.webhook().storePut("keep", "k", X);

        assertThat(verdict(before, now)).isInstanceOfSatisfying(Different.class, found -> {
            assertThat(found.path()).isEqualTo("next");
            assertThat(found.kind()).isEqualTo(Kind.OTHER_CALLS);
        });
    }

    @Test
    void reportsACallThatIsNotMade_inAnIteration() {
        var before =
                FlowScript.webhook().eachX("loop", FlowScript.steps().storePut("keep", "k", "{{loop.output.item}}"));
        var now = FlowScript.webhook()
                .eachX(
                        "loop",
                        FlowScript.steps()
                                .storePut("keep", "k", "{{loop.output.item}}")
                                .skipped());

        assertThat(verdict(before, now, recorded(before, "{'xs':[1,2]}")))
                .isInstanceOfSatisfying(
                        Different.class, found -> assertThat(found.path()).isEqualTo("loop[0].keep"));
    }

    @Test
    void reportsTheItems_whenALoopHasAnotherNumberOfThem() {
        var body = FlowScript.steps().storePut("keep", "k", "1");
        var before = FlowScript.webhook().eachX("loop", body);
        var now = FlowScript.webhook().loop("loop", "{{trigger.output.body.xs.slice(1)}}", body);

        assertThat(verdict(before, now, recorded(before, "{'xs':[1,2,3]}")))
                .isInstanceOfSatisfying(Different.class, found -> {
                    assertThat(found.path()).isEqualTo("loop");
                    assertThat(found.kind()).isEqualTo(Kind.OTHER_INPUT);
                });
    }

    @Test
    void namesTheIteration_whenOnlyOneDiffers() {
        var before =
                FlowScript.webhook().eachX("loop", FlowScript.steps().storePut("keep", "k", "{{loop.output.item}}"));
        var now = FlowScript.webhook()
                .eachX(
                        "loop",
                        FlowScript.steps().storePut("keep", "k", "{{loop.output.item == 2 ? 9 : loop.output.item}}"));

        assertThat(verdict(before, now, recorded(before, "{'xs':[1,2,3]}")))
                .isInstanceOfSatisfying(
                        Different.class, found -> assertThat(found.path()).isEqualTo("loop[1].keep"));
    }

    @Test
    void isTheSame_upToTheEndOfACanceledRun() {
        var flow = FlowScript.webhook().storePut("keep", "k", X).storePut("next", "n", X);
        var whole = recorded(flow, "{'x':2}");
        whole.steps().remove("next");

        assertThat(verdict(flow, flow, new RunRecording(RunStatus.CANCELED, whole.startedAt(), whole.steps())))
                .isEqualTo(new Same());
    }

    @Test
    void reportsTheEnd_whenAFailureIsNoLongerPassedOver() {
        var before = FlowScript.webhook().storePut("keep", "k", X).continuing();
        var now = FlowScript.webhook().storePut("keep", "k", X);
        var recording = edited(recorded(before, "{'x':2}"), steps -> {
            ((ObjectNode) steps.get("keep"))
                    .put("status", "FAILED")
                    .put("errorMessage", "refused")
                    .remove("output");
            return steps;
        });

        assertThat(verdict(before, now, recording))
                .isInstanceOfSatisfying(
                        Different.class, found -> assertThat(found.kind()).isEqualTo(Kind.OTHER_END));
    }

    @Test
    void saysThatAShortenedInputCannotBeRecomputed_onlyWhenItsStepHasChanged() {
        var before = FlowScript.webhook().storePut("keep", "k", X);
        var other = FlowScript.webhook().storePut("keep", "k", X + "{{''}}");
        var recording = recorded(before, "{'x':'" + "y".repeat(2000) + "'}");
        ((ObjectNode) recording.steps().get("keep").get("input")).put("value", "(truncated, original size 2 KB)");

        assertThat(verdict(before, before, recording)).isEqualTo(new Same());
        assertThat(verdict(before, other, recording)).isInstanceOf(NotRecomputable.class);
    }

    @Test
    void saysThatAnOutputStoredApartCannotBeRead_onlyWhenAChangedStepReadsIt() {
        var before = FlowScript.webhook().storePut("keep", "k", X).storePut("next", "n", "{{keep.output.text}}");
        var other = FlowScript.webhook().storePut("keep", "k", X).storePut("next", "n", "{{keep.output.number}}");
        var recording = recorded(before, "{'x':2}");
        var apart = ((ObjectNode) recording.steps().get("keep")).put("outputType", "slice");
        apart.putObject("output").put("fileId", "f").put("size", 5_000_000);

        assertThat(verdict(before, before, recording)).isEqualTo(new Same());
        assertThat(verdict(before, other, recording))
                .isEqualTo(new NotRecomputable("next", "it reads an output that is stored apart from the log"));
    }

    @Test
    void comparesInputsWithSecretsInTheirRedactedForm() {
        var before = FlowScript.webhook().storePut("keep", "k", "{{connections.mail.secret}} " + X);
        var other = FlowScript.webhook().storePut("keep", "k", "{{connections.mail.secret}}  " + X);
        var recording = recorded(FlowScript.webhook().storePut("keep", "k", X), "{'x':2}");
        ((ObjectNode) recording.steps().get("keep").get("input")).put("value", "**REDACTED** 2");

        assertThat(verdict(before, before, recording)).isEqualTo(new Same());
        assertThat(verdict(before, other, recording))
                .isInstanceOfSatisfying(
                        Different.class, found -> assertThat(found.kind()).isEqualTo(Kind.OTHER_INPUT));
    }

    @Test
    void takesTheRecordedValue_whenAnUnchangedStepReadsTheClock() {
        var flow =
                FlowScript.webhook().map("time", "{'at':'{{Date.now()}}'}").storePut("keep", "k", "{{time.output.at}}");
        var later = new RunRecording(
                RunStatus.SUCCEEDED,
                RunRecorder.STARTED.plusSeconds(60),
                recorded(flow, "{'x':2}").steps());

        assertThat(verdict(flow, flow, later)).isEqualTo(new Same());
    }

    @Test
    void followsADifferenceToTheEnd_andListsItsCalls() {
        var before = FlowScript.webhook().storePut("keep", "k", X).storePut("next", "n", "{{keep.output.text}}");
        var now = FlowScript.webhook().storePut("keep", "k", "v" + X).storePut("next", "n", "{{keep.output.text}}");
        var calls = new ArrayList<String>();

        var walk = walk(
                before,
                now,
                recorded(before, "{'x':2}"),
                WalkRequest.following(
                        Optional.empty(),
                        call -> calls.add(
                                call.text() + " " + call.input().path("value").asText())));

        assertThat(walk.verdict()).isInstanceOf(Different.class);
        assertThat(walk.visited()).containsExactly("keep", "next");
        assertThat(calls).hasSize(2).first().isEqualTo("keep v2");
    }

    @Test
    void replacesTheInputOfTheEditedExecutionAlone() {
        var flow = FlowScript.webhook().eachX("loop", FlowScript.steps().storePut("keep", "k", "{{loop.output.item}}"));
        var calls = new ArrayList<String>();
        var edit = new WalkRequest.InputEdit("loop[1].keep", FlowScript.json("{'key':'k','value':'edited'}"));

        walk(
                flow,
                flow,
                recorded(flow, "{'xs':[1,2,3]}"),
                WalkRequest.following(
                        Optional.of(edit),
                        call -> calls.add(call.input().path("value").asText())));

        assertThat(calls).isEqualTo(List.of("1", "edited", "3"));
    }

    @Test
    void computesStepsForTenSeconds_andNoLonger() {
        var flow = FlowScript.webhook().map("first", "{'a':1}").map("second", "{'b':2}");
        var recording = recorded(flow, "{'x':2}");
        var target = CompiledVersion.of(flow).flow();

        assertThat(walkWithStepsOf(5_000, recording, target)).isInstanceOf(Same.class);
        assertThat(walkWithStepsOf(5_001, recording, target))
                .isEqualTo(new NotRecomputable("second", "its steps take longer than 10 s to compute"));
    }

    /** @param stepMs time between two looks at the clock */
    private static RedecisionVerdict walkWithStepsOf(long stepMs, RunRecording recording, CompiledFlow target) {
        var nanos = new AtomicLong();
        return new Redecider(new InputTruncation(100), () -> nanos.getAndAdd(TimeUnit.MILLISECONDS.toNanos(stepMs)))
                .redecide(recording, target, StepChanges.ALL_NEW, WalkRequest.COMPARE)
                .verdict();
    }
}

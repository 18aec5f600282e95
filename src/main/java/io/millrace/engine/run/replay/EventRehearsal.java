package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Nullable;
import io.millrace.engine.run.redecide.OutsideCall;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.engine.run.redecide.RunRecording;
import io.millrace.engine.run.redecide.StepChanges;
import io.millrace.engine.run.redecide.WalkRequest;
import java.time.Instant;
import java.util.ArrayList;

/**
 * Evaluation of a version for an event, with the answers of an earlier run.
 *
 * @param runId run that answers, or null
 */
record EventRehearsal(
        ReadVersions.ReadVersion target,
        StepChanges changes,
        @Nullable String runId,
        RunRecording recording) {
    static EventRehearsal without(ReadVersions.ReadVersion target, JsonNode event, Instant now) {
        var trigger = target.flow().trigger();
        var recording = RunRecording.ofTrigger(trigger.name(), trigger.type(), event, now);
        return new EventRehearsal(target, StepChanges.ALL_NEW, null, recording);
    }

    static EventRehearsal after(
            ReadVersions.ReadVersion target,
            StepChanges changes,
            String runId,
            RunRecording past,
            JsonNode event,
            Instant now) {
        var trigger = target.flow().trigger();
        var fresh = RunRecording.ofTrigger(trigger.name(), trigger.type(), event, now);
        var steps = past.steps().deepCopy();
        steps.set(trigger.name(), fresh.steps().get(trigger.name()));
        return new EventRehearsal(target, changes, runId, new RunRecording(past.status(), now, steps));
    }

    ObjectNode effects(Redecider redecider) {
        var calls = new ArrayList<OutsideCall>();
        var walk = redecider.redecide(recording, target.flow(), changes, WalkRequest.rehearsing(calls::add));
        return EffectList.of(target, calls, walk.verdict()).put("answersOf", runId);
    }
}

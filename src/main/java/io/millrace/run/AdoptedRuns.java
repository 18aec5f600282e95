package io.millrace.run;

import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.run.TriggerRunner.FirstItem;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries on runs that a shard takes over: another owner left them behind, or they were paused, or are retried. */
final class AdoptedRuns {
    private static final Logger LOG = LoggerFactory.getLogger(AdoptedRuns.class);
    private static final long AGAIN_MS = 5_000;

    private final Bus bus;
    private final RunHost host;
    private final CompiledFlows flows;
    private final StepTests stepTests;
    private final TriggerRunner triggers;
    private final RunRoster roster;
    private final LeavingRuns leaving;
    private final Function<String, RunWaiter> parked;

    /** @param parked takes whoever waits here for a paused run */
    AdoptedRuns(
            Bus bus,
            RunHost host,
            CompiledFlows flows,
            StepTests stepTests,
            TriggerRunner triggers,
            RunRoster roster,
            LeavingRuns leaving,
            Function<String, RunWaiter> parked) {
        this.bus = bus;
        this.host = host;
        this.flows = flows;
        this.stepTests = stepTests;
        this.triggers = triggers;
        this.roster = roster;
        this.leaving = leaving;
        this.parked = parked;
    }

    void adopt(LiveRun left, RunWaiter waiter) {
        var birth = left.birth();
        flows.of(birth.flowVersionId(), null, birth.projectId())
                .compose(flow -> stepTests.asSeenBy(birth, flow))
                .onSuccess(flow -> carryOn(flow, left, waiter))
                .onFailure(cause -> giveUp(left, waiter, cause));
    }

    /**
     * An actor of an earlier ownership may still wait for a step here: its writes are void, so it stops. Or it waits to
     * hear that its pause is durable, and the signal to go on was quicker: then its caller waits on. It may also have
     * heard while the flow was being compiled, and have left its caller.
     */
    private void carryOn(CompiledFlow flow, LiveRun left, RunWaiter waiter) {
        var earlier = roster.find(left.birth().id());
        if (earlier == null) {
            go(
                    flow,
                    left,
                    waiter.wantsAnswer() ? waiter : parked.apply(left.birth().id()));
        } else if (earlier.fence() < left.fence()) {
            var before = roster.supersede(earlier, left);
            go(flow, left, waiter.wantsAnswer() ? waiter : before);
        }
    }

    private void go(CompiledFlow flow, LiveRun left, RunWaiter waiter) {
        if (left.executeTrigger()) {
            triggers.firstItem(flow, left.birth().environment(), left.payload())
                    .onSuccess(item -> go(flow, left, waiter, item));
        } else {
            roster.begin(new RunActor(host, flow, left, waiter));
        }
    }

    /** What the trigger made is kept before anything else is done with it; a failure needs no keeping. */
    private void go(CompiledFlow flow, LiveRun left, RunWaiter waiter, FirstItem item) {
        if (item.errorMessage() != null) {
            roster.beginFailed(new RunActor(host, flow, left, waiter), item.errorMessage());
            return;
        }
        var triggered = new RunTriggered(left.birth().id(), left.fence(), RecordText.of(item.payload()));
        bus.ask(RunRetry.TRIGGERED, triggered, RunWrite.DEADLINE_MS)
                .onSuccess(isOurs -> {
                    if (isOurs) {
                        var run = new RunActor(host, flow, left.triggered(item.payload()), waiter);
                        roster.prepare(run, item.payload());
                    }
                })
                .onFailure(_ -> leaving.giveAway(new RunRelease(left.birth().id(), left.fence())));
    }

    /** A run whose flow version is gone has failed; when the version cannot be read just now, it is tried again. */
    private void giveUp(LiveRun left, RunWaiter waiter, Throwable cause) {
        LOG.error("run {} cannot be carried on: {}", left.birth().id(), cause.getMessage());
        if (cause instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND) {
            leaving.end(left.birth(), left.fence(), RunStatus.FAILED);
            waiter.ended(left.birth().id(), RunStatus.FAILED);
        } else {
            host.setTimer(AGAIN_MS, () -> adopt(left, waiter));
        }
    }
}

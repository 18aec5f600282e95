package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.actor.RunActor;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.machine.LifecycleEvent.ServiceLost;
import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.start.TriggerFailure.Hook;
import io.millrace.engine.run.step.StepServices;
import io.millrace.engine.trigger.HookPlace;
import io.millrace.engine.trigger.TriggerHook;
import io.millrace.engine.trigger.TriggerHooks;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** Executes the trigger of a flow: its output items start runs (contract flows-and-engine 6.3). */
public final class TriggerRunner {
    private static final TriggerFailure NO_ITEM = new TriggerFailure(
            Hook.RUN, TriggerFailed.Cause.ERROR, ErrorMessage.of("The trigger produced no item from the payload"));

    private final TriggerHooks hooks;
    private final StepServices services;

    public TriggerRunner(TriggerHooks hooks, StepServices services) {
        this.hooks = hooks;
        this.services = services;
    }

    /**
     * First input of a run.
     *
     * @param payload output of the trigger; the trigger's input after a failure
     * @param failure failure of the trigger, or null
     * @param log log of the trigger
     */
    public record FirstItem(JsonNode payload, TriggerFailure failure, PieceLog log) {
        static FirstItem of(JsonNode payload) {
            return new FirstItem(payload, null, new PieceLog());
        }

        public boolean hasFailed() {
            return failure != null;
        }

        public void logIn(RunActor run) {
            run.logTrigger(StepConsole.of(log));
        }

        /** Event for a run whose trigger has nothing more to prepare. */
        public LifecycleEvent event() {
            return failure == null ? new Prepared() : failure.event();
        }
    }

    Future<List<JsonNode>> items(CompiledFlow flow, RunEnvironment environment, JsonNode payload, PieceLog log) {
        return hooks.run(flow.trigger().hook(), placeOf(flow, environment), payload, log);
    }

    private static HookPlace placeOf(CompiledFlow flow, RunEnvironment environment) {
        var place = HookPlace.of(flow.projectId(), flow.flowId(), flow.flowVersionId());
        return environment == RunEnvironment.TESTING ? place.forTest() : place;
    }

    /**
     * The first item, for a run that begins or is retried alone. A trigger without any item has failed. Fails only
     * while the database is unavailable.
     */
    public Future<FirstItem> firstItem(CompiledFlow flow, RunEnvironment environment, JsonNode payload) {
        var log = new PieceLog();
        return items(flow, environment, payload, log)
                .map(items -> items.isEmpty()
                        ? new FirstItem(payload, NO_ITEM, log)
                        : new FirstItem(DedupeKey.removedFrom(items.getFirst()), null, log))
                .recover(cause -> failedItem(payload, Hook.RUN, cause, log));
    }

    /** First input of a run that failed at its trigger; an unavailable database is not a failure of the trigger. */
    static Future<FirstItem> failedItem(JsonNode payload, Hook hook, Throwable cause, PieceLog log) {
        return ApiException.isUnavailable(cause)
                ? Future.failedFuture(cause)
                : Future.succeededFuture(new FirstItem(payload, TriggerFailure.of(hook, cause), log));
    }

    /**
     * Lets the trigger prepare a run that begins with its item, and notifies the run; most triggers have nothing to
     * prepare, and a step that is tested alone has no trigger.
     */
    public void prepare(RunActor run, JsonNode item) {
        (run.flow().test() == null ? prepare(run.flow(), run.header(), item) : Future.<Void>succeededFuture())
                .onSuccess(_ -> run.accept(new Prepared()))
                .onFailure(cause -> run.accept(unprepared(cause)));
    }

    /**
     * The same for a run after a take-over. Completed preparation is recorded before the run continues, so that the
     * next owner does not repeat it; without preparation there is nothing to record.
     */
    public void prepare(RunActor run, JsonNode item, Supplier<Future<Void>> keep) {
        var prepared = prepare(run.flow(), run.header(), item);
        if (prepared.succeeded()) {
            run.accept(new Prepared());
        } else {
            prepared.onSuccess(_ -> keep(run, keep)).onFailure(cause -> run.accept(unprepared(cause)));
        }
    }

    private static void keep(RunActor run, Supplier<Future<Void>> keep) {
        keep.get().onSuccess(_ -> run.accept(new Prepared())).onFailure(cause -> run.accept(new ServiceLost(cause)));
    }

    /** An unavailable database is not a failure of the trigger: the caller is asked to retry later. */
    private static LifecycleEvent unprepared(Throwable cause) {
        return ApiException.isUnavailable(cause)
                ? new ServiceLost(cause)
                : TriggerFailure.of(Hook.START, cause).event();
    }

    /** Completes at once when the trigger has nothing to prepare. */
    public Future<Void> prepare(CompiledFlow flow, RunWrite.RunHeader header, JsonNode item) {
        return flow.trigger().hook() instanceof TriggerHook.OfPiece hook
                ? hooks.start(hook, placeOf(flow, header.environment()), new TriggerStart(services, header, item))
                : Future.succeededFuture();
    }
}

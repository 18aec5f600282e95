package io.millrace.fault;

import static io.millrace.support.FlowScript.webhook;

import io.millrace.support.FlowScript;
import java.util.function.BiFunction;

/** The flows that events go through; each needs other durable writes. An event carries its number as {@code sequence}. */
enum EventKind {
    /** Nothing but pure steps before the answer: one write. */
    PURE(
            true,
            (sink, script) -> script.map("step_1", "{'twice':'{{trigger.output.body.sequence * 2}}'}")
                    .returnJson("step_2", "{'sequence':'{{trigger.output.body.sequence}}'}")),
    /** Calls to the outside after the event was accepted. */
    CALLS(
            false,
            (sink, script) -> script.http("step_1", "POST", first(sink))
                    .http("step_2", "POST", second(sink))
                    .map("step_3", "{'done':true}")),
    /** A call to the outside before the answer. */
    ANSWERS(
            true,
            (sink, script) -> script.http("step_1", "POST", first(sink))
                    .returnJson("step_2", "{'sequence':'{{trigger.output.body.sequence}}'}")),
    /** A pause between two calls; 11 seconds are the shortest wait that a run does not sit out in memory. */
    WAITS(
            false,
            (sink, script) -> script.http("step_1", "POST", first(sink))
                    .delay("step_2", 11)
                    .http("step_3", "POST", second(sink)));

    static final String FIRST = "first";
    static final String SECOND = "second";
    private static final String NUMBER = "{{trigger.output.body.sequence}}";

    private final boolean waiting;
    private final BiFunction<Sink, FlowScript, FlowScript> steps;

    EventKind(boolean waiting, BiFunction<Sink, FlowScript, FlowScript> steps) {
        this.waiting = waiting;
        this.steps = steps;
    }

    FlowScript script(Sink sink) {
        return steps.apply(sink, webhook());
    }

    /** What follows the flow's id in the address of its webhook. */
    String variant() {
        return waiting ? "/sync" : "";
    }

    /** Kinds by the number of an event: pauses are rarer, because each takes its time. */
    static EventKind of(int number) {
        return switch (number % 10) {
            case 0, 1, 2 -> PURE;
            case 3, 4, 5 -> CALLS;
            case 6, 7, 8 -> ANSWERS;
            default -> WAITS;
        };
    }

    /** Whether an event is sent under a key of its own, so that its sender may repeat it. */
    static boolean isKeyed(int number) {
        return number / 10 % 2 == 0;
    }

    private static String first(Sink sink) {
        return sink.url(FIRST, NUMBER);
    }

    private static String second(Sink sink) {
        return sink.url(SECOND, NUMBER);
    }
}

package io.millrace.fault;

import static io.millrace.support.FlowScript.callable;
import static io.millrace.support.FlowScript.webhook;

import io.millrace.support.FlowScript;
import java.util.List;

/** Flows that process events; each needs different durable writes. An event carries its number as {@code sequence}. */
enum EventKind {
    /** Only pure steps before the response: one write. */
    PURE(
            true,
            (sink, _, script) -> script.map("step_1", "{'twice':'{{trigger.output.body.sequence * 2}}'}")
                    .returnJson("step_2", "{'sequence':'{{trigger.output.body.sequence}}'}")),
    /** Outgoing calls after the event was accepted. */
    CALLS(
            false,
            (sink, _, script) -> script.http("step_1", "POST", first(sink))
                    .http("step_2", "POST", second(sink))
                    .map("step_3", "{'done':true}")),
    /** An outgoing call before the response. */
    ANSWERS(
            true,
            (sink, _, script) -> script.http("step_1", "POST", first(sink))
                    .returnJson("step_2", "{'sequence':'{{trigger.output.body.sequence}}'}")),
    /** A pause between two outgoing calls; runs wait in memory for pauses shorter than 11 seconds. */
    WAITS(
            false,
            (sink, _, script) -> script.http("step_1", "POST", first(sink))
                    .delay("step_2", 11)
                    .http("step_3", "POST", second(sink))),
    /** A call of another flow between two outgoing calls; that flow makes an outgoing call and returns. */
    SUBFLOW(
            false,
            (sink, called, script) -> script.http("step_1", "POST", first(sink))
                    .callFlow("step_2", called, "{'sequence':'{{trigger.output.body.sequence}}'}", true)
                    .http("step_3", "POST", second(sink))),
    /** A code step between two outgoing calls; it computes the number of the second call. */
    CODE(
            false,
            (sink, _, script) -> script.http("step_1", "POST", first(sink))
                    .code(
                            "step_2",
                            "export const code = async (inputs) => inputs.number;",
                            "{'number':'{{trigger.output.body.sequence}}'}")
                    .http("step_3", "POST", sink.url("second", "{{step_2.output}}")));

    /** All kinds except code: a server that ends at one of its first writes ends before its code worker has started. */
    static final List<EventKind> QUICK = List.of(PURE, CALLS, ANSWERS, WAITS, SUBFLOW);

    static final String FIRST = "first";
    static final String SECOND = "second";
    private static final String INNER = "inner";
    static final String NUMBER = "{{trigger.output.body.sequence}}";
    private static final String INNER_NUMBER = "{{trigger.output.data.sequence}}";

    private final boolean waiting;
    private final Steps steps;

    /** Appends the steps of a kind to a script that has a trigger. */
    @FunctionalInterface
    private interface Steps {
        FlowScript add(Sink sink, String called, FlowScript script);
    }

    EventKind(boolean waiting, Steps steps) {
        this.waiting = waiting;
        this.steps = steps;
    }

    /** @param called external id of the flow that {@link #called} creates */
    FlowScript script(Sink sink, String called) {
        return steps.add(sink, called, webhook());
    }

    /** The flow that {@link #SUBFLOW} calls. */
    static FlowScript called(Sink sink) {
        return callable()
                .http("step_1", "POST", sink.url(INNER, INNER_NUMBER))
                .returnToCaller("step_2", "{'done':true}");
    }

    /** Suffix after the flow id in the webhook address. */
    String variant() {
        return waiting ? "/sync" : "";
    }

    /** Kind for an event number: pauses are rare, because each takes 11 seconds. */
    static EventKind of(int number) {
        return switch (number % 10) {
            case 0, 1, 2 -> PURE;
            case 3, 4 -> CALLS;
            case 5 -> SUBFLOW;
            case 6, 7, 8 -> ANSWERS;
            default -> WAITS;
        };
    }

    /** As {@link #of}, with some code. */
    static EventKind withCode(int number) {
        return number % 7 == 0 ? CODE : of(number);
    }

    /** True if an event is sent with an idempotency key, so that its sender may retry it. */
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

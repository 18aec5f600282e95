package io.millrace.integration.alert;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/** Messages of the worker about failed flows, handled by {@link AlertLetterService}. */
sealed interface FailureAlerts {
    /** Returns the number of failures. */
    record WriteLetters(int limit) implements FailureAlerts, BusRequest<Integer> {}

    record Forget() implements FailureAlerts, BusRequest<Nothing> {}
}

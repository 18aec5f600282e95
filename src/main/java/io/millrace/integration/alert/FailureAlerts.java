package io.millrace.integration.alert;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/** Messages of the worker about failed flows, handled by {@link AlertLetterService}. */
sealed interface FailureAlerts {
    /** Writes the mails of at most this number of unreported failures; returns the number of failures. */
    record WriteLetters(int limit) implements FailureAlerts, BusRequest<Integer> {}

    /** Forgets failures that are too old to count. */
    record Forget() implements FailureAlerts, BusRequest<Nothing> {}
}

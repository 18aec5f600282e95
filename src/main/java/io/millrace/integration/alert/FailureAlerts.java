package io.millrace.integration.alert;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/** What the worker asks about flows that failed. Answered by {@link AlertLetterService}. */
sealed interface FailureAlerts {
    /** Writes the letters of so many failures, of which nobody was told; answers how many failures those were. */
    record WriteLetters(int limit) implements FailureAlerts, BusRequest<Integer> {}

    /** Forgets failures that are too old to count. */
    record Forget() implements FailureAlerts, BusRequest<Nothing> {}
}

package io.millrace.account.sealing;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Notice;

/** Requests about the encryption key. Answered by {@link SealingService}. */
public sealed interface Sealing {
    record Show() implements Sealing, BusRequest<SealingState> {}

    /** Reseals all values with the current key. If the server keeps the key itself, it generates a new one first. */
    record Rotate() implements Sealing, BusRequest<SealingState> {}

    record KeysChanged() implements Sealing, Notice {}
}

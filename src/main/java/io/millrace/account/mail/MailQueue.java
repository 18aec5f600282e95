package io.millrace.account.mail;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests of the worker about queued mails. Answered by {@link MailQueueService}. */
sealed interface MailQueue {
    /** Claims due mails; the claim excludes other nodes for the given time. */
    record Claim(Duration validity, int limit) implements MailQueue, BusRequest<List<MailStore.QueuedMail>> {}

    record Sent(String id) implements MailQueue, BusRequest<Nothing> {}

    /** A delivery failed; without a next attempt the mail is given up. */
    record Postpone(String id, Optional<Instant> again, String reason) implements MailQueue, BusRequest<Nothing> {}

    /** Deletes expired mails; returns the number of them that were never delivered. */
    record Forget() implements MailQueue, BusRequest<Integer> {}
}

package io.millrace.account.mail;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the worker asks of the letters that wait. Answered by {@link MailQueueService}. */
sealed interface MailQueue {
    /** Takes letters whose time has come; nobody else has them for the given while. */
    record Claim(Duration validity, int limit) implements MailQueue, BusRequest<List<MailStore.QueuedMail>> {}

    /** The mail server has the letter. */
    record Sent(String id) implements MailQueue, BusRequest<Nothing> {}

    /** The letter was not taken; without a next time it is given up. */
    record Postpone(String id, Optional<Instant> again, String reason) implements MailQueue, BusRequest<Nothing> {}

    /** Forgets letters that are too old to make sense; answers how many of them nobody ever took. */
    record Forget() implements MailQueue, BusRequest<Integer> {}
}

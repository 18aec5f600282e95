package io.millrace.engine.run.waitpoint;

import io.millrace.account.mail.Letter;
import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.ApprovalLinks;
import io.millrace.engine.run.Approvals;
import io.millrace.engine.run.waitpoint.ApprovalStore.DueMail;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Mails to approvers: the request, reminders, and the escalation. The times are rows, so that a restart loses none; the
 * transaction that queues the mails also sets the next time.
 */
public final class ApprovalMails implements BusService {
    private static final Duration VALIDITY = Duration.ofDays(1);
    private static final int MESSAGE_LENGTH_MAX = 2_000;

    private final Database database;
    private final PlatformService platforms;
    private final MailOutbox mail;
    private final ApprovalLinks links;
    private final Supplier<String> publicUrl;
    private final int remindersMax;
    private final InstantSource clock;
    private final ApprovalStore approvals = new ApprovalStore();

    /**
     * @param publicUrl address of the server, for links
     * @param remindersMax reminders to an approver (AP_APPROVAL_REMINDERS_MAX)
     */
    public ApprovalMails(
            Database database,
            PlatformService platforms,
            MailOutbox mail,
            ApprovalLinks links,
            Supplier<String> publicUrl,
            int remindersMax,
            InstantSource clock) {
        this.database = database;
        this.platforms = platforms;
        this.mail = mail;
        this.links = links;
        this.publicUrl = publicUrl;
        this.remindersMax = remindersMax;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Approvals.SendMails.class, send -> database.inTransaction(tx -> send(tx, send.limit())));
    }

    private Future<Integer> send(Tx tx, int limit) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return approvals.dueMails(tx, now, limit).compose(due -> {
            var done = Future.<Void>succeededFuture();
            for (var each : due) {
                done = done.compose(_ -> send(tx, each, now));
            }
            return done.map(due.size());
        });
    }

    private Future<Void> send(Tx tx, DueMail due, Instant now) {
        var isEscalated = due.escalateAt().filter(at -> !at.isAfter(now)).isPresent();
        return (isEscalated ? approvals.escalate(tx, due.waitpointId()) : Future.<Void>succeededFuture())
                .compose(_ -> approvals.find(tx, due.waitpointId()))
                .compose(task -> receivers(tx, due, task.orElseThrow())
                        .compose(receivers -> queue(tx, due, task.orElseThrow(), receivers)))
                .compose(_ -> approvals.mailed(tx, due.waitpointId(), due.mails() + 1, next(due, isEscalated, now)));
    }

    /** Approvers without a decision. */
    private Future<List<String>> receivers(Tx tx, DueMail due, Approvals.Task task) {
        return task.role()
                .map(role -> approvals.membersOfRole(tx, due.projectId(), role, ApprovalService.ROLE_MEMBERS_MAX))
                .orElse(Future.succeededFuture(Set.of()))
                .map(members -> Stream.concat(task.approvers().stream(), members.stream())
                        .distinct()
                        .filter(email -> !task.hasDecided(email))
                        .toList());
    }

    private Future<Void> queue(Tx tx, DueMail due, Approvals.Task task, List<String> receivers) {
        return platforms.find(tx, due.platformId()).compose(platform -> {
            var done = Future.<Void>succeededFuture();
            for (var receiver : receivers) {
                var letter = letter(due, task, receiver);
                done = done.compose(_ -> mail.add(tx, Optional.of(platform), letter, VALIDITY));
            }
            return done;
        });
    }

    private Letter letter(DueMail due, Approvals.Task task, String receiver) {
        var flow = due.flowName().isBlank() ? "A flow" : Letter.oneLine(due.flowName());
        var isReminder = due.mails() > 0;
        var message = task.shown().path("message").asText();
        var paragraphs = new ArrayList<String>();
        paragraphs.add(CutText.marked(message, MESSAGE_LENGTH_MAX, "…"));
        paragraphs.add("Requested by the flow " + flow + " of the project " + Letter.oneLine(due.projectName()) + ".");
        due.deadline().ifPresent(deadline -> paragraphs.add("Decide by " + Json.timestamp(deadline) + "."));
        return new Letter(
                receiver,
                (isReminder ? "Reminder: " : "") + flow + " waits for your approval",
                isReminder ? "Your decision is still needed" : "Your decision is needed",
                paragraphs,
                Optional.empty(),
                Optional.of(new Letter.Link(
                        "Open the request", publicUrl.get() + links.path(due.runId(), due.waitpointId(), receiver))),
                "You receive this because the flow names you as an approver. The link is personal: its holder decides in"
                        + " your name.");
    }

    private Optional<Instant> next(DueMail due, boolean isEscalated, Instant now) {
        var reminder = due.remindEveryMs() > 0 && due.mails() < remindersMax
                ? Stream.of(now.plusMillis(due.remindEveryMs()))
                : Stream.<Instant>empty();
        var escalation = isEscalated ? Stream.<Instant>empty() : due.escalateAt().stream();
        return Stream.concat(reminder, escalation).min(Instant::compareTo);
    }
}

package io.millrace.account.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Records events in the transaction of the change (contract admin-api 22).
 *
 * <p>The events of a platform are serialized: the transaction locks the platform's chain from the record to its end. Record
 * last.
 */
public final class AuditLog {
    private final EventSubjects subjects;
    private final InstantSource clock;
    private final EventOutbox outbox;
    private final AuditStore store = new AuditStore();

    public AuditLog(EventSubjects subjects, InstantSource clock) {
        this(subjects, clock, (_, _) -> Future.succeededFuture());
    }

    public AuditLog(EventSubjects subjects, InstantSource clock, EventOutbox outbox) {
        this.subjects = subjects;
        this.clock = clock;
        this.outbox = outbox;
    }

    /** Records an event, unless it belongs to no platform. */
    public Future<Void> record(Tx tx, ApplicationEvent event) {
        return subjects.find(tx, event)
                .compose(found ->
                        found.map(subject -> record(tx, event, subject)).orElseGet(Future::succeededFuture));
    }

    private Future<Void> record(Tx tx, ApplicationEvent event, EventSubjects.Subject subject) {
        return store.hold(tx, subject.platformId()).compose(held -> append(tx, event, subject, held));
    }

    private Future<Void> append(
            Tx tx, ApplicationEvent event, EventSubjects.Subject subject, AuditStore.ChainHead held) {
        var id = Ids.next();
        var created = after(held.newest());
        var at = Json.timestamp(created);
        var body = Json.object()
                .put("id", id)
                .put("created", at)
                .put("updated", at)
                .put("platformId", subject.platformId());
        putPresent(body, "projectId", event.projectId());
        putPresent(body, "projectDisplayName", subject.projectName());
        putPresent(body, "userId", event.userId());
        putPresent(body, "userEmail", subject.userEmail());
        putPresent(body, "ip", event.address());
        body.put("action", event.action().text());
        body.set("data", dataOf(event, subject));
        var text = new String(DeepJson.bytes(body), StandardCharsets.UTF_8);
        var recorded = new AuditEvent(
                id, created, subject.platformId(), event.projectId(), event.userId(), event.action(), text);
        return store.append(tx, recorded, held.chain().with(text)).compose(_ -> outbox.add(tx, recorded));
    }

    /** Current time, but later than every previous event, even for simultaneous events or a clock that is set back. */
    private Instant after(Instant newest) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return now.isAfter(newest) ? now : newest.plus(1, ChronoUnit.MICROS);
    }

    private static ObjectNode dataOf(ApplicationEvent event, EventSubjects.Subject subject) {
        var data = Json.object();
        data.setAll(event.data());
        if (subject.projectName() != null) {
            var project = data.putObject("project").put("displayName", subject.projectName());
            if (event.action().isOfFlow()) {
                project.put("externalId", subject.projectExternalId());
            }
        }
        return data;
    }

    private static void putPresent(ObjectNode body, String name, String text) {
        if (text != null) {
            body.put(name, text);
        }
    }
}

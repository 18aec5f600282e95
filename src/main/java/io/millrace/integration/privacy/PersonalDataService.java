package io.millrace.integration.privacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserView;
import io.millrace.account.identity.user.UserService;
import io.millrace.account.identity.user.Users;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.privacy.PersonalDataStore.Person;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

public final class PersonalDataService implements BusService {
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Bus bus;
    private final Database database;
    private final UserService users;
    private final int retentionDays;
    private final InstantSource clock;
    private final PersonalDataStore store = new PersonalDataStore();

    /** @param retentionDays retention of the audit log in days (AP_EXECUTION_DATA_RETENTION_DAYS) */
    public PersonalDataService(Bus bus, Database database, UserService users, int retentionDays, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.users = users;
        this.retentionDays = retentionDays;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(PersonalData.Export.class, this::export);
        bus.serve(PersonalData.Erase.class, this::erase);
    }

    private Future<ObjectNode> export(PersonalData.Export ask) {
        return bus.ask(new Users.Find(ask.by(), ask.userId()), LOOK_UP_DEADLINE_MS)
                .compose(user -> database.inTransaction(tx -> sections(tx, person(user))));
    }

    private static Person person(UserView user) {
        return new Person(user.user().id(), user.user().platformId(), user.email());
    }

    private Future<ObjectNode> sections(Tx tx, Person person) {
        var data = Json.object().put("exported", Json.timestamp(clock.instant()));
        var done = Future.<Void>succeededFuture();
        for (var section : PersonalDataSection.values()) {
            done = done.compose(_ -> store.read(tx, section, person))
                    .onSuccess(rows -> data.set(section.key(), rows))
                    .mapEmpty();
        }
        return done.map(data);
    }

    private Future<ObjectNode> erase(PersonalData.Erase ask) {
        return bus.ask(new Users.Find(ask.by(), ask.userId()), LOOK_UP_DEADLINE_MS)
                .map(PersonalDataService::person)
                .compose(person -> database.inTransaction(tx -> erase(tx, ask, person)))
                .map(erased -> {
                    erased.afterwards().run();
                    return erased.report();
                });
    }

    /** @param afterwards action after the commit */
    private record ErasureResult(ObjectNode report, Runnable afterwards) {}

    /** Erases identifying data before the account, which is needed to find that data. */
    private Future<ErasureResult> erase(Tx tx, PersonalData.Erase ask, Person person) {
        var erased = Json.object();
        var done = Future.<Void>succeededFuture();
        for (var erasure : PersonalDataErasure.values()) {
            done = done.compose(_ -> store.clear(tx, erasure, person))
                    .onSuccess(rows -> erased.put(erasure.key(), rows))
                    .mapEmpty();
        }
        var kept = done.compose(_ -> store.auditEvents(tx, person)).map(this::kept);
        return kept.compose(_ -> users.remove(tx, ask.by(), ask.userId()))
                .map(afterwards -> new ErasureResult(report(erased, kept.result()), afterwards));
    }

    private static ObjectNode report(ObjectNode erased, ObjectNode kept) {
        var report = Json.object();
        report.set("erased", erased);
        report.set("kept", kept);
        return report;
    }

    /** Report of retained data. The audit log is a hash chain, so its events are kept until the end of the retention period. */
    private ObjectNode kept(PersonalDataStore.AuditTrail trail) {
        var until = trail.newest().map(newest -> Json.timestamp(newest.plus(retentionDays, ChronoUnit.DAYS)));
        return Json.object().put("auditEvents", trail.events()).put("auditEventsUntil", until.orElse(null));
    }
}

package io.millrace.integration.alert;

import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.diagnosis.Diagnoses;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes alert mails about failed flows: one to each receiver of the project, for the first failure of a version in 24 hours.
 * The transaction that writes the mails also marks the failure as reported. A mail names the cause of the run's diagnosis.
 */
public final class AlertLetterService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(AlertLetterService.class);

    private static final long DIAGNOSIS_DEADLINE_MS = 20_000;
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Database database;
    private final PlatformService platforms;
    private final MailOutbox mail;
    private final Supplier<String> consoleUrl;
    private final InstantSource clock;
    private final FailedFlowStore store = new FailedFlowStore();

    public AlertLetterService(
            Database database,
            PlatformService platforms,
            MailOutbox mail,
            Supplier<String> consoleUrl,
            InstantSource clock) {
        this.consoleUrl = consoleUrl;
        this.database = database;
        this.platforms = platforms;
        this.mail = mail;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(FailureAlerts.WriteLetters.class, write -> write(bus, write.limit()));
        bus.serve(
                FailureAlerts.Forget.class,
                _ -> database.inTransaction(tx -> ExpiryTime.now(tx, clock).compose(now -> store.forget(tx, now)))
                        .map(Nothing.DONE));
    }

    /** Runs are diagnosed before the transaction. One that cannot be diagnosed is reported without a diagnosis. */
    private Future<Integer> write(Bus bus, int limit) {
        return database.read(tx -> store.pending(tx, limit))
                .compose(runIds -> summaries(bus, runIds))
                .compose(summaries -> database.inTransaction(tx -> tell(tx, limit, summaries)));
    }

    private static Future<Map<String, Diagnoses.Summary>> summaries(Bus bus, List<String> runIds) {
        var summaries = new HashMap<String, Diagnoses.Summary>();
        var done = Future.<Void>succeededFuture();
        for (var runId : runIds) {
            done = done.compose(_ -> bus.ask(new Diagnoses.Summarise(runId), DIAGNOSIS_DEADLINE_MS))
                    .<Void>map(summary -> {
                        summary.ifPresent(found -> summaries.put(runId, found));
                        return null;
                    })
                    .otherwise(failure -> {
                        LOG.warn("cannot diagnose run {} for an alert: {}", runId, failure.getMessage());
                        return null;
                    });
        }
        return done.map(summaries);
    }

    private Future<Integer> tell(Tx tx, int limit, Map<String, Diagnoses.Summary> summaries) {
        return store.take(tx, limit).compose(failures -> {
            var done = Future.<Void>succeededFuture();
            for (var failure : failures) {
                var summary = Optional.ofNullable(summaries.get(failure.runId()));
                done = done.compose(_ -> tell(tx, failure, summary));
            }
            return done.map(failures.size());
        });
    }

    private Future<Void> tell(Tx tx, FailedFlow failure, Optional<Diagnoses.Summary> summary) {
        return platforms.find(tx, failure.platformId()).compose(platform -> {
            var done = Future.<Void>succeededFuture();
            for (var receiver : failure.receivers()) {
                var letter = AlertLetter.of(failure, summary, consoleUrl.get(), receiver);
                done = done.compose(_ -> mail.add(tx, Optional.of(platform), letter, VALIDITY));
            }
            return done;
        });
    }
}

package io.millrace.bench;

import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Creates very many paused runs: one is started and pauses, and is then copied in the database of its server, with its
 * wait and the results of its steps. The copies have begun before it, and those that wait for a time wait longer.
 */
final class PausedCopies {
    private static final int AT_ONCE = 125_000;

    private static final List<String> COPY = List.of("""
            insert into run
            select (jsonb_populate_record(r, jsonb_build_object('id', $2 || lpad(n::text, 20, '0'),
                     'waitpoint_id', upper($2) || lpad(n::text, 20, '0'),
                     'created', r.created - n * interval '1 second',
                     'start_time', r.start_time - n * interval '1 second'))).*
              from run r, generate_series($3::bigint, $4::bigint) n
             where r.id = $1
            """, """
            insert into waitpoint
            select (jsonb_populate_record(w, jsonb_build_object('id', upper($2) || lpad(n::text, 20, '0'),
                     'run_id', $2 || lpad(n::text, 20, '0'),
                     'resume_at', w.resume_at + n * interval '1 second'))).*
              from run r join waitpoint w on w.id = r.waitpoint_id, generate_series($3::bigint, $4::bigint) n
             where r.id = $1
            """, """
            insert into run_step (run_id, path, record)
            select $2 || lpad(n::text, 20, '0'), s.path, s.record
              from run_step s, generate_series($3::bigint, $4::bigint) n
             where s.run_id = $1
            """);

    private final DataDirectory directory;

    PausedCopies(DataDirectory directory) {
        this.directory = directory;
    }

    /** Id of a copy, counted from 1. */
    static String id(String prefix, int number) {
        return prefix + "%020d".formatted(number);
    }

    /** Starts a run; returns its id after it has paused. No other run of the flow may be paused. */
    String pause(PublishedFlow flow) {
        flow.api().post("/v1/webhooks/" + flow.flowId(), Json.object());
        var ofIt = " from run where status = 'PAUSED' and flow_id = '" + flow.flowId() + "'";
        Waiting.until(
                "a run pauses", () -> directory.ask("select count(*)" + ofIt).equals("1"));
        return directory.ask("select id" + ofIt);
    }

    /** Creates this many copies of a run of the flow. */
    void fill(PublishedFlow flow, String prefix, int count) {
        var original = pause(flow);
        withDatabase(database -> {
            for (var from = 1L; from <= count; from += AT_ONCE) {
                for (var statement : COPY) {
                    database.query(statement, original, prefix, from, Math.min(count, from + AT_ONCE - 1))
                            .await();
                }
            }
            for (var table : List.of("run", "waitpoint", "run_step")) {
                database.query("vacuum analyze " + table).await();
            }
            return database.query("checkpoint").await();
        });
    }

    /** Queries the database over separate connections. */
    <T> T withDatabase(Function<Database, T> work) {
        var vertx = Vertx.builder()
                .with(new VertxOptions().setPreferNativeTransport(true))
                .build();
        var database = Database.open(
                vertx, EmbeddedPostgres.running(directory.path()).withStatementTimeout(Duration.ofMinutes(10)));
        try {
            return work.apply(database);
        } finally {
            database.close().compose(_ -> vertx.close()).await();
        }
    }
}

package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Statements about the partitions of ended runs, one a day. Every run's commit uses that table: all commits wait behind
 * a waiting lock on it, so a statement waits at most {@link #LOCK_TIMEOUT}. Work that missed its lock is done in a
 * later round.
 */
public final class RunPartitionStore {
    /** Longest wait for a lock, and so longest delay of commits behind one. */
    private static final String LOCK_TIMEOUT = "100ms";

    private static final String TURN = "run/partitions";

    public Future<List<LocalDate>> missing(Tx tx, Instant now, int days) {
        return names(tx).map(names -> {
            var missing = new ArrayList<LocalDate>();
            for (var day = 0; day < days; day++) {
                var date = dateOf(now).plusDays(day);
                if (!names.contains(nameOf(date))) {
                    missing.add(date);
                }
            }
            return missing;
        });
    }

    public Future<List<String>> before(Tx tx, Instant day, int limit) {
        var cutoff = nameOf(dateOf(day));
        return names(tx)
                .map(names -> names.stream()
                        .filter(name -> name.compareTo(cutoff) < 0)
                        .limit(limit)
                        .toList());
    }

    /**
     * True if each of the days before has a partition, or none has. Rounds of earlier days have created them, at least seven
     * days ahead: one is missing after a jump of the clock, and after a stop of all servers for some days.
     */
    public Future<Boolean> hasDaysBefore(Tx tx, Instant today, int days) {
        return names(tx)
                .map(names -> IntStream.rangeClosed(1, days)
                                .mapToObj(day -> nameOf(dateOf(today).minusDays(day)))
                                .allMatch(names::contains)
                        || names.stream().allMatch(name -> name.compareTo(nameOf(dateOf(today))) >= 0));
    }

    public Future<Boolean> hasBefore(Tx tx, Instant day) {
        return before(tx, day, 1).map(names -> !names.isEmpty());
    }

    private static LocalDate dateOf(Instant day) {
        return day.atOffset(ZoneOffset.UTC).toLocalDate();
    }

    private static Future<List<String>> names(Tx tx) {
        return tx.query("""
                        select c.relname::text as name from pg_inherits i
                          join pg_class c on c.oid = i.inhrelid
                        where i.inhparent = 'ended_run'::regclass and c.relname like 'ended_run_2%'
                        order by c.relname
                        """).map(rows -> Rows.all(rows, row -> Rows.text(row, "name")));
    }

    /**
     * Creates the partition of a day, within a transaction, unless another node has created it. Nodes take turns: concurrent
     * {@code create table if not exists} of one name end with a duplicate key of the catalogue. A table that is created
     * separately and then attached blocks neither readers nor writers of the others; only the default partition, which holds
     * hardly any run, is locked.
     */
    public Future<Void> attach(Tx tx, LocalDate day) {
        var name = nameOf(day);
        return tx.exclusive(TURN)
                .compose(_ -> names(tx))
                .compose(names -> names.contains(name) ? Future.succeededFuture() : attach(tx, name, day));
    }

    private static Future<Void> attach(Tx tx, String name, LocalDate day) {
        return limited(tx)
                .compose(_ -> tx.query("create table if not exists " + name + " (like ended_run including all)"))
                .compose(_ -> tx.query("alter table ended_run attach partition " + name + " for values from ('" + day
                        + " 00:00:00+00') to ('" + day.plusDays(1) + " 00:00:00+00')"))
                .mapEmpty();
    }

    /** Drops a partition, within a transaction, unless another node has dropped it. */
    public Future<Void> drop(Tx tx, String name) {
        return limited(tx)
                .compose(_ -> tx.query("drop table if exists " + name))
                .mapEmpty();
    }

    /** Deletes old rows of the default partition (contract 15.4). */
    public Future<Void> deleteOthersBefore(Tx tx, Instant day) {
        return tx.query("delete from ended_run_other where created < $1", day)
                .compose(_ -> tx.query("delete from step_test where created < $1", day))
                .compose(_ -> tx.query("delete from run_replay where created < $1", day))
                .compose(_ -> tx.query("delete from run_attempt where created < $1", day))
                .mapEmpty();
    }

    private static Future<Void> limited(Tx tx) {
        return tx.query("set local lock_timeout = '" + LOCK_TIMEOUT + "'").mapEmpty();
    }

    private static String nameOf(LocalDate day) {
        return "ended_run_" + day.toString().replace('-', '_');
    }
}

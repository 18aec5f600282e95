package io.millrace.base.metrics;

import java.util.List;
import java.util.Locale;

/** Metrics of the server: name, description and labels. {@code metrics.md} lists the same; a test keeps them equal. */
public enum ServerMeter {
    BUILD("millrace_build", Kind.GAUGE, "1, with the release of the server.", "version"),
    RUNS("millrace_runs", Kind.GAUGE, "Live runs of all nodes.", "status"),
    RUNS_ORPHANED("millrace_runs_orphaned", Kind.GAUGE, "Live runs without a living owner."),
    QUEUE_OLDEST(
            "millrace_queue_oldest_seconds",
            Kind.GAUGE,
            "Age of the run that has waited in line the longest; 0 when none waits."),
    WAITS_OVERDUE("millrace_waits_overdue", Kind.GAUGE, "Waits whose moment is over."),
    RUNS_ENDED("millrace_runs_ended", Kind.COUNTER, "Runs that ended here.", "status", "environment"),
    RUN_DURATION(
            "millrace_run_duration_seconds",
            Kind.SECONDS,
            "From the begin of a run to its end, pauses included.",
            "status"),
    RUN_MEMORY("millrace_run_memory_bytes", Kind.GAUGE, "Memory of the live runs of this node."),
    WEBHOOK_DURATION(
            "millrace_webhook_duration_seconds",
            Kind.SECONDS,
            "From the arrival of a webhook call to its answer.",
            "variant",
            "outcome"),
    HTTP_REQUESTS("millrace_http_requests", Kind.COUNTER, "Requests that were answered.", "route", "code"),
    API_REFUSALS(
            "millrace_api_refusals",
            Kind.COUNTER,
            "API requests refused because their caller or their address had sent too many.",
            "limit"),
    COMMIT_DURATION(
            "millrace_commit_duration_seconds",
            Kind.SECONDS,
            "One flush of the writes of many runs into the database."),
    COMMIT_SIZE("millrace_commit_writes", Kind.COUNT, "Writes of runs in one flush."),
    COMMIT_FAILURES("millrace_commit_failures", Kind.COUNTER, "Flushes that failed; they are tried again."),
    DATABASE_UNAVAILABLE(
            "millrace_database_unavailable_seconds",
            Kind.GAUGE,
            "How long the database has not answered; 0 while it does."),
    TRIGGER_LAG(
            "millrace_trigger_lag_seconds",
            Kind.SECONDS,
            "How late a schedule, a poll or the renewal of a hook begins.",
            "timer"),
    TRIGGER_FAILURES("millrace_trigger_failures", Kind.COUNTER, "Schedules and polls whose trigger failed."),
    CODE_WORKERS("millrace_code_workers", Kind.GAUGE, "Worker processes of user code.", "state"),
    CODE_CALLS_WAITING("millrace_code_calls_waiting", Kind.GAUGE, "Calls of user code that wait for a worker."),
    CODE_CALLS_HELD(
            "millrace_code_calls_held",
            Kind.GAUGE,
            "Calls of user code that wait because of what their program has done to its processes.",
            "engine"),
    CODE_CALLS_LONG(
            "millrace_code_calls_long",
            Kind.GAUGE,
            "Calls of user code and of npm pieces that have taken longer than a second: they hold no place of the usual number of"
                    + " processes.",
            "engine"),
    OUTBOUND_DURATION(
            "millrace_outbound_duration_seconds",
            Kind.SECONDS,
            "A call of a flow or of the server to the outside.",
            "class"),
    OUTBOUND_CALLS(
            "millrace_outbound_calls", Kind.COUNTER, "Calls to the outside by what came back.", "class", "outcome"),
    OUTBOUND_CIRCUITS_OPEN(
            "millrace_outbound_circuits_open",
            Kind.GAUGE,
            "Hosts that the server itself leaves alone for a while because they did not answer."),
    PIECE_DURATION("millrace_piece_duration_seconds", Kind.SECONDS, "An action of a piece at work.", "piece"),
    NODE_PROCESSES("millrace_node_processes", Kind.GAUGE, "Processes of npm pieces.", "state"),
    NODE_CALLS_WAITING("millrace_node_calls_waiting", Kind.GAUGE, "Calls of npm pieces that wait for a process."),
    BACKUPS("millrace_backups", Kind.COUNTER, "Backups that the server took by its schedule.", "outcome"),
    BACKUP_NEWEST(
            "millrace_backup_newest_timestamp_seconds",
            Kind.GAUGE,
            "When the newest backup of the schedule was taken, in seconds since 1970; 0 where there is none."),
    EVENT_LOOP_LAG(
            "millrace_event_loop_lag_seconds",
            Kind.SECONDS,
            "How late a timer of an event loop is, looked at each second."),
    CACHE_GETS("cache_gets", Kind.COUNTER, "Look-ups in a cache.", "cache", "result"),
    CACHE_EVICTIONS(
            "cache_evictions",
            Kind.COUNTER,
            "Entries that were forgotten because they were too many or too old.",
            "cache");

    /** Type of a metric. */
    public enum Kind {
        GAUGE,
        COUNTER,
        /** A histogram of durations. */
        SECONDS,
        /** A histogram of counts. */
        COUNT;

        /** Type in Prometheus' format. */
        public String word() {
            return switch (this) {
                case GAUGE, COUNTER -> name().toLowerCase(Locale.ROOT);
                case SECONDS, COUNT -> "histogram";
            };
        }
    }

    private final String publicName;
    private final Kind kind;
    private final String meaning;
    private final List<String> labels;

    ServerMeter(String publicName, Kind kind, String meaning, String... labels) {
        this.publicName = publicName;
        this.kind = kind;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    /** Without the endings that a format adds: {@code _total}, {@code _bucket}, {@code _sum}, {@code _count}. */
    public String publicName() {
        return publicName;
    }

    public Kind kind() {
        return kind;
    }

    public String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels;
    }
}

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
            "Age of the run that has been queued the longest; 0 when none is queued."),
    WAITS_OVERDUE("millrace_waits_overdue", Kind.GAUGE, "Overdue waits."),
    RUNS_ENDED("millrace_runs_ended", Kind.COUNTER, "Runs that ended on this node.", "status", "environment"),
    RUN_DURATION(
            "millrace_run_duration_seconds",
            Kind.SECONDS,
            "Time from the start of a run to its end, pauses included.",
            "status"),
    RUN_MEMORY("millrace_run_memory_bytes", Kind.GAUGE, "Memory of the live runs of this node."),
    WEBHOOK_DURATION(
            "millrace_webhook_duration_seconds",
            Kind.SECONDS,
            "Time from the arrival of a webhook call to its response.",
            "variant",
            "outcome"),
    HTTP_REQUESTS("millrace_http_requests", Kind.COUNTER, "Answered requests.", "route", "code"),
    API_REFUSALS(
            "millrace_api_refusals",
            Kind.COUNTER,
            "API requests refused by the rate limit of their caller or address.",
            "limit"),
    COMMIT_DURATION(
            "millrace_commit_duration_seconds",
            Kind.SECONDS,
            "Duration of a flush, which writes the changes of many runs to the database."),
    COMMIT_SIZE("millrace_commit_writes", Kind.COUNT, "Writes in a flush."),
    COMMIT_FAILURES("millrace_commit_failures", Kind.COUNTER, "Failed flushes; they are retried."),
    DATABASE_UNAVAILABLE(
            "millrace_database_unavailable_seconds",
            Kind.GAUGE,
            "Time since the database last responded; 0 while it responds."),
    TRIGGER_LAG(
            "millrace_trigger_lag_seconds",
            Kind.SECONDS,
            "Delay of a schedule, a poll or the renewal of a hook.",
            "timer"),
    TRIGGER_FAILURES("millrace_trigger_failures", Kind.COUNTER, "Schedules and polls whose trigger failed."),
    CODE_WORKERS("millrace_code_workers", Kind.GAUGE, "Worker processes of user code.", "state"),
    CODE_CALLS_WAITING("millrace_code_calls_waiting", Kind.GAUGE, "Calls of user code waiting for a worker."),
    CODE_CALLS_HELD(
            "millrace_code_calls_held",
            Kind.GAUGE,
            "Calls of user code delayed by the backoff of their program.",
            "engine"),
    CODE_CALLS_LONG(
            "millrace_code_calls_long",
            Kind.GAUGE,
            "Calls of user code and of npm pieces that have taken longer than a second; they do not count towards the usual number of"
                    + " processes.",
            "engine"),
    OUTBOUND_DURATION(
            "millrace_outbound_duration_seconds",
            Kind.SECONDS,
            "Duration of an outbound call of a flow or of the server.",
            "class"),
    OUTBOUND_CALLS("millrace_outbound_calls", Kind.COUNTER, "Outbound calls by result.", "class", "outcome"),
    OUTBOUND_CIRCUITS_OPEN(
            "millrace_outbound_circuits_open",
            Kind.GAUGE,
            "Hosts that the server does not call for a while because they did not respond."),
    MODEL_CALLS_UNREADABLE(
            "millrace_model_calls_unreadable",
            Kind.COUNTER,
            "Tool calls of models that could not be read and were not executed.",
            "reason"),
    PIECE_DURATION("millrace_piece_duration_seconds", Kind.SECONDS, "Duration of an action of a piece.", "piece"),
    NODE_PROCESSES("millrace_node_processes", Kind.GAUGE, "Processes of npm pieces.", "state"),
    NODE_CALLS_WAITING("millrace_node_calls_waiting", Kind.GAUGE, "Calls of npm pieces waiting for a process."),
    BACKUPS("millrace_backups", Kind.COUNTER, "Scheduled backups.", "outcome"),
    BACKUP_NEWEST(
            "millrace_backup_newest_timestamp_seconds",
            Kind.GAUGE,
            "Time of the newest scheduled backup in seconds since 1970; 0 when there is none."),
    EVENT_LOOP_LAG(
            "millrace_event_loop_lag_seconds",
            Kind.SECONDS,
            "Delay of a timer of an event loop, measured each second."),
    CACHE_GETS("cache_gets", Kind.COUNTER, "Cache lookups.", "cache", "result"),
    CACHE_EVICTIONS("cache_evictions", Kind.COUNTER, "Entries evicted because of the size or age limit.", "cache");

    public enum Kind {
        GAUGE,
        COUNTER,
        SECONDS,
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

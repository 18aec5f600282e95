package io.millrace.base.config;

import io.millrace.base.core.memory.HeapRoom;
import java.time.Duration;

public record EngineSettings(
        Timeouts timeouts,
        RunLogLimits log,
        ValueSizes sizes,
        Execution execution,
        WorkerLimits code,
        Shares shares,
        Publishing publishing,
        Redecisions redecisions) {
    public record Timeouts(Duration flow, Duration trigger, Duration pauseMax) {}

    /**
     * Limits of the log of a run.
     *
     * @param megabytesMax the log limit as flags and messages state it
     * @param bytesMax limit in force, a little less
     */
    public record RunLogLimits(long megabytesMax, long bytesMax, long inputTruncateBytes, long sliceBytesMin) {}

    public record ValueSizes(long memoryBytesMax, long fileBytesMax, long storeValueBytesMax) {}

    /**
     * Execution and recovery.
     *
     * @param eventLoops event loops that take webhooks and execute runs
     * @param purePrograms true if flows of pure steps run without an actor
     * @param approvals limits of approvals
     */
    public record Execution(int crashRecoveriesMax, int eventLoops, boolean purePrograms, ApprovalLimits approvals) {}

    /**
     * Code of users.
     *
     * @param inServer true if code without effects runs in the server
     */
    public record WorkerLimits(long memoryBytes, int concurrency, boolean inServer) {}

    public record Shares(boolean projectsLimited, int concurrentJobsLimit, int teamProjectsMax) {}

    /**
     * Treatment of published flows.
     *
     * @param prewarmed true if the server prepares its flows at the start, instead of at the first run of each
     */
    public record Publishing(boolean enableOnPublish, boolean bindsConnections, boolean prewarmed) {}

    /**
     * Re-decisions of history.
     *
     * @param runsMax runs that one re-decision reads
     * @param atOnceMax concurrent re-decisions of a project on a node
     */
    public record Redecisions(int runsMax, int atOnceMax) {}

    /** Headroom under the log limit (contract flows-and-engine 15.1). */
    private static final long LOG_HEADROOM_BYTES = 256 * 1024;

    /** An operator who chose how code is isolated in the other product expects processes. */
    private static final String EXECUTION_MODE = "AP_EXECUTION_MODE";

    /**
     * Limits of an approval.
     *
     * @param approversMax named approvers, with those of the escalation
     * @param remindersMax reminder mails to an approver
     * @param dataBytesMax message, data and form
     */
    public record ApprovalLimits(int approversMax, int remindersMax, long dataBytesMax) {}

    static EngineSettings read(SettingTexts texts) {
        var logMegabytesMax = texts.integer(Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB);
        return new EngineSettings(
                new Timeouts(
                        texts.seconds(Setting.AP_FLOW_TIMEOUT_SECONDS),
                        texts.seconds(Setting.AP_TRIGGER_TIMEOUT_SECONDS),
                        PauseSettings.read(texts)),
                new RunLogLimits(
                        logMegabytesMax,
                        logMegabytesMax * SettingTexts.MEGABYTE - LOG_HEADROOM_BYTES,
                        texts.bytesOfKb(Setting.AP_FLOW_RUN_LOG_INPUT_TRUNCATE_THRESHOLD_KB),
                        texts.bytesOfKb(Setting.AP_FLOW_RUN_LOG_SLICE_THRESHOLD_KB)),
                new ValueSizes(
                        memoryBytesMax(texts.integer(Setting.AP_RUN_MEMORY_MAX_MB)),
                        texts.bytesOfMb(Setting.AP_MAX_FILE_SIZE_MB),
                        texts.bytesOfKb(Setting.AP_MAX_STORE_ENTRY_VALUE_SIZE_KB)),
                new Execution(
                        texts.integer(Setting.AP_RUN_CRASH_RECOVERIES_MAX),
                        eventLoops(texts.integer(Setting.AP_EVENT_LOOPS)),
                        texts.flag(Setting.AP_PURE_PROGRAMS_ENABLED),
                        new ApprovalLimits(
                                texts.integer(Setting.AP_APPROVAL_APPROVERS_MAX),
                                texts.integer(Setting.AP_APPROVAL_REMINDERS_MAX),
                                texts.bytesOfKb(Setting.AP_APPROVAL_DATA_MAX_KB))),
                new WorkerLimits(
                        texts.bytesOfKb(Setting.AP_SANDBOX_MEMORY_LIMIT),
                        texts.integer(Setting.AP_WORKER_CONCURRENCY),
                        texts.flag(Setting.AP_CODE_IN_SERVER_ENABLED)
                                && !texts.unknown().contains(EXECUTION_MODE)),
                new Shares(
                        texts.flag(Setting.AP_PROJECT_RATE_LIMITER_ENABLED),
                        texts.integer(Setting.AP_DEFAULT_CONCURRENT_JOBS_LIMIT),
                        texts.integer(Setting.AP_TEAM_PROJECTS_MAX)),
                new Publishing(
                        texts.flag(Setting.AP_ENABLE_FLOW_ON_PUBLISH),
                        texts.flag(Setting.AP_ENFORCE_CONNECTION_PIECE_BINDING),
                        texts.flag(Setting.AP_PREWARM_CACHE_ON_STARTUP)),
                new Redecisions(
                        texts.integer(Setting.AP_REDECISION_RUNS_MAX), texts.integer(Setting.AP_REDECISIONS_MAX)));
    }

    /** Uses half of the processors by default: the database and the callers need the others. */
    private static int eventLoops(int wanted) {
        return wanted == 0 ? Math.max(1, Runtime.getRuntime().availableProcessors() / 2) : wanted;
    }

    private static long memoryBytesMax(int megabytes) {
        return megabytes == 0 ? HeapRoom.bytesMax() / 2 : megabytes * SettingTexts.MEGABYTE;
    }
}

package io.millrace.base.config;

import java.time.Duration;

/** Reads the longest pause of a run: never longer than its data is kept (contract admin-api 37.5). */
final class PauseSettings {
    private PauseSettings() {}

    /** A default pause is cut to the retention of runs; an explicit one that exceeds the retention is an error. */
    static Duration read(SettingTexts texts) {
        var days = texts.integer(Setting.AP_PAUSED_FLOW_TIMEOUT_DAYS);
        var daysMax = texts.integer(Setting.AP_EXECUTION_DATA_RETENTION_DAYS);
        if (days > daysMax && texts.isGiven(Setting.AP_PAUSED_FLOW_TIMEOUT_DAYS)) {
            throw new BadSetting(Setting.AP_PAUSED_FLOW_TIMEOUT_DAYS + ": expected at most the " + daysMax + " days of "
                    + Setting.AP_EXECUTION_DATA_RETENTION_DAYS + ", found " + days);
        }
        return Duration.ofDays(Math.min(days, daysMax));
    }
}

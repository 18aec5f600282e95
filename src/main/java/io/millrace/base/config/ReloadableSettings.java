package io.millrace.base.config;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The settings that a running server applies when it reads them again (SIGHUP); all others need a restart. */
public final class ReloadableSettings {
    private static final Set<Setting> ALL = Collections.unmodifiableSet(EnumSet.of(
            Setting.AP_API_RATE_LIMIT_AUTHN_ENABLED,
            Setting.AP_API_RATE_LIMIT_AUTHN_MAX,
            Setting.AP_API_RATE_LIMIT_AUTHN_WINDOW,
            Setting.AP_SIGN_IN_FAILURES_MAX,
            Setting.AP_API_RATE_LIMIT_EMAIL_CODE_MAX,
            Setting.AP_API_RATE_LIMIT_CALLER_MAX,
            Setting.AP_API_RATE_LIMIT_ADDRESS_MAX,
            Setting.AP_API_RATE_LIMIT_WINDOW,
            Setting.AP_SSRF_ALLOW_LIST,
            Setting.AP_LOG_LEVEL,
            Setting.AP_LOG_FORMAT,
            Setting.AP_LOG_SAMPLE_RATE_INFO,
            Setting.AP_LOG_KEEP_SLOW_MS,
            Setting.AP_LOG_SAMPLE_RATE_RUNS,
            Setting.AP_METRICS_TOKEN,
            Setting.AP_HEALTH_DISK_FREE_MIN_MB));

    private ReloadableSettings() {}

    /** In the order of {@link Setting}. */
    public static Set<Setting> all() {
        return ALL;
    }
}

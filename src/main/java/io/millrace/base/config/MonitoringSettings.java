package io.millrace.base.config;

import java.util.Optional;

/**
 * Endpoints for monitoring systems.
 *
 * @param isCounting true if metrics are collected
 * @param port separate port; 0 for none
 * @param connectionsMax connections to the separate port
 * @param token bearer token for reading metrics
 * @param diskFreeBytesMin free disk space that a ready server needs
 */
public record MonitoringSettings(
        boolean isCounting, int port, int connectionsMax, Optional<String> token, long diskFreeBytesMin) {
    @Override
    public String toString() {
        return "MonitoringSettings[" + port + "]";
    }

    static MonitoringSettings read(SettingTexts texts) {
        var port = texts.integer(Setting.AP_METRICS_PORT);
        if (port != 0 && port == texts.integer(Setting.AP_PORT)) {
            throw new BadSetting("AP_METRICS_PORT: expected a port other than AP_PORT, found " + port
                    + "; without AP_METRICS_PORT and with AP_METRICS_TOKEN, /metrics is on AP_PORT");
        }
        return new MonitoringSettings(
                texts.flag(Setting.AP_METRICS_ENABLED),
                port,
                texts.integer(Setting.AP_METRICS_CONNECTIONS_MAX),
                texts.optional(Setting.AP_METRICS_TOKEN),
                texts.bytesOfMb(Setting.AP_HEALTH_DISK_FREE_MIN_MB));
    }
}

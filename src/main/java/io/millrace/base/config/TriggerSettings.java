package io.millrace.base.config;

import java.time.Duration;

/**
 * Trigger hooks, polling, missed schedules and app events.
 *
 * @param misfirePolicy {@code skip}, {@code once} or {@code all}
 * @param appSecrets JSON text, or empty text for none
 * @param appEventAgeMax largest difference between the time of an app's signature and the server's clock
 */
public record TriggerSettings(
        Duration hooksTimeout,
        int pollMinutes,
        String misfirePolicy,
        int misfiresMax,
        String appSecrets,
        Duration appEventAgeMax) {

    static TriggerSettings read(SettingTexts texts) {
        return new TriggerSettings(
                texts.seconds(Setting.AP_TRIGGER_HOOKS_TIMEOUT_SECONDS),
                texts.integer(Setting.AP_TRIGGER_DEFAULT_POLL_INTERVAL),
                texts.text(Setting.AP_SCHEDULE_MISFIRE_POLICY),
                texts.integer(Setting.AP_SCHEDULE_MISFIRE_MAX),
                texts.text(Setting.AP_APP_WEBHOOK_SECRETS),
                texts.seconds(Setting.AP_APP_EVENT_SIGNATURE_AGE_SECONDS));
    }
}

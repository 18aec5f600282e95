package io.millrace.base.config;

import java.time.Duration;

/**
 * Webhook intake.
 *
 * @param rawBodyBytesMax largest JSON body whose text is kept in addition to its value
 * @param keys bounds of idempotency keys
 */
public record WebhookSettings(
        Duration timeout, long payloadBytesMax, long rawBodyBytesMax, int backlogMax, IdempotencyKeys keys) {

    /**
     * Idempotency keys.
     *
     * @param kept retention of a key
     * @param perCallerMax keys of API requests of one caller
     * @param answerBytesPerCallerMax bytes of answers of one caller
     */
    public record IdempotencyKeys(Duration kept, int perCallerMax, long answerBytesPerCallerMax) {}

    static WebhookSettings read(SettingTexts texts) {
        return new WebhookSettings(
                texts.seconds(Setting.AP_WEBHOOK_TIMEOUT_SECONDS),
                texts.bytesOfMb(Setting.AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB),
                texts.bytesOfMb(Setting.AP_WEBHOOK_RAW_BODY_MAX_MB),
                texts.integer(Setting.AP_WEBHOOK_BACKLOG_MAX),
                new IdempotencyKeys(
                        Duration.ofHours(texts.integer(Setting.AP_IDEMPOTENCY_KEY_HOURS)),
                        texts.integer(Setting.AP_IDEMPOTENCY_KEYS_PER_CALLER_MAX),
                        texts.bytesOfMb(Setting.AP_IDEMPOTENCY_ANSWERS_PER_CALLER_MAX_MB)));
    }
}

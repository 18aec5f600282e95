package io.millrace.base.config;

import java.util.List;
import java.util.Optional;

/** Reads the settings of the mail server: all of four, or none (contract admin-api 37.7). */
final class SmtpSettings {
    private static final List<Setting> NEEDED =
            List.of(Setting.AP_SMTP_HOST, Setting.AP_SMTP_PORT, Setting.AP_SMTP_USERNAME, Setting.AP_SMTP_PASSWORD);

    private SmtpSettings() {}

    /** Half a mail server is a slip of the pen that would only show when somebody waits for mail. */
    static Optional<Config.Smtp> read(SettingTexts texts) {
        var missing = NEEDED.stream()
                .filter(setting -> texts.text(setting).isEmpty())
                .map(Setting::name)
                .toList();
        if (missing.size() == NEEDED.size()) {
            return Optional.empty();
        }
        if (!missing.isEmpty()) {
            throw new BadSetting(
                    "a mail server needs its host, port, user and password; missing: " + String.join(", ", missing));
        }
        return Optional.of(new Config.Smtp(
                texts.text(Setting.AP_SMTP_HOST),
                texts.integer(Setting.AP_SMTP_PORT),
                texts.text(Setting.AP_SMTP_USERNAME),
                texts.text(Setting.AP_SMTP_PASSWORD),
                senderEmail(texts),
                texts.optional(Setting.AP_SMTP_SENDER_NAME),
                texts.flag(Setting.AP_SMTP_TLS_REJECT_UNAUTHORIZED)));
    }

    private static String senderEmail(SettingTexts texts) {
        var given = texts.optional(Setting.AP_SMTP_SENDER_EMAIL);
        var sender = given.orElseGet(() -> texts.text(Setting.AP_SMTP_USERNAME));
        if (!sender.matches("^[^\\s@<>()\\p{Cntrl}]{1,64}@[^\\s@<>()\\p{Cntrl}]{1,253}$")) {
            throw new BadSetting("AP_SMTP_SENDER_EMAIL: expected an e-mail address"
                    + (given.isEmpty() ? ", because AP_SMTP_USERNAME is none" : ", found " + sender));
        }
        return sender;
    }
}

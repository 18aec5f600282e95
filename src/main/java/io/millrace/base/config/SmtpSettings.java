package io.millrace.base.config;

import io.millrace.base.tls.PemText;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The mail server (contract admin-api 37.7).
 *
 * @param username empty, as the password is, for a server that takes mail without login
 * @param senderName empty when mail is sent in the platform's name
 * @param authorities trusted certificates; empty for those of the JDK
 */
public record SmtpSettings(
        String host,
        int port,
        String username,
        String password,
        String senderEmail,
        Optional<String> senderName,
        boolean rejectsUnauthorized,
        List<X509Certificate> authorities) {
    private static final List<Setting> PLACE = List.of(Setting.AP_SMTP_HOST, Setting.AP_SMTP_PORT);

    private static final List<Setting> LOGIN = List.of(Setting.AP_SMTP_USERNAME, Setting.AP_SMTP_PASSWORD);

    public SmtpSettings {
        authorities = List.copyOf(authorities);
    }

    @Override
    public String toString() {
        return "SmtpSettings[" + host + ":" + port + "]";
    }

    /** Rejects incomplete settings at the start; otherwise the first mail would fail. */
    static Optional<SmtpSettings> read(SettingTexts texts) {
        var missing = missing(texts, PLACE);
        var withoutLogin = missing(texts, LOGIN);
        if (missing.size() == PLACE.size() && withoutLogin.size() == LOGIN.size()) {
            return Optional.empty();
        }
        if (withoutLogin.size() == 1 || !missing.isEmpty() && withoutLogin.isEmpty()) {
            missing = Stream.concat(missing.stream(), withoutLogin.stream()).toList();
        }
        if (!missing.isEmpty()) {
            throw new BadSetting(
                    "a mail server needs a host and a port, and a user and a password unless it accepts mail without"
                            + " login; missing: " + String.join(", ", missing));
        }
        return Optional.of(new SmtpSettings(
                texts.text(Setting.AP_SMTP_HOST),
                texts.integer(Setting.AP_SMTP_PORT),
                texts.text(Setting.AP_SMTP_USERNAME),
                texts.text(Setting.AP_SMTP_PASSWORD),
                senderEmail(texts),
                texts.optional(Setting.AP_SMTP_SENDER_NAME),
                texts.flag(Setting.AP_SMTP_TLS_REJECT_UNAUTHORIZED),
                texts.optional(Setting.AP_SMTP_TLS_CA)
                        .map(SmtpSettings::authorities)
                        .orElse(List.of())));
    }

    private static List<X509Certificate> authorities(String pem) {
        try {
            return PemText.certificates(pem.replace("\\n", "\n"));
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(Setting.AP_SMTP_TLS_CA + ": " + malformed.getMessage());
        }
    }

    private static List<String> missing(SettingTexts texts, List<Setting> settings) {
        return settings.stream()
                .filter(setting -> texts.text(setting).isEmpty())
                .map(Setting::name)
                .toList();
    }

    private static String senderEmail(SettingTexts texts) {
        var given = texts.optional(Setting.AP_SMTP_SENDER_EMAIL);
        var sender = given.orElseGet(() -> texts.text(Setting.AP_SMTP_USERNAME));
        if (!sender.matches("^[^\\s@<>()\\p{Cntrl}]{1,64}@[^\\s@<>()\\p{Cntrl}]{1,253}$")) {
            throw new BadSetting("AP_SMTP_SENDER_EMAIL: expected an e-mail address"
                    + (given.isEmpty() ? ", because AP_SMTP_USERNAME is not an address" : ", found " + sender));
        }
        return sender;
    }
}

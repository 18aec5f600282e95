package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.Step;
import io.millrace.piece.property.PropertyType;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Warns of secrets in plain fields: exports, versions and run logs of the flow contain them. The message names the field and
 * never the value.
 */
final class PlainSecretRule implements WarningRule {
    private static final int SECRET_CHARACTERS_MIN = 8;
    private static final int SEARCHED_CHARACTERS_MAX = 200_000;

    private static final Set<String> KEYS = Set.of(
            "authorization",
            "proxyauthorization",
            "password",
            "passwd",
            "pwd",
            "passphrase",
            "secret",
            "secretkey",
            "clientsecret",
            "apikey",
            "xapikey",
            "apitoken",
            "accesskey",
            "secretaccesskey",
            "accesstoken",
            "authtoken",
            "xauthtoken",
            "bearertoken",
            "refreshtoken",
            "privatekey",
            "privatetoken",
            "token",
            "webhooksecret");

    /** Published formats of credentials; each has a fixed beginning and a minimum length. */
    private static final Pattern FORMATS = Pattern.compile(String.join(
            "|",
            "\\bsk-[A-Za-z0-9_-]{20,}",
            "\\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
            "\\bgh[oprsu]_[A-Za-z0-9]{30,}",
            "\\bgithub_pat_[A-Za-z0-9_]{22,}",
            "\\bglpat-[A-Za-z0-9_-]{20,}",
            "\\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
            "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b",
            "\\bAIza[0-9A-Za-z_-]{35}",
            "\\bSG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
            "\\bnpm_[A-Za-z0-9]{36}\\b",
            "(?<![\\w-])eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}",
            "-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
            "\\b(?:Bearer|Basic) [A-Za-z0-9._~+/=-]{16,}",
            "\\b[a-z][a-z0-9+.-]{1,20}://[^\\s/:@{}]{1,100}:[^\\s/:@{}]{4,100}@"));

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(step -> SettingText.withCode(step).stream()
                        .filter(setting -> isSecret(setting) && !isSecretProperty(flow, step, setting))
                        .map(setting -> new StepProblem(
                                step.name(),
                                setting.path() + ": the text looks like a secret, and exports and logs of the flow show"
                                        + " it; keep it in a connection or a variable and refer to that")));
    }

    private static boolean isSecret(SettingText setting) {
        var text = setting.text();
        var searched = text.length() > SEARCHED_CHARACTERS_MAX ? text.substring(0, SEARCHED_CHARACTERS_MAX) : text;
        return hasKnownFormat(searched) || isNamedSecret(setting);
    }

    static boolean hasKnownFormat(String text) {
        return FORMATS.matcher(text).find();
    }

    private static boolean isNamedSecret(SettingText setting) {
        return KEYS.contains(setting.plainKey())
                && setting.text().length() >= SECRET_CHARACTERS_MIN
                && !setting.hasExpression();
    }

    /** Editors hide the text of such a property, and logs leave it out. */
    private static boolean isSecretProperty(CheckedFlow flow, Step step, SettingText setting) {
        var property = flow.propertiesOf(step).get(setting.key());
        return property != null
                && property.type() == PropertyType.SECRET_TEXT
                && setting.path().equals("input/" + setting.key());
    }
}

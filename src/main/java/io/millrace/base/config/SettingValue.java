package io.millrace.base.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The text of a setting and its origin, before validation: the environment wins over the file, the file over the default.
 *
 * @param text trimmed text; empty for none
 */
public record SettingValue(Setting setting, String text, Origin origin) {
    private static final String MASK = "********";

    public enum Origin {
        ENVIRONMENT,
        FILE,
        DEFAULT
    }

    /**
     * Every setting, in the order of {@link Setting}.
     *
     * @param environment variables of the process
     * @param file properties file; may be absent
     * @throws BadSetting when the file cannot be read
     */
    public static List<SettingValue> all(Map<String, String> environment, Path file) {
        return all(environment, SettingTexts.read(file));
    }

    static List<SettingValue> all(Map<String, String> environment, Properties file) {
        return Stream.of(Setting.values())
                .map(setting -> of(setting, environment.get(setting.name()), file.getProperty(setting.name())))
                .toList();
    }

    /** A blank variable hides the file's value, too: that is how a setting of the file is taken back. */
    private static SettingValue of(Setting setting, String variable, String property) {
        var given = variable == null ? property : variable;
        if (given == null || given.isBlank()) {
            return new SettingValue(setting, setting.defaultText(), Origin.DEFAULT);
        }
        return new SettingValue(setting, given.strip(), variable == null ? Origin.FILE : Origin.ENVIRONMENT);
    }

    /** Returns true if the environment or the file sets a value, even if it equals the default. */
    boolean isGiven() {
        return origin != Origin.DEFAULT;
    }

    /** The text for display: a secret shows only that it is set. */
    public String shown() {
        return setting.kind() instanceof Setting.Kind.Secret && !text.isEmpty() ? MASK : text;
    }

    @Override
    public String toString() {
        return setting + "=" + shown();
    }
}

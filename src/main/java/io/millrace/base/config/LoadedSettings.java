package io.millrace.base.config;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Settings as read at one moment: their values, and their difference from another reading. */
public final class LoadedSettings {
    private final SettingTexts texts;
    private final Config config;

    private LoadedSettings(SettingTexts texts) {
        this.texts = texts;
        this.config = ConfigReader.read(texts);
    }

    /**
     * Reads all settings.
     *
     * @param environment variables of the process
     * @param file properties file; may be absent
     * @throws BadSetting naming every value that is not acceptable
     */
    public static LoadedSettings read(Map<String, String> environment, Path file) {
        return new LoadedSettings(new SettingTexts(environment, file));
    }

    public Config config() {
        return config;
    }

    public Set<Setting> changedSince(LoadedSettings earlier) {
        var changed = EnumSet.noneOf(Setting.class);
        for (var setting : Setting.values()) {
            if (!texts.text(setting).equals(earlier.texts.text(setting))) {
                changed.add(setting);
            }
        }
        return changed;
    }
}

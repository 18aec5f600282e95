package io.millrace.base.config;

import java.util.function.Supplier;

/**
 * The settings in force. A reload changes those of {@link ReloadableSettings}: readers of those must ask here each time; all
 * others may be read once. Thread-safe.
 */
public final class LiveConfig implements Supplier<Config> {
    private volatile Config current;

    public LiveConfig(Config current) {
        this.current = current;
    }

    @Override
    public Config get() {
        return current;
    }

    public void set(Config changed) {
        current = changed;
    }
}

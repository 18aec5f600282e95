package io.millrace.app;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.LoadedSettings;
import io.millrace.base.config.ReloadableSettings;
import io.millrace.base.config.Setting;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the settings again when the process gets SIGHUP, applies those that may change at runtime, and logs the applied ones
 * and those that need a restart: by name, because values may be secrets. If the new settings are invalid, the server keeps the
 * current ones.
 */
public final class SettingsReload {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsReload.class);

    private final Supplier<LoadedSettings> source;
    private final Supplier<Server> server;
    private final LoadedSettings started;
    private LoadedSettings latest;

    private SettingsReload(LoadedSettings started, Supplier<LoadedSettings> source, Supplier<Server> server) {
        this.started = started;
        this.latest = started;
        this.source = source;
        this.server = server;
    }

    /**
     * Takes the signal from now on. The log has its format before, because a process that ignores the signal logs that.
     *
     * @param source reads the settings again
     * @param server the one that runs, or null while it starts
     */
    public static void onHangUp(LoadedSettings started, Supplier<LoadedSettings> source, Supplier<Server> server) {
        applyLog(started.config());
        HangUpSignal.take(new SettingsReload(started, source, server)::run);
    }

    private synchronized void run() {
        try {
            var running = server.get();
            if (running == null) {
                LOG.warn("SIGHUP ignored: the server is still starting; send the signal again after the start");
            } else {
                take(source.get(), running);
            }
        } catch (BadSetting refused) {
            LOG.error("SIGHUP: no setting changed: {}", refused.getMessage());
        } catch (RuntimeException defect) {
            LOG.error("SIGHUP: no setting changed", defect);
        }
    }

    private void take(LoadedSettings read, Server running) {
        var taken = EnumSet.copyOf(ReloadableSettings.all());
        taken.retainAll(read.changedSince(latest));
        var waiting = read.changedSince(started);
        waiting.removeAll(ReloadableSettings.all());
        running.reload(read.config());
        var unknown = read.config().process().unknownNames();
        Runnable confirm = () -> LOG.info(
                "SIGHUP: settings loaded; applied: {}; applied by a restart only: {}{}",
                names(taken),
                names(waiting),
                unknown.isEmpty() ? "" : "; unknown: " + String.join(", ", unknown));
        // A level that rises must not hide its own confirmation.
        var isShown = LOG.isInfoEnabled();
        if (isShown) {
            confirm.run();
        }
        applyLog(read.config());
        latest = read;
        if (!isShown) {
            confirm.run();
        }
    }

    static void applyLog(Config config) {
        LogOutput.level(config.observation().logging().level());
        LogOutput.format(config.observation().logging().format());
    }

    private static String names(Set<Setting> settings) {
        return settings.isEmpty()
                ? "nothing"
                : List.copyOf(settings).stream().map(Setting::name).collect(Collectors.joining(", "));
    }
}

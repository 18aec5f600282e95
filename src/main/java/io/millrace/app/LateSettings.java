package io.millrace.app;

import io.millrace.account.platform.Embedders;
import io.millrace.app.module.ServerContext;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.secret.ServerSecrets;
import io.millrace.engine.trigger.AppSecrets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the start checks of the settings after they are read: texts that only the module they are for can understand. A
 * look at the settings asks the same modules, and starts nothing.
 */
public final class LateSettings {
    private LateSettings() {}

    /** Refuses with one {@link BadSetting} that names every setting that a start would refuse. */
    public static void check(Config config) {
        var problems = new ArrayList<String>();
        checks(config).forEach(check -> {
            try {
                check.run();
            } catch (BadSetting refused) {
                problems.addAll(refused.problems());
            }
        });
        if (!problems.isEmpty()) {
            throw new BadSetting(problems);
        }
    }

    private static Stream<Runnable> checks(Config config) {
        var data = config.data();
        var modules = List.<Runnable>of(
                () -> ServerSecrets.check(data.encryptionKey(), data.knownEncryptionKeys(), data.jwtSecret()),
                () -> ServerContext.guard(config),
                () -> new Embedders(config.http().embedOrigins()),
                () -> AppSecrets.read(config.triggers().appSecrets()));
        return config.postgres().isEmbedded()
                ? modules.stream()
                : Stream.concat(modules.stream(), Stream.of(() -> ExternalPostgres.settings(config.postgres())));
    }
}

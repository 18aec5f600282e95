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
 * Checks of settings that need more than their texts: values that only their module can parse, and files that they name. The start,
 * {@code config check} and {@code doctor} run the same checks.
 */
public final class SettingChecks {
    private SettingChecks() {}

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
        var data = config.storage().data();
        var modules = List.<Runnable>of(
                () -> ServerSecrets.check(
                        data.secrets().encryptionKey(),
                        data.secrets().knownEncryptionKeys(),
                        data.secrets().jwtSecret()),
                () -> ServerContext.guard(config),
                () -> new Embedders(config.network().http().origins().embed()),
                () -> AppSecrets.read(config.runs().triggers().appSecrets()),
                () -> SettingFiles.checkDataDirectory(config),
                () -> SettingFiles.checkBackupKey(config),
                () -> SettingFiles.checkPrices(config),
                () -> SettingFiles.checkExecutables(config),
                () -> SettingFiles.checkCloudToken(config));
        return config.storage().postgres().isEmbedded()
                ? modules.stream()
                : Stream.concat(
                        modules.stream(),
                        Stream.of(
                                () -> ExternalPostgres.settings(config.storage().postgres())));
    }
}

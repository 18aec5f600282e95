package io.millrace.app;

import io.millrace.base.backup.BackupException;
import io.millrace.base.backup.BackupKey;
import io.millrace.base.config.BackupSettings;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.ObjectStorageSettings.BucketAccess;
import io.millrace.base.config.Setting;
import io.millrace.base.core.IoReason;
import io.millrace.workspace.usage.ModelPrices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the files, folders and executables that settings name, without creating any. Each method fails with a
 * {@link BadSetting} that names the setting, the expected and the found value.
 */
final class SettingFiles {
    private static final Set<String> UNWRITABLE_KINDS =
            Set.of("proc", "sysfs", "cgroup", "cgroup2", "devpts", "securityfs");

    private SettingFiles() {}

    static void checkBackupKey(Config config) {
        var data = config.storage().data();
        data.backups()
                .flatMap(BackupSettings::keyFile)
                .or(() -> data.migrationBackup().flatMap(BackupSettings.MigrationBackup::keyFile))
                .ifPresent(file -> {
                    try {
                        BackupKey.read(file);
                    } catch (BackupException unusable) {
                        throw new BadSetting(Setting.AP_BACKUP_KEY_FILE + ": " + unusable.getMessage());
                    }
                });
    }

    static void checkPrices(Config config) {
        try {
            ModelPrices.read(config.runs().agents().pricesFile());
        } catch (IllegalArgumentException unusable) {
            throw new BadSetting(Setting.AP_AI_PRICES_FILE + ": " + unusable.getMessage());
        }
    }

    static void checkExecutables(Config config) {
        var packages = config.packages();
        packages.node().ifPresent(file -> checkExecutable(Setting.AP_NODE_PATH, file));
        packages.code()
                .python()
                .executable()
                .filter(_ -> packages.code().python().isOn())
                .ifPresent(file -> checkExecutable(Setting.AP_PYTHON_PATH, file));
    }

    private static void checkExecutable(Setting setting, Path file) {
        if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
            throw new BadSetting(setting + ": expected an executable file, found " + found(file) + " at " + file);
        }
    }

    static void checkCloudToken(Config config) {
        config.storage()
                .files()
                .bucket()
                .filter(bucket -> bucket.access() instanceof BucketAccess.Role)
                .map(bucket -> ((BucketAccess.Role) bucket.access()).tokenFile())
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file -> {
                    throw new BadSetting(Setting.AWS_WEB_IDENTITY_TOKEN_FILE + ": expected a readable file, found "
                            + found(file) + " at " + file);
                });
    }

    private static String found(Path file) {
        if (Files.isDirectory(file)) {
            return "a directory";
        }
        return Files.exists(file) ? "one that this user may not access" : "none";
    }

    /** The folder itself, or the nearest one above it, where the start would create it. */
    static void checkDataDirectory(Config config) {
        var directory = config.storage().data().directory();
        var nearest = Optional.of(directory);
        while (nearest.isPresent() && !Files.exists(nearest.get())) {
            nearest = Optional.ofNullable(nearest.get().getParent());
        }
        var problem = nearest.flatMap(SettingFiles::problem);
        if (problem.isPresent()) {
            throw new BadSetting(
                    Setting.AP_DATA_DIR + ": expected a folder that the user of the server may write to, found "
                            + directory + ", where " + problem.get());
        }
    }

    private static Optional<String> problem(Path there) {
        try {
            if (!Files.isDirectory(there)) {
                return Optional.of(there + " is not a folder");
            }
            var store = Files.getFileStore(there);
            if (UNWRITABLE_KINDS.contains(store.type())) {
                return Optional.of(there + " is part of a file system of the kernel (" + store.type() + ")");
            }
            if (store.isReadOnly()) {
                return Optional.of(there + " is on a read-only file system");
            }
            return Files.isWritable(there)
                    ? Optional.empty()
                    : Optional.of(there + " cannot be written to by the user " + System.getProperty("user.name"));
        } catch (IOException unreadable) {
            return Optional.of(IoReason.of(unreadable));
        }
    }
}

package io.millrace.base.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Data on disk, its secrets and its retention. Secrets are empty when they are to be generated. */
public record DataSettings(
        Path directory,
        GivenSecrets secrets,
        int retentionDays,
        Optional<BackupSettings> backups,
        Optional<BackupSettings.MigrationBackup> migrationBackup,
        Accounts accounts) {
    /** Secrets that the operator sets; empty ones are generated. */
    public record GivenSecrets(
            Optional<String> encryptionKey,
            List<String> knownEncryptionKeys,
            Optional<String> jwtSecret,
            Optional<String> previousJwtSecret) {
        public GivenSecrets {
            knownEncryptionKeys = List.copyOf(knownEncryptionKeys);
        }

        @Override
        public String toString() {
            return "GivenSecrets[]";
        }
    }

    @Override
    public String toString() {
        return "DataSettings[" + directory + "]";
    }

    /**
     * Numbers of the users that child processes run as, where this server is root.
     *
     * @param processes number of users of which each process has another one
     * @param firstProcess number of the first of them
     */
    public record Accounts(int code, int piece, int database, int processes, int firstProcess) {
        boolean isOfProcess(int user) {
            return user >= firstProcess && user - firstProcess < processes;
        }
    }

    static DataSettings read(SettingTexts texts) {
        return new DataSettings(
                Path.of(texts.text(Setting.AP_DATA_DIR)).toAbsolutePath().normalize(),
                new GivenSecrets(
                        texts.optional(Setting.AP_ENCRYPTION_KEY),
                        texts.words(Setting.AP_KNOWN_ENCRYPTION_KEYS),
                        texts.optional(Setting.AP_JWT_SECRET),
                        texts.optional(Setting.AP_JWT_SECRET_PREVIOUS)),
                texts.integer(Setting.AP_EXECUTION_DATA_RETENTION_DAYS),
                BackupSettings.read(texts),
                BackupSettings.beforeMigration(texts),
                accounts(texts));
    }

    private static Accounts accounts(SettingTexts texts) {
        var accounts = new Accounts(
                texts.integer(Setting.AP_CODE_UID),
                texts.integer(Setting.AP_PIECE_UID),
                texts.integer(Setting.AP_EMBEDDED_POSTGRES_UID),
                texts.integer(Setting.AP_PROCESS_UIDS),
                texts.integer(Setting.AP_PROCESS_UID_FIRST));
        if (accounts.isOfProcess(accounts.code())
                || accounts.isOfProcess(accounts.piece())
                || accounts.isOfProcess(accounts.database())) {
            throw new BadSetting("AP_PROCESS_UID_FIRST: expected " + accounts.processes()
                    + " numbers (AP_PROCESS_UIDS) without AP_CODE_UID, AP_PIECE_UID and AP_EMBEDDED_POSTGRES_UID, found"
                    + " those from " + accounts.firstProcess() + " on");
        }
        if (accounts.code() == accounts.piece()
                || accounts.code() == accounts.database()
                || accounts.piece() == accounts.database()) {
            throw new BadSetting(
                    "AP_CODE_UID, AP_PIECE_UID and AP_EMBEDDED_POSTGRES_UID: expected three different numbers");
        }
        return accounts;
    }
}

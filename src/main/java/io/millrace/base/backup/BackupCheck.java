package io.millrace.base.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a whole backup and compares each part with its recorded sum, before the backup is relied on. */
final class BackupCheck implements BackupFile.Parts {
    private final BackupSums found = BackupSums.none();
    private BackupContents contents;
    private BackupSums sums;
    private Optional<byte[]> secrets = Optional.empty();

    private BackupCheck() {}

    /** Refuses an incomplete backup with {@link BackupException}. */
    static BackupCheck of(Path file, Optional<BackupKey> key) throws IOException {
        var check = new BackupCheck();
        try {
            BackupFile.read(file, key, check);
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
        check.compare();
        return check;
    }

    private void compare() {
        for (var table : contents.tables()) {
            if (!found.tables().containsKey(table.name())) {
                throw new BackupException("the backup is damaged: the table " + table.name() + " is missing");
            }
        }
        if (!found.equals(sums)) {
            throw new BackupException("the backup is damaged: its checksums do not match");
        }
    }

    BackupContents contents() {
        return contents;
    }

    BackupSums sums() {
        return sums;
    }

    Optional<byte[]> secrets() {
        return secrets;
    }

    BackupSummary summary(Path file) throws IOException {
        return new BackupSummary(
                file,
                contents.release(),
                contents.schemaVersion(),
                contents.created(),
                BackupFile.isEncrypted(file),
                secrets.isPresent(),
                new BackupSummary.Counts(sums.tables().size(), sums.rows(), Files.size(file)));
    }

    @Override
    public void contents(BackupContents read) {
        contents = read;
    }

    @Override
    public void table(String name, InputStream rows) throws IOException {
        contents.table(name);
        var digest = RowDigest.alone();
        rows.transferTo(digest);
        found.tables().put(name, digest.sum());
    }

    @Override
    public void file(String name, byte[] bytes) {
        if (!name.equals(BackupFile.SECRETS)) {
            throw new BackupException("the backup has a file of an unknown kind: " + name);
        }
        secrets = Optional.of(bytes);
        found.files().put(name, BackupFile.digest(bytes));
    }

    @Override
    public void sums(BackupSums read) {
        sums = read;
    }
}

package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.backup.Backup;
import io.millrace.base.backup.BackupNames;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A server killed during a backup leaves no file that counts as one, and the next server takes the next scheduled
 * backup.
 */
@Slow(Slow.Reason.FAULT)
final class ScheduledBackupKillIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final int ATTEMPTS_MAX = 5;

    /** Every five minutes of the accelerated clock, so that the duration of a start does not matter. */
    private static final String TIMES = IntStream.range(0, 24 * 12)
            .mapToObj(place -> "%02d:%02d".formatted(place / 12, place % 12 * 5))
            .collect(Collectors.joining(","));

    @Test
    void killedBackupDoesNotCount() throws IOException {
        try (var directory = DataDirectory.prepared()) {
            var folder = directory.path().resolve("backups");

            // when it is killed during a backup; a backup may complete just before the kill
            for (var attempt = 0; attempt < ATTEMPTS_MAX && parts(folder).isEmpty(); attempt++) {
                try (var server = start(directory, Duration.ZERO)) {
                    Waiting.until(
                            "a backup has begun: " + server.output(),
                            DEADLINE,
                            () -> !parts(folder).isEmpty());
                    server.kill();
                    server.exitStatus(DEADLINE);
                }
            }

            // then the partial file does not count as a backup, and all backups are complete
            var left = parts(folder);
            assertThat(left).isNotEmpty().noneMatch(BackupNames::isBackup);
            var before = backups(folder);
            before.forEach(name -> assertWhole(folder.resolve(name)));
            assertThat(before)
                    .doesNotContain(left.getFirst().substring(0, left.getFirst().indexOf(".backup.") + 7));

            // when its successor takes the next backup, days later
            try (var server = start(directory, Duration.ofHours(1))) {
                Waiting.until(
                        "another backup is there: " + server.output(),
                        DEADLINE,
                        () -> !before.containsAll(backups(folder)));
            }

            // then that backup is complete, and the partial file is gone
            backups(folder).forEach(name -> assertWhole(folder.resolve(name)));
            assertThat(names(folder)).doesNotContainAnyElementsOf(left);
        }
    }

    private static void assertWhole(Path backup) {
        assertThat(Backup.check(backup, Optional.empty()).counts().tables()).isGreaterThan(50);
    }

    private static List<String> parts(Path folder) {
        return names(folder).stream().filter(name -> name.endsWith(".part")).toList();
    }

    private static List<String> backups(Path folder) {
        return names(folder).stream().filter(BackupNames::isBackup).toList();
    }

    /** @param since time since the clock was accelerated: an hour counts as two and a half days */
    private static ServerProcess start(DataDirectory directory, Duration since) {
        return ServerProcess.ofClasses(
                HastyServer.class.getName(),
                List.of(),
                List.of(Instant.now().minus(since).toString(), "http://127.0.0.1:1"),
                directory.path(),
                Map.of(
                        "AP_BACKUP_AT",
                        TIMES,
                        "AP_BACKUP_TARGET",
                        directory.path().resolve("backups").toString()));
    }

    private static List<String> names(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException moving) {
            return List.of();
        }
    }
}

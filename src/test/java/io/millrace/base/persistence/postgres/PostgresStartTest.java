package io.millrace.base.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only starts that failed because of a full disk are retried; all known messages are recognized. */
final class PostgresStartTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "embedded PostgreSQL cannot be started: java.nio.file.FileSystemException: /data/x: No space left on device",
                "FATAL:  could not write lock file \"postmaster.pid\": No space left on device",
                "FATAL:  could not extend file \"base/13507/2605_vm\": wrote only 4096 of 8192 bytes at block 0"
                        + "\nHINT:  Check free disk space."
            })
    void waitsForRoom(String said) {
        assertThat(PostgresStart.isOfFullDisk(new PostgresStartException(said))).isTrue();
    }

    @Test
    void doesNotWait_whenRoomWouldNotHelp() {
        assertThat(PostgresStart.isOfFullDisk(
                        new PostgresStartException("database files are incompatible with server")))
                .isFalse();
    }
}

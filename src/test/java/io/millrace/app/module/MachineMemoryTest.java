package io.millrace.app.module;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineMemoryTest {
    private static final long MEGABYTE = 1L << 20;

    @ParameterizedTest
    @CsvSource({"512, 1", "1024, 1", "1471, 1", "1480, 2", "2048, 2", "4096, 5", "24576, 5"})
    void letsAsManyProcessesRunAsHaveRoom(long machineMb, int processes) {
        assertThat(new MachineMemory(machineMb * MEGABYTE).processes(5, 1, 368 * MEGABYTE))
                .isEqualTo(processes);
    }

    @Test
    void letsTheLeastRun_onTheSmallestMachine() {
        assertThat(new MachineMemory(256 * MEGABYTE).processes(7, 2, 384 * MEGABYTE))
                .isEqualTo(2);
    }

    @Test
    void neverLetsMoreRunThanAreWanted() {
        assertThat(new MachineMemory(256 * MEGABYTE).processes(1, 2, 384 * MEGABYTE))
                .isOne();
    }

    @Test
    void knowsTheMemoryOfThisHost() {
        assertThat(MachineMemory.ofHost().bytes()).isGreaterThan(64 * MEGABYTE);
    }
}

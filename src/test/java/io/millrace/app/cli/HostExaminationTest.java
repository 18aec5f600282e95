package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Findings of the doctor command about the process limit. */
final class HostExaminationTest {
    @Test
    void findsAProblem_whenAServerCouldNotStart() {
        var finding = HostExamination.processes(Optional.of(99L));

        assertThat(finding.level()).isEqualTo(Finding.Level.PROBLEM);
        assertThat(finding.line()).contains("99 processes and threads are allowed", "a start needs 100");
    }

    @Test
    void warns_whenCodeMayFindNone() {
        var finding = HostExamination.processes(Optional.of(299L));

        assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
        assertThat(finding.advice()).contains("with code and npm pieces it needs 300");
    }

    @Test
    void isContent_withEnough_orWithoutABound() {
        assertThat(HostExamination.processes(Optional.of(300L)).level()).isEqualTo(Finding.Level.OK);
        assertThat(HostExamination.processes(Optional.empty()).level()).isEqualTo(Finding.Level.OK);
    }
}

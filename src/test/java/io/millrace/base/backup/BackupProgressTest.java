package io.millrace.base.backup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackupProgressTest {
    @Test
    void countsTablesThatAreDone() {
        var progress = new BackupProgress(4);

        assertThat(progress.percent()).isZero();
        progress.table("flow");
        assertThat(progress.percent()).isZero();
        progress.table("run");
        progress.table("step");
        assertThat(progress.percent()).isEqualTo(50);
        assertThat(new BackupProgress(0).percent()).isEqualTo(100);
    }
}

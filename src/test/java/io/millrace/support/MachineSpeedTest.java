package io.millrace.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MachineSpeedTest {
    @Test
    void neverShortensADeadline_andMultipliesItByTenAtMost() {
        var deadline = Duration.ofSeconds(60);

        assertThat(MachineSpeed.deadline(deadline)).isBetween(deadline, deadline.multipliedBy(10));
        assertThat(MachineSpeed.extension(deadline)).isBetween(Duration.ZERO, deadline.multipliedBy(9));
        assertThat(MachineSpeed.measured()).isBetween(1.0, 10.0);
    }

    @Test
    void limitsTheSlowness() {
        assertThat(MachineSpeed.limited(0.3)).isEqualTo(1);
        assertThat(MachineSpeed.limited(3)).isEqualTo(3);
        assertThat(MachineSpeed.limited(70)).isEqualTo(10);
    }
}

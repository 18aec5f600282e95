package io.millrace.base.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SecretWorkTest {
    @Test
    void hashesWithCostTenAndKeysOf4096Bits_inProduction() {
        assertThat(SecretWork.PRODUCTION).isEqualTo(new SecretWork(10, 4096));
    }

    @Test
    void refusesLessThanTheAlgorithmsAllow() {
        assertThatThrownBy(() -> new SecretWork(3, 4096)).hasMessage("expected a cost of 4 to 31, found 3");
        assertThatThrownBy(() -> new SecretWork(32, 4096)).hasMessage("expected a cost of 4 to 31, found 32");
        assertThatThrownBy(() -> new SecretWork(10, 1024)).hasMessage("expected at least 2048 bits, found 1024");
    }
}

package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class FreePortTest {
    @Test
    void findsAPortThatCanBeListenedOn() throws IOException {
        try (var listening = new ServerSocket(FreePort.find().orElseThrow())) {
            assertThat(listening.isBound()).isTrue();
        }
    }

    @Test
    void claimsThePortAgainstOtherProcesses() {
        var port = FreePort.find().orElseThrow();

        assertThatThrownBy(() -> new DatagramSocket(port).close()).isInstanceOf(BindException.class);
    }

    /** The number of claims is bounded, so that a long-lived process keeps few sockets. */
    @Test
    void keepsTheLatestClaimsOnly() throws IOException {
        var ports = new HashSet<Integer>();
        for (var i = 0; i < 33; i++) {
            ports.add(FreePort.find().orElseThrow());
        }

        var free = 0;
        for (var port : ports) {
            try (var unclaimed = new DatagramSocket(port)) {
                free += unclaimed.isBound() ? 1 : 0;
            } catch (BindException claimed) {
                assertThat(claimed).isNotNull();
            }
        }
        assertThat(ports).hasSizeGreaterThanOrEqualTo(32);
        assertThat(free).isBetween(1, ports.size() - 32 + 1);
    }
}

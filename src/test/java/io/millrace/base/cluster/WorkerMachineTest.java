package io.millrace.base.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WorkerMachineTest {
    private static final NodeDescription DESCRIPTION = new NodeDescription("192.0.2.7:8080", "0.1.0", "0084", "all");

    @Test
    void hasTheFieldsOfThePublishedSchema() {
        var information = new WorkerMachine(
                        "n1", Instant.EPOCH, Instant.EPOCH, true, DESCRIPTION, NodeDescription.load())
                .toJson()
                .path("information");

        assertThat(information.path("ip").asText()).isEqualTo("192.0.2.7");
        assertThat(information.path("port").intValue()).isEqualTo(8080);
        assertThat(information.path("workerId").asText()).isEqualTo("n1");
        assertThat(information.path("totalCpuCores").intValue()).isPositive();
        assertThat(information.path("diskInfo").path("total").longValue()).isPositive();
        assertThat(information.at("/workerProps/version").isTextual()).isTrue();
    }

    @Test
    void hasThemForANodeThatHasNotToldItsLoad() {
        var information = new WorkerMachine("n1", Instant.EPOCH, Instant.EPOCH, true, DESCRIPTION, Json.object())
                .toJson()
                .path("information");

        assertThat(information.at("/diskInfo/percentage").isNumber()).isTrue();
        assertThat(information.path("cpuUsagePercentage").isNumber()).isTrue();
    }

    @Test
    void namesAnAddressThatOthersReach() {
        assertThat(NodeDescription.reachable("192.0.2.7", 8080)).isEqualTo("192.0.2.7:8080");
        assertThat(NodeDescription.reachable("0.0.0.0", 8080)).endsWith(":8080").isEqualTo(hostsOwn() + ":8080");
        assertThat(NodeDescription.reachable("no.such.host.invalid", 1)).isEqualTo("no.such.host.invalid:1");
    }

    /** On a host without a network only the listen address can be named. */
    private static String hostsOwn() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(Inet4Address.class::isInstance)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst()
                    .orElse("0.0.0.0");
        } catch (SocketException unreadable) {
            return "0.0.0.0";
        }
    }
}

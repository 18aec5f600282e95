package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Cidr;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
    private final AddressGuard strict = AddressGuard.strict();

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.255.255.255",
        "10.0.0.0, 10.255.255.255",
        "100.64.0.0, 100.127.255.255",
        "127.0.0.0, 127.255.255.255",
        "169.254.0.0, 169.254.255.255",
        "172.16.0.0, 172.31.255.255",
        "192.0.0.0, 192.0.0.255",
        "192.0.2.0, 192.0.2.255",
        "192.31.196.0, 192.31.196.255",
        "192.52.193.0, 192.52.193.255",
        "192.88.99.0, 192.88.99.255",
        "192.168.0.0, 192.168.255.255",
        "192.175.48.0, 192.175.48.255",
        "198.18.0.0, 198.19.255.255",
        "198.51.100.0, 198.51.100.255",
        "203.0.113.0, 203.0.113.255",
        "224.0.0.0, 239.255.255.255",
        "240.0.0.0, 255.255.255.255",
        "::, ::",
        "::1, ::1",
        "fe80::, febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "ff00::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fc00::, fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "100::, 100::ffff:ffff:ffff:ffff",
        "::ffff:0:0:0, ::ffff:0:ffff:ffff",
        "64:ff9b::, 64:ff9b::ffff:ffff",
        "2002::, 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001::, 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:db8::, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        "2620:4f:8000::, 2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
        "64:ff9b:1::, 64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
        "fec0::, feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "3fff::, 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
        "5f00::, 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "168.63.129.16, 168.63.129.16"
    })
    void refusesBothEndsOfEveryRange(String first, String last) {
        assertThat(strict.isAllowed(InetAddress.ofLiteral(first))).isFalse();
        assertThat(strict.isAllowed(InetAddress.ofLiteral(last))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.0",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "168.63.129.15",
                "168.63.129.17",
                "172.15.255.255",
                "172.32.0.0",
                "191.255.255.255",
                "192.0.1.0",
                "192.0.1.255",
                "192.0.3.0",
                "192.31.195.255",
                "192.31.197.0",
                "192.52.192.255",
                "192.52.194.0",
                "192.88.98.255",
                "192.88.100.0",
                "192.167.255.255",
                "192.169.0.0",
                "192.175.47.255",
                "192.175.49.0",
                "198.17.255.255",
                "198.20.0.0",
                "198.51.99.255",
                "198.51.101.0",
                "203.0.112.255",
                "203.0.114.0",
                "223.255.255.255",
                "93.184.216.34",
                "8.8.8.8",
                "2001:200::",
                "2606:4700::1111",
                "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
                "2001:db9::",
                "2001:ffff::1",
                "2003::1",
                "2620:4f:7fff::1",
                "2620:4f:8001::1",
                "2a00:1450:4001:81b::200e"
            })
    void allowsOrdinaryAddressesNextToTheRanges(String address) {
        assertThat(strict.isAllowed(InetAddress.ofLiteral(address))).isTrue();
    }

    @Test
    void judgesMappedAddressesByTheirIpv4Part() throws UnknownHostException {
        assertThat(strict.isAllowed(mapped(127, 0, 0, 1))).isFalse();
        assertThat(strict.isAllowed(mapped(8, 8, 8, 8))).isTrue();
        assertThat(AddressGuard.allowing("10.0.0.0/8").isAllowed(mapped(10, 1, 2, 3)))
                .isTrue();
        assertThat(strict.isAllowed(InetAddress.ofLiteral("::ffff:127.0.0.1"))).isFalse();
    }

    @Test
    void allowsWhatTheListNames_andNothingElse() {
        var guard = AddressGuard.allowing(" 127.0.0.1 , 10.20.0.0/16,, fd00:1::/32 ");

        assertThat(guard.isAllowed(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
        assertThat(guard.isAllowed(InetAddress.ofLiteral("127.0.0.2"))).isFalse();
        assertThat(guard.isAllowed(InetAddress.ofLiteral("10.20.255.255"))).isTrue();
        assertThat(guard.isAllowed(InetAddress.ofLiteral("10.21.0.0"))).isFalse();
        assertThat(guard.isAllowed(InetAddress.ofLiteral("fd00:1:ffff::1"))).isTrue();
        assertThat(guard.isAllowed(InetAddress.ofLiteral("fd00:2::1"))).isFalse();
        assertThat(guard.isAllowed(InetAddress.ofLiteral("::1"))).isFalse();
    }

    @Test
    void allowsNothingMore_whenTheListIsEmpty() {
        assertThat(AddressGuard.allowing("").isAllowed(InetAddress.ofLiteral("127.0.0.1")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost", "127.1", "0x7f.0.0.1", "010.0.0.1", "2130706433", "10.0.0.0/33", "10.0.0.0/",
                        "10.0.0.0/-1",
                "10.0.0.0/8/8", "256.0.0.1", "fd00::/129", "fe80::1%eth0", "[::1]", "::ffff:10.0.0.0/95", "1.2.3.4.5",
                        ":::"
            })
    void refusesAListWithAMalformedEntry_namingVariableAndEntry(String entry) {
        assertThatThrownBy(() -> AddressGuard.allowing("10.0.0.1," + entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("AP_SSRF_ALLOW_LIST ")
                .hasMessageContaining("\"" + entry + "\"");
    }

    @Test
    void readsBlocksOfMappedAddressesAsIpv4() {
        var block = Cidr.parse("::ffff:10.0.0.0/104");

        assertThat(block.contains(new byte[] {10, 9, 8, 7})).isTrue();
        assertThat(block.contains(new byte[] {11, 0, 0, 0})).isFalse();
    }

    private static InetAddress mapped(int a, int b, int c, int d) throws UnknownHostException {
        var bytes = new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) a, (byte) b, (byte) c, (byte) d};
        var address = Inet6Address.getByAddress("mapped", bytes, 1);
        assertThat(address.getAddress()).hasSize(16);
        return address;
    }
}

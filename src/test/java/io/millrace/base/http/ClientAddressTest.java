package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.config.HttpSettings;
import io.millrace.base.core.Cidr;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
    private static final String PROXY = "10.0.0.1";
    private static final String TRUSTED = "10.0.0.0/8, ::1, fe80::/10";

    private final ClientAddress usual = clients("x-real-ip");

    private static ClientAddress clients(String header) {
        return new ClientAddress(new HttpSettings.Proxies(header, Cidr.parseAll(TRUSTED)));
    }

    private static String found(ClientAddress clients, String peer, Map<String, String> headers) {
        return clients.of(
                peer,
                name -> headers.containsKey(name)
                        ? Arrays.asList(headers.get(name).split(";;"))
                        : List.of());
    }

    /** Two semicolons separate the values of repeated headers. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                10.0.0.1     | 192.0.2.1                          | 192.0.2.1
                10.0.0.1     | 203.0.113.9, 192.0.2.1             | 192.0.2.1
                10.0.0.1     | 203.0.113.9, 192.0.2.1, 10.0.0.2   | 192.0.2.1
                10.0.0.1     | 203.0.113.9 ;; 192.0.2.1           | 192.0.2.1
                10.0.0.1     | 10.0.0.3, 10.0.0.2                 | 10.0.0.3
                10.0.0.1     | 2001:DB8:0:0::1                    | 2001:db8:0:0:0:0:0:1
                10.0.0.1     | ::ffff:192.0.2.1                   | 192.0.2.1
                10.0.0.1     | 192.0.2.1:49152                    | 192.0.2.1
                10.0.0.1     | [2001:db8::1]:443                  | 2001:db8:0:0:0:0:0:1
                10.0.0.1     | [2001:db8::1]                      | 2001:db8:0:0:0:0:0:1
                ::1          | 192.0.2.1                          | 192.0.2.1
                fe80::1%eth0 | 192.0.2.1                          | 192.0.2.1
                fe80::1%eth0 | unknown                            | fe80::1
                10.0.0.1     | 192.0.2.1, unknown                 | 10.0.0.1
                10.0.0.1     | not an address                     | 10.0.0.1
                10.0.0.1     | localhost                          | 10.0.0.1
                10.0.0.1     | ''                                 | 10.0.0.1
                198.51.100.7 | 192.0.2.1                          | 198.51.100.7
                """)
    void believesTrustedProxiesOnly(String peer, String header, String client) {
        assertThat(found(clients("cf-connecting-ip"), peer, Map.of("cf-connecting-ip", header)))
                .isEqualTo(client);
        assertThat(found(usual, peer, Map.of("x-forwarded-for", header))).isEqualTo(client);
        assertThat(found(usual, peer, Map.of("x-real-ip", header))).isEqualTo(client);
    }

    /** Each line has the headers that a proxy forwards for a client at 192.0.2.1; "-" for a missing header. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                192.0.2.1   | -                        | -                                              | 192.0.2.1
                192.0.2.1   | 203.0.113.9, 192.0.2.1   | -                                              | 192.0.2.1
                203.0.113.9 | 203.0.113.9, 192.0.2.1   | -                                              | 10.0.0.1
                203.0.113.9 | 192.0.2.1                | -                                              | 10.0.0.1
                192.0.2.1   | 203.0.113.9              | -                                              | 10.0.0.1
                192.0.2.1   | 192.0.2.1                | for=203.0.113.9                                | 10.0.0.1
                -           | 192.0.2.1                | for=192.0.2.1;proto=https;by=10.0.0.1          | 192.0.2.1
                -           | -                        | For="192.0.2.1:4711"                           | 192.0.2.1
                -           | -                        | proto=https; for="[2001:db8::1]:4711"          | 2001:db8:0:0:0:0:0:1
                -           | -                        | for=203.0.113.9, for=192.0.2.1;by=10.0.0.1     | 192.0.2.1
                -           | -                        | for=203.0.113.9, for=192.0.2.1, for=10.0.0.2   | 192.0.2.1
                -           | -                        | for=_hidden                                    | 10.0.0.1
                -           | -                        | for=unknown                                    | 10.0.0.1
                -           | -                        | by=203.0.113.9                                 | 10.0.0.1
                10.0.0.2    | 192.0.2.1, 10.0.0.2      | -                                              | 192.0.2.1
                10.0.0.2    | -                        | -                                              | 10.0.0.2
                -           | -                        | -                                              | 10.0.0.1
                """)
    void takesWhatAllHeadersAgreeOn(String realIp, String forwardedFor, String forwarded, String client) {
        var headers =
                new HashMap<>(Map.of("x-real-ip", realIp, "x-forwarded-for", forwardedFor, "forwarded", forwarded));
        headers.values().removeIf("-"::equals);

        assertThat(found(usual, PROXY, headers)).isEqualTo(client);
    }

    @Test
    void readsNoOtherHeader_whenTheOperatorNamesOne() {
        var headers =
                Map.of("cf-connecting-ip", "192.0.2.1", "x-forwarded-for", "203.0.113.9", "x-real-ip", "203.0.113.8");

        assertThat(found(clients("cf-connecting-ip"), PROXY, headers)).isEqualTo("192.0.2.1");
        assertThat(found(clients("X-Forwarded-For"), PROXY, headers)).isEqualTo("203.0.113.9");
        assertThat(found(clients(""), PROXY, headers)).isEqualTo(PROXY);
    }

    @Test
    void readsNoHeaderOfAnUntrustedPeer() {
        var headers = Map.of("x-real-ip", "192.0.2.1", "x-forwarded-for", "192.0.2.1", "forwarded", "for=192.0.2.1");

        assertThat(found(usual, "198.51.100.7", headers)).isEqualTo("198.51.100.7");
    }
}

package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.config.Config;
import io.millrace.base.core.Cidr;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
    private final ClientAddress clients =
            new ClientAddress(new Config.Proxies("x-forwarded-for", Cidr.parseAll("10.0.0.0/8, ::1, fe80::/10")));

    /** Values of the header stand between semicolons, as they would in several lines. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                10.0.0.1     | 192.0.2.1                          | 192.0.2.1
                10.0.0.1     | 203.0.113.9, 192.0.2.1             | 192.0.2.1
                10.0.0.1     | 203.0.113.9, 192.0.2.1, 10.0.0.2   | 192.0.2.1
                10.0.0.1     | 203.0.113.9 ; 192.0.2.1            | 192.0.2.1
                10.0.0.1     | 10.0.0.3, 10.0.0.2                 | 10.0.0.3
                10.0.0.1     | 2001:DB8:0:0::1                    | 2001:db8:0:0:0:0:0:1
                10.0.0.1     | ::ffff:192.0.2.1                   | 192.0.2.1
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
        // When
        var found = clients.of(peer, Arrays.asList(header.split(";")));

        // Then
        assertThat(found).isEqualTo(client);
    }

    @Test
    void takesTheConnection_whenNothingIsSaid() {
        assertThat(clients.of("10.0.0.1", List.of())).isEqualTo("10.0.0.1");
    }
}

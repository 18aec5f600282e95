package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in the format of Node.js, from a name server with one of each type. */
class DomainQueriesTest {
    private Vertx vertx;
    private RecordServer server;
    private DomainQueries queries;

    @BeforeEach
    void start() throws IOException {
        vertx = Vertx.vertx();
        server = RecordServer.start();
        queries = new DomainQueries(vertx, server.options().setQueryTimeout(5_000));
    }

    @AfterEach
    void stop() {
        server.close();
        Waiting.await(vertx.close());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "A | a.example | [\"1.2.3.4\"]",
                "AAAA | a.example | [\"2606:0:0:0:0:0:0:1\"]",
                "CNAME | a.example | [\"m.io\"]",
                "NS | a.example | [\"m.io\"]",
                "MX | a.example | [{\"exchange\":\"m.io\",\"priority\":10}]",
                "TXT | a.example | [[\"a=b\"]]",
                "PTR | 1.2.3.4 | [\"m.io\"]",
                "PTR | 4.3.2.1.in-addr.arpa | [\"m.io\"]",
                "SRV | _mongodb._tcp.a.example | [{\"name\":\"m.io\",\"port\":27017,\"priority\":1,\"weight\":2}]",
            })
    void answersRecords(DomainQueries.Type type, String name, String records) {
        assertThat(Waiting.await(queries.find(type, name)).toString()).isEqualTo(records);
    }

    @Test
    void reportsAnUnknownName() {
        var code = queries.find(DomainQueries.Type.A, "none.example")
                .map(_ -> "found")
                .otherwise(DomainQueries::codeOf);

        assertThat(Waiting.await(code)).isEqualTo("ENOTFOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a..b", "a b", "ä.example", "a/b", "..", "a\u0000b"})
    void sendsNoQuery_forAnInvalidName(String name) {
        var code = queries.find(DomainQueries.Type.A, name).map(_ -> "found").otherwise(DomainQueries::codeOf);

        assertThat(Waiting.await(code)).isEqualTo("EBADNAME");
    }

    @Test
    void knowsItsTypes() {
        assertThat(DomainQueries.Type.of("SRV")).contains(DomainQueries.Type.SRV);
        assertThat(DomainQueries.Type.of("ANY")).isEmpty();
    }
}

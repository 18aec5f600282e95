package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A missing record is distinguished from a name server that does not answer. */
class DomainRecordsTest {
    private Vertx vertx;
    private RecordServer server;
    private DomainRecords records;

    @BeforeEach
    void start() throws IOException {
        vertx = Vertx.vertx();
        server = RecordServer.start();
        records = DomainRecords.of(vertx, server.options().setQueryTimeout(500));
    }

    @AfterEach
    void stop() {
        server.close();
        Waiting.await(vertx.close());
    }

    @Test
    void findsTheTextsOfAName() {
        assertThat(Waiting.await(records.texts("a.example"))).containsExactly("a=b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none.example", "bare.example"})
    void findsNoText_whenTheNameServerHasNone(String name) {
        assertThat(Waiting.await(records.texts(name))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken.example", "refused.example", "silent.example"})
    void fails_whenTheRecordServerGivesNoAnswer(String name) {
        assertThatThrownBy(() -> Waiting.await(records.texts(name))).isInstanceOf(Exception.class);
    }

    @Test
    void fails_whenThereIsNoRecordServer() {
        server.close();

        assertThatThrownBy(() -> Waiting.await(records.texts("a.example"))).isInstanceOf(Exception.class);
    }
}

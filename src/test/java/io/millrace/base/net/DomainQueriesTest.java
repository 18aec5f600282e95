package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as Node.js gives them, from a name server that has one of each type. */
class DomainQueriesTest {
    private Vertx vertx;
    private DatagramSocket server;
    private DomainQueries queries;

    @BeforeEach
    void start() throws IOException {
        vertx = Vertx.vertx();
        server = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
        Thread.startVirtualThread(this::serve);
        queries = new DomainQueries(
                vertx,
                new DnsClientOptions()
                        .setHost("127.0.0.1")
                        .setPort(server.getLocalPort())
                        .setQueryTimeout(5_000));
    }

    @AfterEach
    void stop() {
        server.close();
        Waiting.await(vertx.close());
    }

    private void serve() {
        var packet = new DatagramPacket(new byte[512], 512);
        try {
            while (true) {
                packet.setLength(512);
                server.receive(packet);
                var answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
                server.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        } catch (IOException closed) {
            assertThat(server.isClosed()).isTrue();
        }
    }

    /** The question with one answer; a name that begins with "none" does not exist. */
    private static byte[] answer(byte[] query) throws IOException {
        var end = 12;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        var type = query[end + 1] << 8 | query[end + 2] & 0xFF;
        var isThere = !new String(query, 13, 4, StandardCharsets.US_ASCII).equals("none");
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(isThere ? 0x8180 : 0x8183);
        out.writeShort(1);
        out.writeShort(isThere ? 1 : 0);
        out.writeInt(0);
        out.write(query, 12, end + 5 - 12);
        if (isThere) {
            var data = data(type);
            out.writeShort(0xC00C);
            out.writeShort(type);
            out.writeShort(1);
            out.writeInt(60);
            out.writeShort(data.length);
            out.write(data);
        }
        return bytes.toByteArray();
    }

    private static byte[] data(int type) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        switch (type) {
            case 1 -> out.write(new byte[] {1, 2, 3, 4});
            case 28 -> out.write(InetAddress.ofLiteral("2606::1").getAddress());
            case 15 -> {
                out.writeShort(10);
                name(out);
            }
            case 16 -> {
                out.writeByte(3);
                out.writeBytes("a=b");
            }
            case 33 -> {
                out.writeShort(1);
                out.writeShort(2);
                out.writeShort(27017);
                name(out);
            }
            default -> name(out);
        }
        return bytes.toByteArray();
    }

    private static void name(DataOutputStream out) throws IOException {
        out.writeByte(1);
        out.writeByte('m');
        out.writeByte(2);
        out.writeBytes("io");
        out.writeByte(0);
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
    void tellsThatThereIsNoSuchName() {
        var code = queries.find(DomainQueries.Type.A, "none.example")
                .map(_ -> "found")
                .otherwise(DomainQueries::codeOf);

        assertThat(Waiting.await(code)).isEqualTo("ENOTFOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a..b", "a b", "ä.example", "a/b", "..", "a\u0000b"})
    void asksNobody_forWhatIsNoName(String name) {
        var code = queries.find(DomainQueries.Type.A, name).map(_ -> "found").otherwise(DomainQueries::codeOf);

        assertThat(Waiting.await(code)).isEqualTo("EBADNAME");
    }

    @Test
    void knowsItsTypes() {
        assertThat(DomainQueries.Type.of("SRV")).contains(DomainQueries.Type.SRV);
        assertThat(DomainQueries.Type.of("ANY")).isEmpty();
    }
}

package io.millrace.base.net;

import io.vertx.core.dns.DnsClientOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Name server with one record of each type for any name. A name that contains "none" does not exist, "bare" has no record,
 * "broken" ends with a server failure, "refused" is refused, and "silent" gets no answer.
 */
final class RecordServer implements AutoCloseable {
    private final DatagramSocket socket;

    private RecordServer(DatagramSocket socket) {
        this.socket = socket;
    }

    /** Starts a server on a free port of the loopback interface. */
    static RecordServer start() throws IOException {
        var server = new RecordServer(new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1")));
        Thread.startVirtualThread(server::serve);
        return server;
    }

    /** Options of a client that queries this server. */
    DnsClientOptions options() {
        return new DnsClientOptions().setHost("127.0.0.1").setPort(socket.getLocalPort());
    }

    @Override
    public void close() {
        socket.close();
    }

    private void serve() {
        var packet = new DatagramPacket(new byte[512], 512);
        try {
            while (true) {
                packet.setLength(512);
                socket.receive(packet);
                var answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
                if (answer.length > 0) {
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException closed) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException(closed);
            }
        }
    }

    /** The query with one answer, or with the failure selected by its name. */
    private static byte[] answer(byte[] query) throws IOException {
        var end = 12;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        var type = query[end + 1] << 8 | query[end + 2] & 0xFF;
        var name = new String(query, 12, end - 12, StandardCharsets.US_ASCII);
        if (name.contains("silent")) {
            return new byte[0];
        }
        var code = name.contains("none") ? 3 : name.contains("broken") ? 2 : name.contains("refused") ? 5 : 0;
        var isThere = code == 0 && !name.contains("bare");
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(0x8180 | code);
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
}

package io.millrace.support;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.sql.SQLException;

/**
 * Proxy of a database server that pretends another release: replaces the version in the responses of the server, in its
 * greeting and as the number {@code server_version_num}. Both keep their length.
 */
public final class VersionProxy implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int VERSIONS_PER_RELEASE = 10_000;

    private final ServerSocket listener;
    private final DatabaseSettings server;
    private final byte[] greeting;
    private final byte[] pretendedGreeting;
    private final byte[] number;
    private final byte[] pretendedNumber;

    private VersionProxy(DatabaseSettings server, int version, int release) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.server = server;
        this.greeting = ("server_version\0" + version / VERSIONS_PER_RELEASE).getBytes(US_ASCII);
        this.pretendedGreeting = ("server_version\0" + release).getBytes(US_ASCII);
        this.number = ByteBuffer.allocate(Integer.BYTES).putInt(version).array();
        this.pretendedNumber = ByteBuffer.allocate(Integer.BYTES)
                .putInt(release * VERSIONS_PER_RELEASE + version % VERSIONS_PER_RELEASE)
                .array();
        Thread.ofPlatform().daemon().name("version-proxy").start(this::accept);
    }

    /**
     * Proxy of the server of a database.
     *
     * @param release pretended major release of two digits
     */
    public static VersionProxy of(DatabaseSettings server, int release) throws IOException {
        try (var connection = JdbcConnections.open(server, "test")) {
            var version = JdbcConnections.all(
                            connection, "select current_setting('server_version_num')::int", row -> row.getInt(1))
                    .getFirst();
            return new VersionProxy(server, version, release);
        } catch (SQLException failed) {
            throw new IOException(failed);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                var upstream = new Socket(InetAddress.getLoopbackAddress(), server.port());
                copy(client, upstream, false);
                copy(upstream, client, true);
            } catch (IOException closed) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(closed);
                }
            }
        }
    }

    private void copy(Socket from, Socket to, boolean pretends) {
        Thread.ofPlatform().daemon().name("version-proxy-connection").start(() -> {
            try (from;
                    to) {
                copy(from.getInputStream(), to.getOutputStream(), pretends);
            } catch (IOException ended) {
                // One side has closed the connection; only the other one is left to close.
                return;
            }
        });
    }

    private void copy(InputStream from, OutputStream to, boolean pretends) throws IOException {
        var chunk = new byte[CHUNK_BYTES];
        for (var read = from.read(chunk); read >= 0; read = from.read(chunk)) {
            if (pretends) {
                replace(chunk, read, greeting, pretendedGreeting);
                replace(chunk, read, number, pretendedNumber);
            }
            to.write(chunk, 0, read);
        }
    }

    private static void replace(byte[] chunk, int length, byte[] wanted, byte[] other) {
        for (var at = 0; at + wanted.length <= length; at++) {
            if (ByteBuffer.wrap(chunk, at, wanted.length).equals(ByteBuffer.wrap(wanted))) {
                System.arraycopy(other, 0, chunk, at, other.length);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}

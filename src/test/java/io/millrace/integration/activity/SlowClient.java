package io.millrace.integration.activity;

import io.millrace.support.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Client of a project's events that reads only on demand, with minimal socket buffers. */
final class SlowClient implements AutoCloseable {
    private static final int BUFFER_BYTES = 4_096;
    private static final int DEADLINE_MS = 60_000;

    private final Socket socket;

    private SlowClient(Socket socket) {
        this.socket = socket;
    }

    static SlowClient open(TestServer server, TestServer.SignedIn user) {
        try {
            var socket = new Socket();
            socket.setReceiveBufferSize(BUFFER_BYTES);
            socket.setSoTimeout(DEADLINE_MS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), DEADLINE_MS);
            var request = "GET /api/v1/projects/" + user.projectId() + "/events HTTP/1.1\r\nHost: mill\r\n"
                    + "Authorization: Bearer " + user.api().token() + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new SlowClient(socket);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Reads up to the event that all later changes follow. */
    void awaitReady() {
        readUntil("event: ready");
    }

    /** Reads to the end of the stream. */
    String rest() {
        return readUntil("\r\n0\r\n\r\n");
    }

    private String readUntil(String end) {
        try {
            var tail = "";
            var begun = System.nanoTime();
            while (!tail.contains(end) && System.nanoTime() - begun < DEADLINE_MS * 1_000_000L) {
                var block = new byte[BUFFER_BYTES];
                var count = socket.getInputStream().read(block);
                if (count < 0) {
                    break;
                }
                tail += new String(block, 0, count, StandardCharsets.ISO_8859_1);
                tail = tail.substring(Math.max(0, tail.length() - 2 * BUFFER_BYTES));
            }
            return tail;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

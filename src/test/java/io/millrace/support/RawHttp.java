package io.millrace.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** One connection to a server, for malformed or unusual requests. */
public final class RawHttp implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final int LINE_BYTES_MAX = 1 << 20;
    private static final int RELUCTANT_BYTES = 2048;

    /** Length code of a frame whose length is in the next two bytes. */
    private static final int LENGTH_FOLLOWS = 126;

    private final Socket socket;

    private RawHttp(Socket socket) {
        this.socket = socket;
    }

    public static RawHttp connect(int port) {
        return connect(port, MachineSpeed.deadline(DEADLINE));
    }

    /** Opens a connection with a read timeout. */
    public static RawHttp connect(int port, Duration deadline) {
        return connect(port, deadline, new Socket());
    }

    /** Opens a connection with a minimal receive buffer. */
    public static RawHttp reluctant(int port, Duration deadline) {
        var socket = new Socket();
        try {
            socket.setReceiveBufferSize(RELUCTANT_BYTES);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return connect(port, deadline, socket);
    }

    private static RawHttp connect(int port, Duration deadline, Socket socket) {
        var deadlineMs = Math.toIntExact(deadline.toMillis());
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), deadlineMs);
            socket.setSoTimeout(deadlineMs);
            return new RawHttp(socket);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Response of the server; header names in lower case.
     *
     * @param body of the declared length
     */
    public record Answer(int status, Map<String, String> headers, String body) {}

    /** Sends text, one byte per character; a lone \n ends a line of the head. */
    public RawHttp send(String text) {
        return send(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawHttp send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Sends until the server closes the connection. */
    public RawHttp sendWhatIsTaken(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException refused) {
            // The server has answered and closed the connection: its response can still be read.
            assertStillReadable(refused);
        }
        return this;
    }

    private void assertStillReadable(IOException refused) {
        if (socket.isInputShutdown()) {
            throw new AssertionError("expected an answer before the end of the connection", refused);
        }
    }

    /** Reads the head of one response, Latin-1, up to the empty line or the end of the connection. */
    public String head() {
        try {
            var head = new StringBuilder();
            while (head.length() < LINE_BYTES_MAX && head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
                var read = socket.getInputStream().read();
                if (read < 0) {
                    break;
                }
                head.append((char) read);
            }
            return head.toString();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Reads one response that has a body, to a request whose response has one. */
    public Answer answer() {
        return answer(true);
    }

    /** Reads one response. */
    public Answer answer(boolean withBody) {
        try {
            var status = line();
            var headers = new TreeMap<String, String>();
            for (var line = line(); !line.isEmpty(); line = line()) {
                var colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            var length = withBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
            var body = new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
            return new Answer(Integer.parseInt(status.split(" ", 3)[1]), headers, body);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Reads one short frame of a web socket, as text. */
    public String frame() {
        try {
            var head = socket.getInputStream().readNBytes(2);
            var length = head[1] & 0x7f;
            if (length == LENGTH_FOLLOWS) {
                var more = socket.getInputStream().readNBytes(2);
                length = (more[0] & 0xff) << Byte.SIZE | more[1] & 0xff;
            }
            return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns true if the server closes the connection; discards further input. */
    public boolean isEnded() {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return reset.getMessage().contains("reset");
        }
    }

    /** Closes the connection with a reset, like a killed client. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        while (line.size() < LINE_BYTES_MAX) {
            var read = socket.getInputStream().read();
            if (read < 0) {
                throw new IOException("expected a line, found the end of the connection after " + line);
            }
            if (read == '\n') {
                break;
            }
            if (read != '\r') {
                line.write(read);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
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

package io.millrace.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Raw connection to the server from one of several loopback addresses. */
final class Wire implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(70);
    private static final int LINE_BYTES_MAX = 8192;
    private static final int ADDRESSES = 8;

    private final Socket socket;

    private Wire(Socket socket) {
        this.socket = socket;
    }

    static Wire open(int port) throws IOException {
        return open(port, 0);
    }

    /** @param receiveBytes receive buffer of the socket in the kernel; 0 for the default */
    static Wire open(int port, int receiveBytes) throws IOException {
        var socket = new Socket();
        try {
            if (receiveBytes > 0) {
                socket.setReceiveBufferSize(receiveBytes);
            }
            var host = 2 + ThreadLocalRandom.current().nextInt(ADDRESSES);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host}), 0));
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    Math.toIntExact(DEADLINE.toMillis()));
            socket.setSoTimeout(Math.toIntExact(DEADLINE.toMillis()));
            return new Wire(socket);
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Wire send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends everything; false if the server stopped reading. It may have answered. */
    boolean isTaken(byte[] bytes) {
        try {
            send(bytes);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Closes the output of the connection, if it is still open. */
    void endSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException gone) {
            // Data received before the reset can still be read.
            Thread.onSpinWait();
        }
    }

    /** Status of the next response; {@link AnswerCounts#NONE} without one. */
    int status() {
        try {
            var line = line();
            var words = line.split(" ", 3);
            return words.length > 1 && words[1].matches("\\d{3}") ? Integer.parseInt(words[1]) : AnswerCounts.NONE;
        } catch (IOException none) {
            return AnswerCounts.NONE;
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (var read = read(); read >= 0 && read != '\n' && line.length() < LINE_BYTES_MAX; read = read()) {
            line.append((char) read);
        }
        return line.toString();
    }

    /** The next byte; negative after the server has closed the connection. */
    int read() throws IOException {
        return socket.getInputStream().read();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // The connection is closed already.
            Thread.onSpinWait();
        }
    }
}

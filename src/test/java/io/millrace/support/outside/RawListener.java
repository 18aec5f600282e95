package io.millrace.support.outside;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listener on a loopback address that counts connections and keeps the raw bytes of each request; a parser would reject
 * malformed ones. It responds {@code {}} and closes the connection.
 */
public final class RawListener implements AutoCloseable {
    private static final int REQUEST_BYTES_MAX = 1 << 20;
    private static final int SILENCE_MS = 5_000;
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
                    .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket socket;
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private RawListener(String address, int port) {
        try {
            socket = new ServerSocket(port, 50, InetAddress.getByName(address));
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Listens on 127.0.0.1. */
    public static RawListener start() {
        return at("127.0.0.1");
    }

    public static RawListener at(String address) {
        return new RawListener(address, 0);
    }

    public int port() {
        return socket.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Number of connections so far, with and without a request. */
    public int connections() {
        return connections.get();
    }

    /** Requests so far as Latin-1 text. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    public void clear() {
        requests.clear();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                var connection = socket.accept();
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setSoTimeout(SILENCE_MS);
            var request = request(connection.getInputStream());
            if (!request.isEmpty()) {
                requests.add(request);
            }
            connection.getOutputStream().write(ANSWER);
            connection.shutdownOutput();
        } catch (IOException gone) {
            // The caller closed the connection; the bytes until then are recorded.
            connection.isClosed();
        }
    }

    private static String request(InputStream in) throws IOException {
        var text = new StringBuilder();
        var length = Integer.MAX_VALUE;
        while (text.length() < Math.min(length, REQUEST_BYTES_MAX)) {
            var read = in.read();
            if (read < 0) {
                break;
            }
            text.append((char) read);
            if (length == Integer.MAX_VALUE && text.length() >= 4 && text.indexOf("\r\n\r\n", text.length() - 4) >= 0) {
                length = text.length() + contentLength(text.toString());
            }
        }
        return text.append(new String(in.readNBytes(in.available()), StandardCharsets.ISO_8859_1))
                .toString();
    }

    private static int contentLength(String head) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .map(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
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

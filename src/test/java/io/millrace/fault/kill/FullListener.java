package io.millrace.fault.kill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * HTTP server whose accept queue is full until {@link #open()}: clients begin connections to it that are not
 * established, for any wait. The kernel establishes them afterwards, including those of a stopped client.
 */
final class FullListener implements AutoCloseable {
    private static final String SYN_SENT = "02";
    private static final int FILLERS = 2;
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;
    private final List<Socket> fillers = new ArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private FullListener(ServerSocket listener) {
        this.listener = listener;
    }

    static FullListener start() throws IOException {
        var full = new FullListener(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        for (var filler = 0; filler < FILLERS; filler++) {
            full.fillers.add(new Socket(InetAddress.getLoopbackAddress(), full.listener.getLocalPort()));
        }
        return full;
    }

    String url(String path) {
        return "http://127.0.0.1:" + listener.getLocalPort() + path;
    }

    /**
     * Number of connections that clients of this host have begun and that are not established, over sockets of both
     * families.
     */
    long begun() {
        return begun(Path.of("/proc/net/tcp")) + begun(Path.of("/proc/net/tcp6"));
    }

    private long begun(Path table) {
        var port = ":%04X".formatted(listener.getLocalPort());
        try (var lines = Files.lines(table)) {
            return lines.map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields[2].endsWith(port) && fields[3].equals(SYN_SENT))
                    .count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Empties the accept queue, and answers requests from now on. */
    void open() {
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    var accepted = listener.accept();
                    Thread.startVirtualThread(() -> answer(accepted));
                }
            } catch (IOException closed) {
                requests.add("");
            }
        });
    }

    private void answer(Socket accepted) {
        try (accepted) {
            var reader =
                    new BufferedReader(new InputStreamReader(accepted.getInputStream(), StandardCharsets.ISO_8859_1));
            var line = reader.readLine();
            if (line != null) {
                requests.add(line.split(" ")[1]);
                accepted.getOutputStream().write(ANSWER);
            }
        } catch (IOException reset) {
            requests.add("reset: " + reset.getMessage());
        }
    }

    /** Paths of the requests whose first line has arrived. */
    List<String> paths() {
        return requests.stream().filter(path -> path.startsWith("/")).toList();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var filler : fillers) {
            filler.close();
        }
    }
}

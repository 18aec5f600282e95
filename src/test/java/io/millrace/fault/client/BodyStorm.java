package io.millrace.fault.client;

import io.millrace.support.RawHttp;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Many callers that send a large body each, concurrently. */
record BodyStorm(int port, int callers, int bodyBytes) {
    private static final int NO_ANSWER = 0;

    /** Kind of upload: its headers and its bytes. */
    static final class Kind {
        private final String path;
        private final String headers;
        private final byte[] body;

        private Kind(String path, String headers, byte[] body) {
            this.path = path;
            this.headers = headers;
            this.body = body;
        }
    }

    /** JSON of many small values, whose tree takes several times the size of its text. */
    Kind json(String path, String headers) {
        var body = new StringBuilder(bodyBytes + 64).append("{\"rows\": [");
        while (body.length() < bodyBytes - 64) {
            body.append("{\"id\": ")
                    .append(body.length())
                    .append(", \"name\": \"a name of some length\", \"tags\": [\"one\"]},");
        }
        return new Kind(
                path,
                headers + "Content-Type: application/json\n",
                body.append("0]}").toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** JSON of empty objects only: the worst ratio of tree to text. */
    Kind emptyObjects(String path) {
        return new Kind(
                path,
                "Content-Type: application/json\n",
                ("[" + "{},".repeat(bodyBytes / 3) + "{}]").getBytes(StandardCharsets.US_ASCII));
    }

    /** A form with one long text. */
    Kind form(String path) {
        var head = "--edge\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n";
        return new Kind(
                path,
                "Content-Type: multipart/form-data; boundary=edge\n",
                (head + "x".repeat(bodyBytes) + "\r\n--edge--\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Statuses of the responses, one for each caller; 0 for a caller without a response. */
    List<Integer> blow(Kind kind, boolean chunked) {
        try (var threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("storm-", 0).factory())) {
            var answers = IntStream.range(0, callers)
                    .mapToObj(_ -> threads.submit(() -> call(kind, chunked)))
                    .toList();
            var statuses = new ArrayList<Integer>();
            answers.forEach(answer -> statuses.add(statusOf(answer)));
            return statuses;
        }
    }

    private static int statusOf(Future<Integer> answer) {
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            throw new AssertionError(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    private int call(Kind kind, boolean chunked) {
        try (var http = RawHttp.connect(port)) {
            var head = "POST /api" + kind.path + " HTTP/1.1\nHost: localhost\n" + kind.headers;
            if (chunked) {
                http.send(head + "Transfer-Encoding: chunked\n\n" + Integer.toHexString(kind.body.length) + "\n")
                        .sendWhatIsTaken(kind.body)
                        .sendWhatIsTaken("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } else {
                http.send(head + "Content-Length: " + kind.body.length + "\n\n").sendWhatIsTaken(kind.body);
            }
            return http.answer().status();
        } catch (UncheckedIOException noAnswer) {
            return NO_ANSWER;
        }
    }
}

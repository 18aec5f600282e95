package io.millrace.hostile;

import java.time.Duration;

/**
 * The server under attack.
 *
 * @param token token of the owner, for attacks by an authenticated user
 * @param end time by {@link System#nanoTime} at which all attacks have to stop
 * @param flows ids of the flows that attacks call
 */
record AttackTarget(int port, String token, long end, AttackedFlows flows) {
    boolean isOver() {
        return System.nanoTime() >= end;
    }

    /** Sleeps until the end of the load at most. */
    void pause(Duration length) throws InterruptedException {
        var left = Math.min(
                length.toMillis(), Duration.ofNanos(end - System.nanoTime()).toMillis());
        if (left > 0) {
            Thread.sleep(left);
        }
    }

    String webhook(String flowId) {
        return "/api/v1/webhooks/" + flowId;
    }

    /** Request head up to the length of the body. */
    static String head(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers;
    }

    String authorization() {
        return "Authorization: Bearer " + token + "\r\n";
    }
}

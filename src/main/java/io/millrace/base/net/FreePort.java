package io.millrace.base.net;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * A TCP port that nobody listens on, for whoever must name it before it is listened on, or listens there again later.
 */
public final class FreePort {
    /**
     * Where a port is looked for: below those that the kernel gives to outgoing connections, one of which could take it
     * meanwhile.
     */
    private static final int MIN = 15_000;

    private static final int MAX = 32_000;
    private static final int TRIES = 1_000;

    private FreePort() {}

    /** A port at random that is free at all addresses; empty when none was found. Blocks for a system call or two. */
    public static OptionalInt find() {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(MIN, MAX))
                .limit(TRIES)
                .filter(FreePort::isFree)
                .findFirst();
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

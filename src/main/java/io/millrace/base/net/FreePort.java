package io.millrace.base.net;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * A TCP port that nothing listens on, for code that must publish it before it listens, or that listens on it again later. A
 * port that was found stays claimed for a while, so that several processes of a machine that look for one at the same time
 * find different ones.
 */
public final class FreePort {
    /**
     * The range of ports: below those that the kernel gives to outgoing connections, one of which could take the port
     * meanwhile.
     */
    private static final int MIN = 15_000;

    private static final int MAX = 32_000;
    private static final int TRIES = 1_000;

    /** The claims of a process: enough for the ports of a cluster in tests. */
    private static final int MAX_CLAIMS = 32;

    /** Datagram sockets of the same numbers, oldest first. The kernel gives each number to one of them only. */
    private static final Deque<DatagramSocket> CLAIMS = new ArrayDeque<>();

    private FreePort() {}

    /**
     * A port at random that is free at all addresses; empty when none was found. Blocks for a few system calls.
     *
     * <p>The port is claimed against other callers of this method until the process ends or has found 32 more.
     */
    public static OptionalInt find() {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(MIN, MAX))
                .limit(TRIES)
                .filter(FreePort::claim)
                .findFirst();
    }

    private static boolean claim(int port) {
        try {
            var claim = new DatagramSocket(port);
            if (!isFree(port)) {
                claim.close();
                return false;
            }
            keep(claim);
            return true;
        } catch (SocketException claimedByAnother) {
            return false;
        }
    }

    private static void keep(DatagramSocket claim) {
        synchronized (CLAIMS) {
            CLAIMS.addLast(claim);
            if (CLAIMS.size() > MAX_CLAIMS) {
                CLAIMS.removeFirst().close();
            }
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

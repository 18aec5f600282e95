package io.millrace.sandbox.isolation;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A Unix socket of this server that a launch program connects to before it gives up its rights. The command inherits the connection
 * as a descriptor of a known number.
 *
 * @param socket path of the listening socket
 * @param token identifies the process to the server; sent first on the connection
 */
public record LaunchChannel(Path socket, String token) {
    public static final int DESCRIPTOR = 3;

    public static final int TOKEN_LENGTH = 32;

    /** Bytes of a path in a socket address of Linux, without the zero at its end. */
    public static final int PATH_BYTES_MAX = 107;

    public LaunchChannel {
        var length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > PATH_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "socket: expected at most " + PATH_BYTES_MAX + " bytes, found " + length);
        }
        if (token.length() != TOKEN_LENGTH || !token.chars().allMatch(letter -> letter > ' ' && letter < 0x7F)) {
            throw new IllegalArgumentException("token: expected " + TOKEN_LENGTH + " characters of ASCII");
        }
    }

    /** Leaves out the token. */
    @Override
    public String toString() {
        return "LaunchChannel[" + socket + "]";
    }
}

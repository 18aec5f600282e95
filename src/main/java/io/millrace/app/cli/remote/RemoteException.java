package io.millrace.app.cli.remote;

import io.millrace.app.cli.command.ExitStatus;

/** Failure of a command that calls a server. The message is for the operator. */
public final class RemoteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    private RemoteException(ExitStatus status, String message) {
        super(message);
        this.status = status;
    }

    /** Failure for input, or an answer of the server, that is not acceptable. */
    static RemoteException data(String message) {
        return new RemoteException(ExitStatus.DATA, message);
    }

    /** The server cannot be reached, or answers that it cannot work now. */
    static RemoteException unavailable(String message) {
        return new RemoteException(ExitStatus.UNAVAILABLE, message);
    }

    RemoteException saying(String message) {
        return new RemoteException(status, message);
    }

    public ExitStatus status() {
        return status;
    }
}

package io.millrace.app.cli;

/** Why a command about a project ended without doing what it should. The message is for the operator. */
final class ProjectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    private ProjectException(ExitStatus status, String message) {
        super(message);
        this.status = status;
    }

    /** What was given, or what the server answers to it, is not acceptable. */
    static ProjectException data(String message) {
        return new ProjectException(ExitStatus.DATA, message);
    }

    /** The server cannot be reached, or answers that it cannot work now. */
    static ProjectException unavailable(String message) {
        return new ProjectException(ExitStatus.UNAVAILABLE, message);
    }

    ExitStatus status() {
        return status;
    }
}

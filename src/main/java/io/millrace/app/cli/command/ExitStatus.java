package io.millrace.app.cli.command;

/**
 * Exit statuses of the process; the numbers from 64 on are those of {@code sysexits.h}. {@code command-line.md} lists
 * the same.
 */
public enum ExitStatus {
    OK(0, "done, or all is well"),
    PROBLEM(1, "a check found a problem, which the output names"),
    OUT_OF_MEMORY(3, "the server's memory is exhausted"),
    USAGE(64, "the command line is invalid"),
    DATA(65, "an input is invalid: a password, an address or a damaged file"),
    UNAVAILABLE(69, "the database or the remote server cannot be reached"),
    FAILED(70, "an essential part of the server failed, or a command failed unexpectedly"),
    IN_USE(75, "a server uses the data directory: stop it and try again"),
    BAD_SETTING(78, "a setting or the state of the database prevents a start");

    private final int number;
    private final String meaning;

    ExitStatus(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }
}

package io.millrace.sandbox.isolation;

/**
 * Isolation mechanisms of the kernel that are in force.
 *
 * @param landlockLevel version of the kernel's Landlock (landlock(7)); 0 if there is none
 * @param isFiltered true if system calls are filtered
 * @param reason why nothing is in force; empty if something is
 */
public record EffectiveIsolation(Accounts accounts, int landlockLevel, boolean isFiltered, String reason) {
    private static final int LEVEL_WITH_SIGNALS = 6;

    public enum Accounts {
        /** The server's own user, which is not root. */
        OWN,
        /** Root without capabilities: this server may not change the user. */
        POWERLESS,
        SEPARATE
    }

    static EffectiveIsolation nothing(String reason) {
        return new EffectiveIsolation(Accounts.OWN, 0, false, reason);
    }

    /** True if processes are started without a launch program. */
    public boolean isNothing() {
        return !reason.isEmpty();
    }

    /** True if a process can kill neither this server nor other processes. */
    public boolean confinesSignals() {
        return isFiltered || landlockLevel >= LEVEL_WITH_SIGNALS;
    }

    /** True if a process cannot open a network connection itself, even if its code is malicious. */
    public boolean confinesNetwork() {
        return isFiltered;
    }

    /** True if both files and system calls are confined, as required for code whose engine confines nothing itself. */
    public boolean confinesCode() {
        return isFiltered && landlockLevel > 0;
    }

    public String networkDescription() {
        return confinesNetwork()
                ? "the server makes their connections"
                : isNothing()
                        ? "no network, because no launch program can hand them a connection"
                        : "the server makes their connections, but only JavaScript keeps them from others";
    }

    public String description() {
        if (isNothing()) {
            return "no isolation is in force: " + reason;
        }
        var users = switch (accounts) {
            case OWN -> "this server's user";
            case POWERLESS -> "root without its capabilities";
            case SEPARATE -> "separate users";
        };
        var files = landlockLevel == 0
                ? "no Landlock"
                : landlockLevel < LEVEL_WITH_SIGNALS ? "Landlock for files" : "Landlock for files and signals";
        return users + ", " + files + ", " + (isFiltered ? "system calls filtered" : "no system call filter");
    }
}

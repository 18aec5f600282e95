package io.millrace.sandbox.isolation;

/**
 * Which means of the kernel are in force.
 *
 * @param landlockLevel what the kernel's Landlock can do (landlock(7)); 0 where there is none
 * @param isFiltered whether system calls are filtered
 * @param reason why nothing is in force; empty when something is
 */
public record EffectiveIsolation(Accounts accounts, int landlockLevel, boolean isFiltered, String reason) {
    private static final int LEVEL_WITH_SIGNALS = 6;

    /** Whom processes run as. */
    public enum Accounts {
        /** As the server does, which is not root. */
        OWN,
        /** As root, without its powers: changing the user is refused to this server. */
        POWERLESS,
        /** As users of their own. */
        SEPARATE
    }

    static EffectiveIsolation nothing(String reason) {
        return new EffectiveIsolation(Accounts.OWN, 0, false, reason);
    }

    /** Whether processes are started without a launch program. */
    public boolean isNothing() {
        return !reason.isEmpty();
    }

    /** Whether a process can end neither this server nor one of others. */
    public boolean confinesSignals() {
        return isFiltered || landlockLevel >= LEVEL_WITH_SIGNALS;
    }

    /** Whether a process can make no connection of its own, whatever its code does. */
    public boolean confinesNetwork() {
        return isFiltered;
    }

    /** Whether files and system calls are both fenced in, which code needs whose engine fences nothing in itself. */
    public boolean confinesCode() {
        return isFiltered && landlockLevel > 0;
    }

    /** How the connections of pieces and code are limited, in one line for operators. */
    public String networkDescription() {
        return confinesNetwork()
                ? "the server makes their connections"
                : isNothing()
                        ? "no network, because no launch program can hand them a connection"
                        : "the server makes their connections, but only JavaScript keeps them from others";
    }

    /** One line for operators. */
    public String description() {
        if (isNothing()) {
            return "nothing is in force: " + reason;
        }
        var users = switch (accounts) {
            case OWN -> "this server's user";
            case POWERLESS -> "root without its capabilities";
            case SEPARATE -> "users of their own";
        };
        var files = landlockLevel == 0
                ? "no Landlock"
                : landlockLevel < LEVEL_WITH_SIGNALS ? "Landlock for files" : "Landlock for files and signals";
        return users + ", " + files + ", " + (isFiltered ? "system calls filtered" : "no filter of system calls");
    }
}

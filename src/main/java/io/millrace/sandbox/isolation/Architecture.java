package io.millrace.sandbox.isolation;

import java.util.Locale;
import java.util.Optional;

enum Architecture {
    X86_64(62, 0xC000003E),
    AARCH64(183, 0xC00000B7);

    private final int elfMachine;
    private final int auditNumber;

    Architecture(int elfMachine, int auditNumber) {
        this.elfMachine = elfMachine;
        this.auditNumber = auditNumber;
    }

    /** Architecture of this host; empty if it is unsupported, or the system is not Linux. */
    static Optional<Architecture> ofHost() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.empty();
        }
        return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    /** The family's number in the header of a program. */
    int elfMachine() {
        return elfMachine;
    }

    /** Number of the architecture that the kernel passes to a system call filter. */
    int auditNumber() {
        return auditNumber;
    }
}

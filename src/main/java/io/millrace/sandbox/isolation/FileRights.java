package io.millrace.sandbox.isolation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the kernel's Landlock lets a process do with files (landlock(7)): nothing but what is listed. Each level of
 * Landlock knows more rights; those that a kernel does not know cannot be asked of it.
 */
final class FileRights {
    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEV = 1 << 15;
    private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
    private static final long MAKE_CHAR = 1 << 6;
    private static final long MAKE_SOCK = 1 << 9;
    private static final long MAKE_FIFO = 1 << 10;
    private static final long MAKE_BLOCK = 1 << 11;

    private static final long READ = READ_FILE | READ_DIR;
    private static final long RUN = READ | EXECUTE;

    /** Levels with which the rights of files begin to be more: all up to the bit. */
    private static final Map<Integer, Integer> BITS = Map.of(1, 13, 2, 14, 3, 15, 4, 15, 5, 16, 6, 16);

    /** Programs and libraries: a command may be a script, and needs what reads it. */
    private static final List<String> PROGRAMS = List.of("/bin", "/lib", "/lib64", "/lib32", "/usr", "/nix/store");

    private static final List<String> SYSTEM = List.of(
            "/etc",
            "/sys/fs/cgroup",
            "/sys/devices/system",
            "/sys/kernel/mm",
            "/dev/urandom",
            "/dev/random",
            "/dev/zero");

    private static final Path PROCESSES = Path.of("/proc");

    /** What a program needs that asks nobody about this host. */
    private static final List<String> RANDOMNESS =
            List.of("/dev/urandom", "/dev/random", "/dev/zero", "/etc/ld.so.cache");

    private static final List<String> TIME = List.of("/etc/localtime");

    private static final List<String> DEVICES = List.of("/dev/null");

    /** Where the files are that say how names are resolved, once links have been followed. */
    private static final List<String> LINKED = List.of("/etc/resolv.conf", "/etc/hosts", "/etc/localtime");

    /** A path, and what may be done with what is there. */
    record Rule(Path path, long rights) {}

    private FileRights() {}

    /** All rights that a level knows. */
    static long handled(int level) {
        return (1L << BITS.get(level)) - 1;
    }

    /** Rules for files of the operating system, of those that are there. */
    static List<Rule> ofSystem(ProcessPurpose purpose, int level) {
        var rules = new ArrayList<Rule>();
        PROGRAMS.forEach(path -> add(rules, Path.of(path), RUN, level));
        (purpose == ProcessPurpose.PYTHON ? RANDOMNESS : SYSTEM)
                .forEach(path -> add(rules, Path.of(path), READ, level));
        if (purpose != ProcessPurpose.PYTHON) {
            // Pieces learn of their own process there; which others there are is not for them.
            add(rules, PROCESSES, purpose == ProcessPurpose.PIECE ? READ_FILE : READ, level);
        }
        DEVICES.forEach(path -> add(rules, Path.of(path), READ | WRITE_FILE, level));
        (purpose == ProcessPurpose.PYTHON ? TIME : LINKED).forEach(path -> add(rules, Path.of(path), READ, level));
        return rules;
    }

    /** Rules for what a process is given, in the order read, run, write; all of them, whether they are there or not. */
    static List<Rule> of(FileGrants grants, int level) {
        var rules = new ArrayList<Rule>();
        grants.read().forEach(path -> rules.add(rule(path, READ, level)));
        grants.run().forEach(path -> rules.add(rule(path, RUN, level)));
        grants.write().forEach(path -> rules.add(rule(path, writing(level), level)));
        return rules;
    }

    /** All but programs, devices, sockets and pipes. */
    private static long writing(int level) {
        return handled(level) & ~(EXECUTE | IOCTL_DEV | MAKE_CHAR | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK);
    }

    private static void add(List<Rule> rules, Path path, long rights, int level) {
        if (Files.exists(path)) {
            rules.add(rule(path, rights, level));
        }
    }

    private static Rule rule(Path path, long rights, int level) {
        var ofKind = Files.isDirectory(path) ? rights : rights & OF_FILES;
        return new Rule(path, ofKind & handled(level));
    }
}

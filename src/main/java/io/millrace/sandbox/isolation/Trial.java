package io.millrace.sandbox.isolation;

import io.millrace.sandbox.isolation.EffectiveIsolation.Accounts;
import io.millrace.sandbox.isolation.FileRights.Rule;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Writes launch programs and tries them: a trial is the most reliable test of the kernel's support. */
final class Trial {
    private static final int LEVEL_MAX = 6;
    private static final int ROOT = 0;
    private static final long SECONDS_MAX = 10;
    private static final int ATTEMPTS_MAX = 20;
    private static final long PAUSE_NANOS = 5_000_000;

    /** EAGAIN, ENOMEM, ENFILE and EMFILE in the JDK's message for a failed start. */
    private static final Pattern SHORTAGE = Pattern.compile("error[=:] ?(11|12|23|24)\\b");

    private static final List<Path> HARMLESS = List.of(Path.of("/bin/true"), Path.of("/usr/bin/true"));

    private final Path directory;

    Trial(Path directory) {
        this.directory = directory;
    }

    /** Isolation that the kernel grants, tried from the strongest one downwards. */
    EffectiveIsolation findOut(int otherUser) {
        if (Architecture.ofHost().isEmpty()) {
            return EffectiveIsolation.nothing("this operating system or architecture is not supported");
        }
        if (HARMLESS.stream().noneMatch(Files::isExecutable)) {
            return EffectiveIsolation.nothing("the trial needs /bin/true, which does not exist");
        }
        try {
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            forget("part-*");
            var isRoot = ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")) == ROOT;
            return narrowed(
                    new EffectiveIsolation(isRoot ? Accounts.SEPARATE : Accounts.OWN, LEVEL_MAX, true, ""), otherUser);
        } catch (IOException impossible) {
            if (isOfShortage(impossible)) {
                throw new UncheckedIOException("the isolation of code cannot be tested: " + impossible, impossible);
            }
            return EffectiveIsolation.nothing(
                    "programs cannot be run from " + directory + " (" + impossible.getMessage() + ")");
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return EffectiveIsolation.nothing("interrupted during the trial");
        }
    }

    /** True if a failure is a temporary shortage of processes, memory or files and so says nothing about the kernel's support. */
    static boolean isOfShortage(IOException failure) {
        return SHORTAGE.matcher(String.valueOf(failure.getMessage())).find();
    }

    /** Deletes incomplete files of a server that was killed. */
    private void forget(String pattern) throws IOException {
        try (var left = Files.newDirectoryStream(directory, pattern)) {
            for (var file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    private EffectiveIsolation narrowed(EffectiveIsolation wanted, int otherUser)
            throws IOException, InterruptedException {
        var granted = wanted;
        while (true) {
            var status = tried(granted, otherUser);
            var less = switch (status) {
                case 0 -> granted;
                case LaunchSteps.NO_LANDLOCK ->
                    new EffectiveIsolation(granted.accounts(), granted.landlockLevel() - 1, granted.isFiltered(), "");
                case LaunchSteps.NO_FILTER ->
                    new EffectiveIsolation(granted.accounts(), granted.landlockLevel(), false, "");
                case LaunchSteps.NO_ACCOUNT ->
                    new EffectiveIsolation(Accounts.POWERLESS, granted.landlockLevel(), granted.isFiltered(), "");
                default -> EffectiveIsolation.nothing("the trial ended with status " + status);
            };
            if (status == 0 || less.isNothing()) {
                return less;
            }
            granted = less;
        }
    }

    private int tried(EffectiveIsolation means, int otherUser) throws IOException, InterruptedException {
        return tried(
                means,
                switch (means.accounts()) {
                    case OWN -> new ProcessAccount.Own();
                    case POWERLESS -> new ProcessAccount.Powerless();
                    case SEPARATE -> new ProcessAccount.Other(otherUser, otherUser);
                });
    }

    /** True if the kernel lets a process become this user, in addition to everything else that is in force. */
    boolean allows(EffectiveIsolation means, ProcessAccount account) {
        try {
            return tried(means, account) == 0;
        } catch (IOException impossible) {
            return false;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int tried(EffectiveIsolation means, ProcessAccount account) throws IOException, InterruptedException {
        var harmless = HARMLESS.stream().filter(Files::isExecutable).findFirst().orElseThrow();
        var grants = new FileGrants(List.of(), List.of(harmless.toRealPath()), List.of());
        var rules = means.landlockLevel() > 0 ? FileRights.of(grants, means.landlockLevel()) : List.<Rule>of();
        var command = new ArrayList<String>();
        command.add(program(ProcessPurpose.PIECE, means, rules, ProcessLimits.INHERITED, Optional.empty(), account)
                .toString());
        rules.forEach(rule -> command.add(rule.path().toString()));
        command.add(harmless.toString());
        return status(command);
    }

    /** Launch program for commands of a kind. Concurrent writers of the same program write the same bytes. */
    Path program(
            ProcessPurpose purpose,
            EffectiveIsolation means,
            List<Rule> rules,
            ProcessLimits limits,
            Optional<Path> channel,
            ProcessAccount account)
            throws IOException {
        var architecture = Architecture.ofHost().orElseThrow();
        var level = means.landlockLevel();
        var filter = means.isFiltered() ? SystemCallFilter.of(purpose, architecture) : new byte[0];
        var system = level > 0 ? FileRights.ofSystem(purpose, level) : List.<Rule>of();
        var content =
                LaunchProgram.of(architecture, LaunchSteps.of(level, system, rules, limits, channel, account, filter));
        var file = directory.resolve("launch-" + nameOf(content));
        if (!Files.exists(file)) {
            var part = directory.resolve("part-" + UUID.randomUUID());
            Files.write(part, content);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            awaitClosed(file);
        }
        return file;
    }

    /**
     * Waits until the file can be executed: a process forked while the file was being written holds it open until it executes its
     * own program, and until then nothing can run this file.
     */
    private static void awaitClosed(Path file) throws IOException {
        for (var attempt = 1; ; attempt++) {
            try {
                var attempted = new ProcessBuilder(file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
                // The words that the program expects are missing: in their place would be the first variables.
                attempted.environment().clear();
                attempted.start().destroyForcibly();
                return;
            } catch (IOException busy) {
                if (attempt == ATTEMPTS_MAX
                        || !String.valueOf(busy.getMessage()).contains("Text file busy")) {
                    throw busy;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static int status(List<String> command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        var process = builder.start();
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("it did not end before its deadline");
            }
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String nameOf(byte[] content) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(hash, 0, 12);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}

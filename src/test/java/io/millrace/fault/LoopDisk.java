package io.millrace.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk that can lose its power: a file system in a file, mounted through a loop device. What the file system has not
 * been asked to write lies in memory and not in the file, so a copy of the file is what a machine would find after its
 * power came back. Needs root.
 */
final class LoopDisk implements AutoCloseable {
    private static final int ATTEMPTS_MAX = 50;
    private static final long PAUSE_MS = 100;

    private final Path directory;
    private final Path mountPoint;
    private Path image;

    private LoopDisk(Path directory) {
        this.directory = directory;
        this.mountPoint = directory.resolve("disk");
        this.image = directory.resolve("image-1");
    }

    /** Makes an empty disk in a directory. The kernel is asked to write back by itself as late as it may. */
    static LoopDisk create(Path directory) {
        var disk = new LoopDisk(directory);
        try {
            Files.createDirectory(disk.mountPoint);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        run("truncate", "--size=2G", disk.image.toString());
        run("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=1", disk.image.toString());
        disk.mount();
        run("chmod", "711", disk.mountPoint.toString());
        return disk;
    }

    static boolean isPossible() {
        return "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/loop-control"));
    }

    /** Where the disk is mounted. */
    Path path() {
        return mountPoint;
    }

    /** Writes everything, as an orderly stop does. */
    void sync() {
        run("sync", "--file-system", mountPoint.toString());
    }

    /** Takes what is on the disk at this moment. */
    void cutPower() {
        run(
                "cp",
                "--sparse=always",
                image.toString(),
                directory.resolve("image-2").toString());
    }

    /** Puts what was on the disk when the power went in the place of what is there; nobody may use it. */
    void restorePower() throws InterruptedException {
        unmount();
        image = directory.resolve("image-2");
        mount();
    }

    private void mount() {
        run("mount", "-o", "loop,commit=300", image.toString(), mountPoint.toString());
    }

    /** Whoever was just killed may hold it for a moment. */
    private void unmount() throws InterruptedException {
        for (var attempt = 1; ; attempt++) {
            try {
                run("umount", mountPoint.toString());
                return;
            } catch (IllegalStateException busy) {
                if (attempt == ATTEMPTS_MAX) {
                    throw busy;
                }
                Thread.sleep(PAUSE_MS);
            }
        }
    }

    private static void run(String... words) {
        try {
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(List.of(words) + " failed: " + said);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        try {
            unmount();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

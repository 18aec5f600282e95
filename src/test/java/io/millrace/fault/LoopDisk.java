package io.millrace.fault;

import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Disk that can be full or lose its power: a file system in a file, mounted through a loop device. Unsynced writes stay
 * in memory and out of the file, so a copy of the file is the content of the disk after a power cut. Needs root.
 */
final class LoopDisk implements AutoCloseable {
    private static final int FILL_BYTES = 1 << 16;

    /** Space that is written instead of reserved, so that a concurrent write cannot make the reservation fail. */
    private static final int WRITTEN_BYTES = 1 << 22;

    private final Path directory;
    private final Path mountPoint;
    private final Thread guard = new Thread(this::leave, "unmount");
    private Path image;

    private LoopDisk(Path directory) {
        this.directory = directory;
        this.mountPoint = directory.resolve("disk");
        this.image = directory.resolve("image-1");
    }

    /** Creates an empty disk in a directory. The kernel is configured to write back as late as possible. */
    static LoopDisk create(Path directory, String size) {
        var disk = new LoopDisk(directory);
        try {
            Files.createDirectory(disk.mountPoint);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        run("truncate", "--size=" + size, disk.image.toString());
        run("mkfs.ext4", "-q", "-m", "0", "-E", "nodiscard,lazy_itable_init=1", disk.image.toString());
        Runtime.getRuntime().addShutdownHook(disk.guard);
        disk.mount();
        run("chmod", "711", disk.mountPoint.toString());
        return disk;
    }

    static boolean isPossible() {
        return "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/loop-control"));
    }

    /** Mount point of the disk. */
    Path path() {
        return mountPoint;
    }

    /** Writes everything, as an orderly stop does. */
    void sync() {
        run("sync", "--file-system", mountPoint.toString());
    }

    /** Fills the disk; returns the file whose deletion makes space again. */
    Path fill() {
        var filler = mountPoint.resolve("filler");
        // Reserved space uses no space of the underlying disk; the rest is written, because a concurrent
        // process may take it.
        run(
                "fallocate",
                "--length=" + Math.max(1, mountPoint.toFile().getUsableSpace() - WRITTEN_BYTES),
                filler.toString());
        try (var stream = Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            var some = new byte[FILL_BYTES];
            while (true) {
                stream.write(some);
            }
        } catch (IOException full) {
            return filler;
        }
    }

    /** Takes the content of the disk at this moment. */
    void cutPower() {
        run(
                "cp",
                "--sparse=always",
                image.toString(),
                directory.resolve("image-2").toString());
    }

    /** Restores the content of the disk at the power cut; no process may use the disk. */
    void restorePower() {
        unmount();
        image = directory.resolve("image-2");
        mount();
    }

    private void mount() {
        run("mount", "-o", "loop,commit=300", image.toString(), mountPoint.toString());
    }

    /** A process that was just killed may use the mount for a moment. */
    private void unmount() {
        Waiting.until("nobody holds " + mountPoint, () -> isDone("umount", mountPoint.toString()));
    }

    private static boolean isDone(String... words) {
        try {
            run(words);
            return true;
        } catch (IllegalStateException refused) {
            return false;
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

    /** The device is removed after the last process has closed its files on it. */
    @Override
    public void close() {
        leave();
        Runtime.getRuntime().removeShutdownHook(guard);
    }

    /** Also runs when the tool is interrupted. */
    private void leave() {
        isDone("umount", "--lazy", mountPoint.toString());
    }
}

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
 * A disk that can be full or lose its power: a file system in a file, mounted through a loop device. What the file
 * system has not been asked to write lies in memory and not in the file, so a copy of the file is what a machine would
 * find after its power came back. Needs root.
 */
final class LoopDisk implements AutoCloseable {
    private static final int FILL_BYTES = 1 << 16;

    /** Room that is written and not reserved, so that no concurrent write lets the reservation fail. */
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

    /** Makes an empty disk in a directory. The kernel is asked to write back by itself as late as it may. */
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

    /** Leaves no room on it. Returns what to delete to have some again. */
    Path fill() {
        var filler = mountPoint.resolve("filler");
        // What is only reserved costs the disk behind it nothing; the rest, which others may take meanwhile, is
        // written.
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

    /** Takes what is on the disk at this moment. */
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

    /** A process that was just killed may hold the mount for a moment. */
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

    /** The device is removed once no process has an open file on it. */
    @Override
    public void close() {
        leave();
        Runtime.getRuntime().removeShutdownHook(guard);
    }

    /** Also done when the tool is stopped halfway. */
    private void leave() {
        isDone("umount", "--lazy", mountPoint.toString());
    }
}

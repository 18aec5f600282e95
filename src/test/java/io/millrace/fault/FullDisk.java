package io.millrace.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** Fills the disk of the database for some seconds. */
record FullDisk(LoopDisk disk) implements Harm {
    private static final long LEAST_MS = 2_000;
    private static final long MOST_MS = 8_000;

    @Override
    public String title() {
        return "full disk";
    }

    @Override
    public void strike(ServerNode node, RandomGenerator random) throws InterruptedException {
        var filler = disk.fill();
        try {
            Thread.sleep(random.nextLong(LEAST_MS, MOST_MS));
        } finally {
            delete(filler);
        }
    }

    private static void delete(Path filler) {
        try {
            Files.delete(filler);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

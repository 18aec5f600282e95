package io.millrace.base.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Free space on the disk of a folder. Blocks: for worker threads. */
public final class DiskSpace {
    private DiskSpace() {}

    /** Returns false if the free space cannot be determined. */
    public static boolean hasFree(Path folder, long bytesMin) {
        try {
            return Files.getFileStore(folder).getUsableSpace() >= bytesMin;
        } catch (IOException unreadable) {
            return false;
        }
    }
}

package io.millrace.base.config;

import java.nio.file.Path;

public sealed interface BackupPlace {
    record LocalFolder(Path path) implements BackupPlace {}

    /**
     * @param storage the endpoint, the region and the key
     * @param name of the bucket
     * @param prefix of the keys; empty, or ends in a slash
     */
    record InBucket(ObjectStorageSettings.Bucket storage, String name, String prefix) implements BackupPlace {}
}

package io.millrace.file;

import io.millrace.net.WebAddress;

/**
 * A bucket of an S3-compatible storage (contract admin-api 37.6).
 *
 * @param endpoint where the storage is; the bucket is a part of the path
 * @param signedUrls whether clients read from the storage by themselves
 */
public record S3Settings(WebAddress endpoint, String bucket, String region, boolean signedUrls) {}

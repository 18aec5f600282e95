package io.millrace.piece.file;

import io.millrace.base.net.WebAddress;

/**
 * A bucket of an S3-compatible storage (contract admin-api 37.6).
 *
 * @param endpoint where the storage is; the bucket is a part of the path
 * @param signedUrls whether clients read from the storage by themselves
 */
public record S3Settings(WebAddress endpoint, String bucket, String region, boolean signedUrls) {}

package io.millrace.piece.file;

import io.millrace.base.net.WebAddress;

/**
 * A bucket of an S3-compatible storage (contract admin-api 37.6).
 *
 * @param endpoint address of the storage; the bucket is a part of the path
 * @param signedUrls true if clients read directly from the storage
 */
public record S3Settings(WebAddress endpoint, String bucket, String region, boolean signedUrls) {}

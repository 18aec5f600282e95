package io.millrace.account.audit;

import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Hash chain of a platform's events: the hash of each covers its text and the previous hash. An external copy of the newest
 * hash proves later that no earlier event was changed.
 *
 * @param length total number of events ever recorded
 * @param hash of the last one; empty before the first
 */
record AuditChain(long length, Buffer hash) {
    AuditChain with(String body) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(hash.getBytes());
            digest.update(Buffer.buffer(body).getBytes());
            return new AuditChain(length + 1, Buffer.buffer(digest.digest()));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}

package io.millrace.account.audit;

import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The chain of a platform's events: the hash of each is made of its text and the hash before. Whoever keeps the newest
 * hash elsewhere can prove later that nothing before it was touched.
 *
 * @param length how many events there ever were
 * @param hash of the last one; empty before the first
 */
record AuditChain(long length, Buffer hash) {
    /** The chain with one more event. */
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

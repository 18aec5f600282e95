package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Statements for the stored answers of edits, which make repetitions idempotent. */
final class StoreReceiptStore {
    private static final String FIND = "select answer from store_receipt where project_id = $1 and receipt = $2";

    private static final RowMapper<Receipt> RECEIPTS = RowMapper.of(Receipt.class, FIND);

    /** Stored answer of an edit; empty for an edit without an answer. */
    record Receipt(Optional<JsonNode> answer) {}

    Future<Optional<Receipt>> find(Tx tx, String projectId, String receipt) {
        return tx.query(FIND, projectId, digest(receipt)).map(RECEIPTS::first);
    }

    Future<Void> insert(Tx tx, String projectId, String receipt, Optional<String> answer, Instant now) {
        return tx.query("""
                        insert into store_receipt (project_id, receipt, created, answer)
                        values ($1, $2, $3, $4)
                        """, projectId, digest(receipt), now, answer).mapEmpty();
    }

    /** Removes a batch of expired receipts; rows locked by other transactions are skipped. */
    Future<Void> removeBefore(Tx tx, Instant moment, int most) {
        return tx.query("""
                        delete from store_receipt
                        where ctid in (
                            select ctid from store_receipt where created < $1
                            order by created limit $2 for update skip locked)
                        """, moment, most).mapEmpty();
    }

    /** A receipt contains nested step names and has no length limit, so its digest is stored. */
    private static String digest(String receipt) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(receipt.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}

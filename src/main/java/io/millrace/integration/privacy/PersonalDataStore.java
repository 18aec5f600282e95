package io.millrace.integration.privacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

final class PersonalDataStore {
    /** Maximum number of rows of one category in an export; of the audit log, the newest events are exported. */
    private static final int ROWS_MAX = 10_000;

    private static final String PERSON = """
            with person (user_id, platform_id, email) as (values ($1::text, $2::text, $3::text))
            """;

    private static final String AUDIT_TRAIL = """
            select count(*) as events, max(created) as newest from audit_event where platform_id = $1 and user_id = $2
            """;

    private static final RowMapper<AuditTrail> AUDIT_TRAILS = RowMapper.of(AuditTrail.class, AUDIT_TRAIL);

    record Person(String userId, String platformId, String email) {}

    record AuditTrail(long events, Optional<Instant> newest) {}

    Future<JsonNode> read(Tx tx, PersonalDataSection section, Person person) {
        var query = PERSON + ", found as (" + section.query() + " limit " + ROWS_MAX + ")\n"
                + "select coalesce(json_agg(found), '[]')::text as rows from found";
        return tx.query(query, person.userId(), person.platformId(), person.email())
                .map(rows -> Rows.first(rows, row -> Rows.json(row, "rows")).orElseThrow());
    }

    Future<Integer> clear(Tx tx, PersonalDataErasure erasure, Person person) {
        return tx.query(PERSON + erasure.statement(), person.userId(), person.platformId(), person.email())
                .map(rows -> rows.rowCount());
    }

    Future<AuditTrail> auditEvents(Tx tx, Person person) {
        return tx.query(AUDIT_TRAIL, person.platformId(), person.userId()).map(AUDIT_TRAILS::only);
    }
}

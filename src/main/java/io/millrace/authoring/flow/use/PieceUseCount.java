package io.millrace.authoring.flow.use;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.piece.catalogue.PieceUse;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Counts the projects of a platform with an enabled flow that uses a piece. A count scans every published version, so
 * its result is cached for a while.
 */
public final class PieceUseCount implements PieceUse {
    private static final String COUNT = """
            select pin.name, count(distinct flow.project_id)::int as projects
              from flow
              join project on project.id = flow.project_id and project.deleted is null
              join flow_version version on version.id = flow.published_version_id
             cross join lateral (
               select found[1] as name
                 from regexp_matches(convert_from(version.trigger, 'UTF8'),
                   '"pieceName" ?: ?"([^"\\\\]{1,200})"', 'g') found) pin
             where project.platform_id = $1 and flow.status = 'ENABLED'
             group by pin.name
            """;

    private static final RowMapper<Use> USES = RowMapper.of(Use.class, COUNT);

    private record Use(String name, int projects) {}

    private static final int PLATFORMS_KEPT_MAX = 1_000;
    private static final Duration COUNTED_EVERY = Duration.ofMinutes(10);

    private final Database database;
    private final Cache<String, Future<Map<String, Integer>>> counts;

    public PieceUseCount(Database database, InstantSource clock) {
        this.database = database;
        this.counts = Caches.living("flow.piece-use", PLATFORMS_KEPT_MAX, COUNTED_EVERY, clock)
                .build();
    }

    @Override
    public Future<Map<String, Integer>> projects(Optional<String> platformId) {
        return platformId.map(id -> counts.get(id, this::count)).orElseGet(() -> Future.succeededFuture(Map.of()));
    }

    private Future<Map<String, Integer>> count(String platformId) {
        return database.read(tx -> count(tx, platformId)).onFailure(_ -> counts.invalidate(platformId));
    }

    private static Future<Map<String, Integer>> count(Tx tx, String platformId) {
        return tx.query(COUNT, platformId)
                .map(rows -> USES.all(rows).stream().collect(Collectors.toUnmodifiableMap(Use::name, Use::projects)));
    }
}

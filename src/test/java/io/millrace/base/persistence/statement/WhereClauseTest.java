package io.millrace.base.persistence.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WhereClauseTest {
    @Test
    void namesNothing_whenNoWishWasExpressed() {
        // Given
        var conditions = new WhereClause("select id from folder where deleted is null\n");

        // When
        conditions.and("name = %s", Optional.empty()).andAny("id %s", List.of());

        // Then
        assertThat(conditions.sql()).isEqualTo("select id from folder where deleted is null");
        assertThat(conditions.values()).isEmpty();
    }

    @Test
    void countsValues_inTheOrderOfTheirConditions() {
        // Given
        var conditions = new WhereClause("where true");

        // When
        conditions
                .and("platform_id = %s", "p")
                .and("created is not null")
                .and("lower(name) = lower(%s)", Optional.of("Ada"))
                .and("(owner_id = %1$s or creator_id = %1$s)", "u");

        // Then
        assertThat(conditions.sql())
                .isEqualTo("where true and platform_id = $1 and created is not null and lower(name) = lower($2)"
                        + " and (owner_id = $3 or creator_id = $3)");
        assertThat(conditions.values()).containsExactly("p", "Ada", "u");
    }

    @Test
    void comparesAsSuch_whenOneValueIsWanted() {
        // Given
        var conditions = new WhereClause("where true");

        // When
        conditions.andAny("type %s", List.of("TEAM")).andAny("id %s", List.of("a", "b"));

        // Then
        assertThat(conditions.sql()).isEqualTo("where true and type = $1 and id = any ($2)");
        assertThat(conditions.values()).containsExactly("TEAM", new String[] {"a", "b"});
    }

    @Test
    void asksForACommonValue_whenOneIsWanted() {
        // Given
        var conditions = new WhereClause("where true");

        // When
        conditions.andOverlap("tags", List.of()).andOverlap("ids", List.of("a", "b"));

        // Then
        assertThat(conditions.sql()).isEqualTo("where true and ids && $1");
        assertThat(conditions.values()).containsExactly((Object) new String[] {"a", "b"});
    }
}

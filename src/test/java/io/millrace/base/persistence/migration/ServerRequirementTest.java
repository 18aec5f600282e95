package io.millrace.base.persistence.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Supported and unsupported releases and encodings of database servers. */
final class ServerRequirementTest {
    @ParameterizedTest
    @ValueSource(ints = {150_000, 150_012, 160_003, 180_000, 190_001})
    void acceptsReleases(int version) {
        assertThat(ServerRequirement.problem(version, "UTF8", "shop")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {90_624, 120_000, 149_999})
    void refusesOlderReleases(int version) {
        assertThat(ServerRequirement.problem(version, "UTF8", "shop"))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("is PostgreSQL " + version / 10_000 + ", expected 15 or newer; upgrade it"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"LATIN1", "SQL_ASCII", "WIN1252", "EUC_JP"})
    void refusesOtherEncodings(String encoding) {
        assertThat(ServerRequirement.problem(180_000, encoding, "shop"))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("the database shop has the encoding " + encoding)
                        .contains("CREATE DATABASE millrace ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;"));
    }

    @Test
    void warnsOfEachSettingThatConfirmsBeforeTheDisk() {
        assertThat(ServerRequirement.warning(List.of("fsync=off", "synchronous_commit=off"), "shop"))
                .contains("the database shop has fsync=off, synchronous_commit=off: runs that were accepted can be lost"
                        + " when its machine loses power; set fsync=on, synchronous_commit=on");
        assertThat(ServerRequirement.warning(List.of(), "shop")).isEmpty();
    }

    @Test
    void namesTheReleaseFirst() {
        assertThat(ServerRequirement.problem(120_000, "LATIN1", "shop"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("PostgreSQL 12"));
    }
}

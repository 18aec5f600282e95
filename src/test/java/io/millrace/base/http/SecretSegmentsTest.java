package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SecretSegmentsTest {
    private static SecretSegments segments() {
        var segments = new SecretSegments();
        segments.add("/api/v1/runs/:id/approval/:token", "token");
        segments.add("/api/v1/runs/:id/waits/:waitId", "waitId");
        segments.add("/api/v1/runs/:id/waits/:waitId/sync", "waitId");
        return segments;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                /api/v1/runs/r/approval/SECRET       | /api/v1/runs/r/approval/***
                /api/v1/runs/r/approval/SECRET/      | /api/v1/runs/r/approval/***/
                /api/v1/runs/r/approval/SECRET/more  | /api/v1/runs/r/approval/***/more
                /api/v1/runs/r/waits/SECRET          | /api/v1/runs/r/waits/***
                /api/v1/runs/r/waits/SECRET/sync     | /api/v1/runs/r/waits/***/sync
                /api/v1/runs/r/approval              | /api/v1/runs/r/approval
                /api/v1/runs/r/events/e              | /api/v1/runs/r/events/e
                /api/v1/runs//r/approval/SECRET      | /api/v1/runs/:id/approval/:token
                /api/v1/runs/./r/approval/SECRET     | /api/v1/runs/:id/approval/:token
                /api/v1/runs/r/%61pproval/SECRET     | /api/v1/runs/:id/approval/:token
                /api/v1/runs/r/approval/SECRET%0Aa   | /api/v1/runs/:id/approval/:token
                /api/v1/runs/r/approval/SECRET%zz    | /api/v1/runs/:id/approval/:token
                /api/v1/runs/r/x/../approval/SECRET  | /api/v1/runs/:id/approval/:token
                /api/v1/runs/r/approval%2FSECRET     | /api/v1/runs/:id/approval/:token
                /api/v1/runs/a%20b                   | /api/v1/runs/a%20b
                *                                    | *
                ''                                   | ''
                """)
    void masksTheSecretOfAPath(String path, String masked) {
        assertThat(segments().masked(path)).isEqualTo(masked);
    }

    @Test
    void masksNothing_whereThereIsNoPath() {
        assertThat(segments().masked(null)).isNull();
    }

    @Test
    void refusesAPathWithoutTheParameter() {
        assertThatThrownBy(() -> segments().add("/api/v1/runs/:id", "token"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(":token");
    }
}

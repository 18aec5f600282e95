package io.millrace.piece.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.piece.openapi.AddressTemplate.Place;
import org.junit.jupiter.api.Test;

class AddressTemplateTest {
    /** The JDK's stack would not suffice for a frame per part. */
    @Test
    void judgesLongValues() {
        assertThat(Place.PATH.permits("a/".repeat(200_000))).isTrue();
        assertThat(Place.PATH.permits("a/".repeat(200_000) + "../")).isFalse();
        assertThat(Place.LABELS_OF_HOST.permits("a.".repeat(200_000) + "a")).isTrue();
        assertThat(Place.LABELS_OF_HOST.permits("a.".repeat(200_000) + "-")).isFalse();
    }
}

package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.persistence.DatabaseSettings.Encryption;
import org.junit.jupiter.api.Test;

class DatabaseSettingsTest {
    @Test
    void readsEveryPart_whenTheUrlHasThem() {
        var settings = DatabaseSettings.parse("postgres://miller:s3%40%2Fx+y@db_1:6543/flows?sslmode=verify-full&a=b");

        assertThat(settings.host()).isEqualTo("db_1");
        assertThat(settings.port()).isEqualTo(6543);
        assertThat(settings.database()).isEqualTo("flows");
        assertThat(settings.user()).isEqualTo("miller");
        assertThat(settings.password()).isEqualTo("s3@/x+y");
        assertThat(settings.encryption()).isEqualTo(Encryption.VERIFY_FULL);
    }

    @Test
    void fillsInTheUsual_whenPartsAreMissing() {
        var settings = DatabaseSettings.parse("postgresql://miller@localhost");

        assertThat(settings.port()).isEqualTo(DatabaseSettings.PORT_DEFAULT);
        assertThat(settings.database()).isEqualTo("miller");
        assertThat(settings.password()).isEmpty();
        assertThat(settings.encryption()).isEqualTo(Encryption.PREFER);
    }

    @Test
    void takesASocketFromTheQuery() {
        var settings = DatabaseSettings.parse("postgres://miller:x@/flows?host=/var/run/postgresql");

        assertThat(settings.host()).isEqualTo("/var/run/postgresql");
        assertThat(settings.isSocket()).isTrue();
    }

    @Test
    void readsAnAddressOfVersionSix() {
        assertThat(DatabaseSettings.parse("postgres://miller@[::1]:5433/flows").host())
                .isEqualTo("::1");
    }

    @Test
    void refusesAMalformedUrl_withoutTellingThePassword() {
        for (var url : new String[] {
            "mysql://miller:hush@host/flows",
            "postgres://miller:hush@host:port/flows",
            "postgres://miller:hush@host:99999/flows",
            "postgres://miller:hush%zz@host/flows",
            "postgres://miller:hush@host/flows?sslmode=maybe"
        }) {
            assertThatThrownBy(() -> DatabaseSettings.parse(url))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .startsWith("expected")
                    .doesNotContain("hush");
        }
    }

    @Test
    void hidesThePassword_inItsText() {
        assertThat(DatabaseSettings.parse("postgres://miller:hush@host/flows"))
                .asString()
                .doesNotContain("hush");
    }
}

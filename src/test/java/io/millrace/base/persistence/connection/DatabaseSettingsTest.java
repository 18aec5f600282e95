package io.millrace.base.persistence.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.persistence.connection.DatabaseSettings.Encryption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseSettingsTest {
    @TempDir
    Path directory;

    @Test
    void readsEveryPart_whenTheUrlHasThem() {
        var settings = DatabaseSettings.parse("postgres://miller:s3%40%2Fx+y@db_1:6543/flows?sslmode=verify-full&a=b");

        assertThat(settings.host()).isEqualTo("db_1");
        assertThat(settings.port()).isEqualTo(6543);
        assertThat(settings.database()).isEqualTo("flows");
        assertThat(settings.user()).isEqualTo("miller");
        assertThat(settings.password()).isEqualTo("s3@/x+y");
        assertThat(settings.tls().mode()).isEqualTo(Encryption.VERIFY_FULL);
    }

    @Test
    void fillsInTheUsual_whenPartsAreMissing() {
        var settings = DatabaseSettings.parse("postgresql://miller@localhost");

        assertThat(settings.port()).isEqualTo(DatabaseSettings.PORT_DEFAULT);
        assertThat(settings.database()).isEqualTo("miller");
        assertThat(settings.password()).isEmpty();
        assertThat(settings.tls().mode()).isEqualTo(Encryption.PREFER);
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

    @Test
    void readsSslParametersAsLibpq() {
        assertThat(DatabaseSettings.parse("postgres://m@h/d?sslrootcert=system")
                        .tls()
                        .mode())
                .isEqualTo(Encryption.VERIFY_FULL);
        assertThat(DatabaseSettings.parse("postgres://m@h/d?sslmode=verify-full")
                        .tls()
                        .authorities())
                .isEmpty();
        for (var encryption : Encryption.values()) {
            assertThat(DatabaseSettings.parse("postgres://m@h/d?sslmode=" + encryption.word())
                            .tls()
                            .mode())
                    .isEqualTo(encryption);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sslrootcert=/none/root.crt | sslrootcert=/none/root.crt: expected a readable file in PEM form, found none
        sslrootcert=%s | expected certificates in PEM form, found
        sslmode=require&sslrootcert=system | expected sslmode=verify-full with sslrootcert=system, found require
        sslcert=%s | expected sslcert and sslkey together, found only sslcert
        sslkey=%s | expected sslcert and sslkey together, found only sslkey
        sslcert=%s&sslkey=%s | expected certificates in PEM form, found
        sslmode=verify_full | expected sslmode to be one of
        """)
    void refusesSslParametersThatCannotWork(String query, String expected) throws IOException {
        var file = Files.writeString(directory.resolve("no.pem"), "no certificate");

        assertThatThrownBy(
                        () -> DatabaseSettings.parse("postgres://m:hush@h/d?" + query.replace("%s", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected)
                .message()
                .doesNotContain("hush");
    }
}

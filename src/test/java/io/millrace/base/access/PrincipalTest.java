package io.millrace.base.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PrincipalTest {
    @Test
    void administratorsAndApiKeysAloneAdministerThePlatform() {
        assertThat(new Principal.SignedInUser("u", "p", PlatformRole.ADMIN).administersPlatform())
                .isTrue();
        assertThat(new Principal.Service("k", "p", "o").administersPlatform()).isTrue();
        for (var other : List.of(
                new Principal.SignedInUser("u", "p", PlatformRole.OPERATOR),
                new Principal.SignedInUser("u", "p", PlatformRole.MEMBER),
                new Principal.McpServerToken("s", "j", "p", "o"),
                new Principal.Engine("j", "p", null),
                new Principal.Newcomer("i", null),
                new Principal.Anonymous(null))) {
            assertThat(other.administersPlatform()).as("%s", other).isFalse();
        }
    }

    @Test
    void anMcpServerKeepsItsProject_fromEveryAddress() {
        var token = new Principal.McpServerToken("s", "j", "p", "o").from("10.0.0.1");

        assertThat(token).isEqualTo(new Principal.McpServerToken("s", "j", "p", "o", "10.0.0.1"));
        assertThat(token.userIdOrNull()).isNull();
        assertThat(token.actingUser()).isEqualTo("o");
        assertThat(token.platformIfAny()).hasValue("p");
    }
}

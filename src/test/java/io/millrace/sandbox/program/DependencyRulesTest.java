package io.millrace.sandbox.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sandbox.npm.BadPackage;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DependencyRulesTest {
    private static DependencyRules rules(DependencyRules.Mode mode) {
        return new DependencyRules(mode, Set.of("he"), 1, Set.of("picture", "mine:hash"));
    }

    @Test
    void letsNamedPackagesLoadNativeCode_onEveryPlatformOrOnOne() {
        var rules = rules(DependencyRules.Mode.ON);

        assertThat(rules.nativeAmong("mine", List.of("he", "picture", "hash"))).containsExactly("picture", "hash");
        assertThat(rules.nativeAmong("yours", List.of("he", "picture", "hash"))).containsExactly("picture");
    }

    @Test
    void passesAnyPackage_whenOn() {
        assertThatCode(() -> rules(DependencyRules.Mode.ON).check(List.of("he", "other")))
                .doesNotThrowAnyException();
    }

    @Test
    void passesPackagesOfTheList_andNamesTheFirstThatIsNot() {
        var rules = rules(DependencyRules.Mode.ALLOW_LIST);

        assertThatCode(() -> rules.check(List.of("he"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules.check(List.of("he", "other")))
                .isInstanceOf(BadPackage.class)
                .hasMessageContaining("other is refused")
                .hasMessageContaining("AP_CODE_DEPENDENCIES_ALLOW_LIST");
    }

    @Test
    void refusesEveryPackage_whenOff() {
        assertThatThrownBy(() -> rules(DependencyRules.Mode.OFF).check(List.of("he")))
                .isInstanceOf(BadPackage.class)
                .hasMessageContaining("he is refused");
    }

    @Test
    void passesCodeWithoutPackages_whenOff() {
        assertThatCode(() -> rules(DependencyRules.Mode.OFF).check(List.of())).doesNotThrowAnyException();
    }
}

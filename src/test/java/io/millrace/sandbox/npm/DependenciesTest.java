package io.millrace.sandbox.npm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permitted dependencies of a package. */
class DependenciesTest {
    private static Dependencies one(String kind, String name, String wanted) {
        var manifest = Json.object();
        manifest.putObject(kind).put(name, wanted);
        return Dependencies.of(manifest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.3",
                "v1.2.3",
                "=1.2.3",
                "^1.2.3",
                "~1.2",
                "1.x",
                "1",
                "*",
                "",
                " 1.2.3 ",
                "x",
                "latest",
                "next",
                ">=1.0.0 <2.0.0",
                ">= 1.0.0 < 2",
                "1.0.0 - 2.0.0",
                "^1 || ^2 || ^3",
                "1||2",
                "^4.0.0-beta.1",
                ">=4.0.0 <5.0.0-0",
                "1.2.3+build.5",
                "2 >=2.2.1",
                "npm:other@^1.0.0",
                "npm:@scope/other@1.2.3",
                "npm:other"
            })
    void takesVersionsRangesAndTags(String wanted) {
        assertThatCode(() -> one("dependencies", "left-pad", wanted).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/a.tgz",
                "https://example.com/a.tgz",
                "file:../a",
                "file:///etc",
                "FILE:x",
                "link:../a",
                "portal:../a",
                "workspace:*",
                "git://example.com/a",
                "git+ssh://git@example.com/a",
                "git+https://e.com/a",
                "git+file:///tmp/a",
                "git@example.com:a/b.git",
                "github:a/b",
                "gist:abc",
                "gitlab:a/b",
                "bitbucket:a/b",
                "a/b",
                "a/b#main",
                "/etc/passwd",
                "./a",
                "../a",
                ".",
                "..",
                "~/a",
                "a.tgz",
                "1.0.0-a.tgz",
                "1.0.0-A.TAR.GZ",
                "x.tar",
                "npm:http://e.com/a.tgz",
                "npm:other@file:../a",
                "npm:../other@1",
                "npm:other@npm:b@1",
                "C:\\a",
                "1.0.0\nfile:a",
                "\u202e1.0.0",
                "$(id)",
                "no text",
                "1 2 3 4 5 6 7 8 9"
            })
    void refusesEverythingElse_inEveryKind(String wanted) {
        for (var kind : new String[] {"dependencies", "optionalDependencies", "peerDependencies"}) {
            assertThatThrownBy(() -> one(kind, "left-pad", wanted).check())
                    .as(kind)
                    .isInstanceOf(BadPackage.class)
                    .hasMessageContaining(kind)
                    .hasMessageContaining("left-pad");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../a", "a/b", "@a/b/c", ".bin", "", "@/a", "a b", "node_modules/../a", "a\\b"})
    void refusesNamesThatArePaths(String name) {
        assertThatThrownBy(() -> one("dependencies", name, "1.0.0").check()).isInstanceOf(BadPackage.class);
    }

    @Test
    void refusesRangesThatAreNoText() {
        var manifest = Json.object();
        manifest.putObject("dependencies").putObject("left-pad").put("version", "1");

        assertThatThrownBy(() -> Dependencies.of(manifest).check()).isInstanceOf(BadPackage.class);
    }

    @Test
    void leavesOutWhatRulesAWholeProject() {
        var manifest = Json.object().put("name", "x");
        manifest.putObject("dependencies").put("left-pad", "1.0.0");
        manifest.putObject("overrides").put("left-pad", "file:../a");
        manifest.putObject("scripts").put("preinstall", "id");
        manifest.putObject("devDependencies").put("b", "git+ssh://c");
        manifest.putArray("workspaces").add("../*");

        assertThat(Dependencies.of(manifest).manifest().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("name", "version", "private", "dependencies");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'node_modules/a':{'version':'1.0.0','resolved':'git+ssh://git@example.com/a.git#1'}}",
                "{'node_modules/a':{'resolved':'../a','link':true}}",
                "{'node_modules/a':{'version':'1.0.0','resolved':'https://e.com/a.tgz'}}",
                "{'node_modules/a':{'version':'1.0.0','resolved':'file:a.tgz','integrity':'sha512-x'}}",
                "{'node_modules/a':{'version':'1.0.0','resolved':'https://e.com/a.tgz','integrity':'sha512-x',"
                        + "'dependencies':{'b':'https://e.com/b.tgz'}}}",
            })
    void refusesPackagesInstalledFromOtherSources(String packages) throws Exception {
        var lock = Json.parse(("{'packages':" + packages + "}").replace('\'', '"'));

        assertThatThrownBy(() -> Dependencies.checkInstalled(lock)).isInstanceOf(BadPackage.class);
    }
}

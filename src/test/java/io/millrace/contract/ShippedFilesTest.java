package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.millrace.base.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shipped configuration files refer only to existing settings, values and files. */
final class ShippedFilesTest {
    private static final Path CONF = Path.of("conf");
    private static final Path CHART = CONF.resolve("helm").resolve("millrace");
    private static final Pattern SETTING = Pattern.compile("\\bAP_[A-Z0-9_]+\\b");
    private static final Pattern VALUE = Pattern.compile("\\.Values\\.([A-Za-z.]+)");

    @Test
    void everySettingThatIsNamedIsOne() throws IOException {
        var known = Stream.of(Setting.values()).map(Setting::name).collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        for (var file : shipped()) {
            SETTING.matcher(Files.readString(file)).results().forEach(found -> named.add(found.group()));
        }

        assertThat(named).hasSizeGreaterThan(5);
        assertThat(known).containsAll(named);
    }

    private static Set<Path> shipped() throws IOException {
        try (var files = Files.walk(CONF)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("millrace.properties"))
                    .collect(Collectors.toSet());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"compose.yaml", "compose-cluster.yaml", "helm/millrace/Chart.yaml", "helm/millrace/values.yaml"})
    void isYaml(String file) throws IOException {
        assertThat(yaml(CONF.resolve(file)).isObject()).isTrue();
    }

    @Test
    void chartAndImagesHaveTheRelease() throws IOException {
        var release = yaml(CHART.resolve("Chart.yaml")).path("appVersion").asText();

        assertThat(Files.readString(Path.of("pom.xml"))).contains("<version>" + release + "</version>");
        for (var file : List.of("compose.yaml", "compose-cluster.yaml")) {
            assertThat(yaml(CONF.resolve(file)).at("/services/millrace/image").asText())
                    .isEqualTo("millrace:" + release);
        }
    }

    @Test
    void templatesOfTheChartReadValuesThatThereAre() throws IOException {
        var values = yaml(CHART.resolve("values.yaml"));
        try (var files = Files.newDirectoryStream(CHART.resolve("templates"), "*.yaml")) {
            for (var file : files) {
                for (var found : VALUE.matcher(Files.readString(file)).results().toList()) {
                    var pointer = "/" + found.group(1).replace('.', '/');
                    assertThat(values.at(pointer).isMissingNode())
                            .as(file + ": " + found.group())
                            .isFalse();
                }
            }
        }
    }

    @Test
    void filesThatComposeMountsAreThere() throws IOException {
        var services = yaml(CONF.resolve("compose-cluster.yaml")).path("services");
        var mounted = services.at("/balancer/volumes/0").asText();

        assertThat(CONF.resolve(mounted.split(":", 2)[0])).isRegularFile();
    }

    @Test
    void unitStopsForGoodAtASettingThatIsRefused() throws IOException {
        assertThat(Files.readString(CONF.resolve("millrace.service")))
                .contains("ExecStart=/usr/local/bin/millrace run\n", "RestartPreventExitStatus=78\n");
    }

    @Test
    void unitIsHardened_asFarAsProcessesOfCodeAllow() throws IOException {
        assertThat(Files.readAllLines(CONF.resolve("millrace.service")))
                .contains(
                        "PrivateDevices=yes",
                        "ProtectClock=yes",
                        "ProtectHostname=yes",
                        "ProtectKernelLogs=yes",
                        "UMask=0077",
                        "SystemCallArchitectures=native",
                        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK")
                .anyMatch(line -> line.startsWith("# No SystemCallFilter:"))
                .noneMatch(line -> line.startsWith("SystemCallFilter="));
    }

    /** The quick build, which the pages and scripts use, leaves it out. */
    @Test
    void pagesSayWhichBuildWritesTheBillOfMaterials() throws IOException {
        var build = Files.readString(Path.of("pom.xml"));
        assertThat(build.substring(build.indexOf("<id>quick</id>"))).contains("<cyclonedx.skip>true</cyclonedx.skip>");
        for (var page : List.of("README.md", "src/site/markdown/operate.md")) {
            assertThat(Files.readString(Path.of(page)).lines().filter(line -> line.contains("millrace-sbom.json")))
                    .as(page)
                    .isNotEmpty()
                    .allMatch(line -> line.contains("without `-Pquick`"));
        }
    }

    private static JsonNode yaml(Path file) throws IOException {
        return new YAMLMapper().readTree(Files.readString(file));
    }
}

package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.access.Permission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TokenReadersTest {
    private static final Path TOOLS = Path.of("src/main/java/io/millrace/integration/mcp/tool");
    private static final Pattern PERMISSION = Pattern.compile("\\bPermission\\.([A-Z_]+)\\b");

    /** A token grants every tool, so that its readers need the permissions of all of them. */
    @Test
    void rightsContainThePermissionsOfAllTools() throws IOException {
        var checked = EnumSet.noneOf(Permission.class);
        try (var files = Files.walk(TOOLS)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                PERMISSION
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(found -> checked.add(Permission.valueOf(found.group(1))));
            }
        }

        assertThat(checked).contains(Permission.WRITE_FLOW, Permission.WRITE_TABLE);
        assertThat(TokenReaders.RIGHTS).containsAll(checked);
    }
}

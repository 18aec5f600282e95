package io.millrace.integration.mcp;

import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;

final class ToolNameList {
    static final int DISABLED_MAX = 1_000;
    static final int PINNED_MAX = 100;
    static final int FLOWS_MAX = 1_000;

    private ToolNameList() {}

    static Optional<List<String>> read(Fields body, String name, int max) {
        var names = body.optionalTexts(name);
        if (names.isPresent() && names.get().size() > max) {
            body.refuse(name, "Too big: expected array to have <=" + max + " items");
        }
        return names;
    }
}

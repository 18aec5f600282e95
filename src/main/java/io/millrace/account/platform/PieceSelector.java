package io.millrace.account.platform;

import io.millrace.base.core.input.Fields;

/** The tabs in which pieces are offered (contract admin-api 18.1). */
final class PieceSelector {
    private static final int TITLE_LENGTH_MAX = 40;

    private enum BuiltinTab {
        EXPLORE,
        APPS,
        UTILITY,
        AI_AND_AGENTS,
        APPROVALS
    }

    private enum TabKind {
        BUILTIN,
        CUSTOM
    }

    private PieceSelector() {}

    static void check(Fields config) {
        var index = 0;
        for (var tab : config.array("tabs")) {
            checkTab(config.element("tabs", index++, tab));
        }
    }

    private static void checkTab(Fields tab) {
        tab.text("id");
        tab.flag("hidden");
        tab.optionalOption("builtinTab", BuiltinTab.class);
        tab.optionalText("icon");
        tab.optionalTexts("pieceNames");
        checkTitle(tab, tab.option("kind", TabKind.class) == TabKind.CUSTOM);
        if (!tab.isAbsent("sections")) {
            var index = 0;
            for (var section : tab.array("sections")) {
                checkSection(tab.element("sections", index++, section));
            }
        }
    }

    private static void checkTitle(Fields tab, boolean custom) {
        if (custom || !tab.isAbsent("title")) {
            var title = tab.text("title", custom ? 1 : 0, TITLE_LENGTH_MAX);
            if (custom && tab.isSound() && title.isBlank()) {
                tab.refuse("title", "Invalid input: expected a title that is not blank");
            }
        }
    }

    private static void checkSection(Fields section) {
        section.text("id");
        section.text("title", 1, TITLE_LENGTH_MAX);
        section.requiredTexts("pieceNames");
    }
}

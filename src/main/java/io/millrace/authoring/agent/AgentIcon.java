package io.millrace.authoring.agent;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Icons of agents (contract agents 1.3). */
public enum AgentIcon {
    BOT,
    SPARKLES,
    MESSAGE_SQUARE,
    USERS,
    BOOK_OPEN,
    CHART_LINE,
    CALENDAR,
    MAIL,
    GLOBE,
    FILE_TEXT,
    SEARCH,
    ZAP;

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<AgentIcon> of(String word) {
        return Arrays.stream(values()).filter(icon -> icon.word().equals(word)).findFirst();
    }

    static String options() {
        return Arrays.stream(values()).map(icon -> '"' + icon.word() + '"').collect(Collectors.joining("|"));
    }
}

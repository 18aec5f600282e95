package io.millrace.hostile;

import java.io.PrintStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Counts finished JUnit cases by kind: success means "held", failure "fell", an unmet assumption "not tried". */
final class CaseCounter implements TestExecutionListener {
    private static final int MESSAGE_LENGTH_MAX = 300;
    private static final String OTHER = "other";

    private final KindTable table;
    private final PrintStream progress;
    private final Set<TestIdentifier> running = ConcurrentHashMap.newKeySet();
    private Optional<TestPlan> plan = Optional.empty();

    CaseCounter(KindTable table, PrintStream progress) {
        this.table = table;
        this.progress = progress;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = Optional.of(started);
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        running.add(identifier);
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        table.of(kind(identifier)).leave(oneLine(reason));
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        running.remove(identifier);
        var message = result.getThrowable()
                .map(failure -> oneLine(String.valueOf(failure.getMessage())))
                .orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (identifier.isTest()) {
                    table.of(kind(identifier)).hold();
                }
            }
            case ABORTED -> table.of(kind(identifier)).leave(message);
            case FAILED -> fall(identifier, message);
        }
    }

    /** Counts cases that did not end before the deadline as fallen: an attack on the server's time succeeded. */
    void giveUp() {
        running.stream().filter(TestIdentifier::isTest).forEach(identifier -> fall(identifier, "did not end in time"));
    }

    private void fall(TestIdentifier identifier, String message) {
        var text = name(identifier) + ": " + message;
        table.of(kind(identifier)).fall(text);
        progress.println("fell: " + text);
    }

    private String name(TestIdentifier identifier) {
        var parent = parent(identifier).map(TestIdentifier::getDisplayName).orElse("");
        return oneLine(parent + " > " + identifier.getDisplayName());
    }

    private Optional<TestIdentifier> parent(TestIdentifier identifier) {
        return plan.flatMap(known -> known.getParent(identifier));
    }

    private String kind(TestIdentifier identifier) {
        return identifier
                .getSource()
                .flatMap(CaseKind::of)
                .or(() -> parent(identifier).map(this::kind))
                .orElse(OTHER);
    }

    private static String oneLine(String text) {
        var line = text.replaceAll("[\\p{Cntrl}\\s]++", " ").strip();
        return line.length() <= MESSAGE_LENGTH_MAX ? line : line.substring(0, MESSAGE_LENGTH_MAX) + "…";
    }
}

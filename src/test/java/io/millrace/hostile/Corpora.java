package io.millrace.hostile;

import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Test classes with the tag {@code hostile}: found by the JUnit launcher, run within a time limit, counted by kind. */
final class Corpora {
    /** Extra time for the case that runs at the deadline. */
    private static final Duration GRACE = Duration.ofMinutes(2);

    private final List<? extends DiscoverySelector> selectors;
    private final String names;
    private final Predicate<String> isWanted;

    private Corpora(List<? extends DiscoverySelector> selectors, String names, Predicate<String> isWanted) {
        this.selectors = selectors;
        this.names = names;
        this.isWanted = isWanted;
    }

    /** All tagged test classes of the project. */
    static Corpora ofProject(Predicate<String> isWanted) {
        try {
            var root = Path.of(Corpora.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return new Corpora(DiscoverySelectors.selectClasspathRoots(Set.of(root)), ".*(Test|IT)", isWanted);
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Corpora of(Class<?>... types) {
        return new Corpora(
                List.of(types).stream().map(DiscoverySelectors::selectClass).toList(), ".*", _ -> true);
    }

    /** Names of all kinds, sorted. */
    Set<String> kinds() {
        var kinds = new TreeSet<String>();
        var plan = LauncherFactory.create().discover(discovery());
        for (var root : plan.getRoots()) {
            plan.getDescendants(root).stream()
                    .map(TestIdentifier::getSource)
                    .flatMap(source -> source.flatMap(CaseKind::of).stream())
                    .forEach(kinds::add);
        }
        return kinds;
    }

    /**
     * Runs all cases.
     *
     * @return false if the time was over before the last one
     */
    boolean run(KindTable table, Duration limit, PrintStream progress) throws InterruptedException {
        var counter = new CaseCounter(table, progress);
        var cancellation = CancellationToken.create();
        var request = LauncherExecutionRequestBuilder.request(discovery())
                .listeners(counter)
                .cancellationToken(cancellation)
                .build();
        var runner = Thread.ofPlatform()
                .daemon()
                .name("corpora")
                .start(() -> LauncherFactory.create().execute(request));
        if (runner.join(limit)) {
            return true;
        }
        cancellation.cancel();
        if (!runner.join(GRACE)) {
            counter.giveUp();
        }
        return false;
    }

    private LauncherDiscoveryRequest discovery() {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(
                        ClassNameFilter.includeClassNamePatterns(names),
                        TagFilter.includeTags(HostileKind.TAG),
                        (PostDiscoveryFilter) this::filter)
                .build();
    }

    private FilterResult filter(TestDescriptor descriptor) {
        return descriptor.getSource().map(this::filter).orElseGet(() -> FilterResult.included("no source"));
    }

    private FilterResult filter(TestSource source) {
        return FilterResult.includedIf(CaseKind.of(source).map(isWanted::test).orElse(true));
    }
}

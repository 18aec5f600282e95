package io.millrace.hostile;

import java.util.Locale;
import java.util.Optional;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Kind of attack of a test method or class: its {@link HostileKind}, else the words of the class name. */
final class CaseKind {
    private CaseKind() {}

    /** Empty for a source that is neither a class nor a method, for example a test engine. */
    static Optional<String> of(TestSource source) {
        return switch (source) {
            case MethodSource method ->
                Optional.of(AnnotationSupport.findAnnotation(method.getJavaMethod(), HostileKind.class)
                        .map(HostileKind::value)
                        .orElseGet(() -> of(method.getJavaClass())));
            case ClassSource type -> Optional.of(of(type.getJavaClass()));
            default -> Optional.empty();
        };
    }

    private static String of(Class<?> type) {
        return AnnotationSupport.findAnnotation(type, HostileKind.class)
                .map(HostileKind::value)
                .orElseGet(() -> words(type.getSimpleName()));
    }

    private static String words(String className) {
        return className
                .replaceAll("(Test|IT)$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}

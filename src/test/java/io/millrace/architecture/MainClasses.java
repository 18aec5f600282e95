package io.millrace.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.millrace.Millrace;
import java.util.Set;

/** The compiled main code, and selections of it. */
final class MainClasses {
    static final String ROOT = "io.millrace";

    private MainClasses() {}

    /** Every class of the main code, read once, because it takes a second. */
    static JavaClasses all() {
        return One.CLASSES;
    }

    /**
     * Classes whose outermost class has a name with this suffix; lambdas and records inside count as the outer class.
     */
    static DescribedPredicate<JavaClass> namedAs(String... endings) {
        return DescribedPredicate.describe(
                "named *" + String.join(", *", endings),
                type -> Set.of(endings).stream()
                        .anyMatch(ending -> outermost(type).getSimpleName().endsWith(ending)));
    }

    /** Classes of exactly these packages, given without the common prefix. */
    static DescribedPredicate<JavaClass> in(String... packages) {
        return DescribedPredicate.describe(
                "in " + String.join(", ", packages), type -> Set.of(packages).contains(moduleOf(type)));
    }

    /** Classes of a package and its subpackages, without the common prefix. */
    static DescribedPredicate<JavaClass> within(String module) {
        return DescribedPredicate.describe(
                "within " + module,
                type -> moduleOf(type).equals(module) || moduleOf(type).startsWith(module + "."));
    }

    /** Package of a class without the common prefix; empty for the root itself. */
    static String moduleOf(JavaClass type) {
        var name = type.getPackageName();
        return name.startsWith(ROOT + ".") ? name.substring(ROOT.length() + 1) : name.equals(ROOT) ? "" : name;
    }

    private static JavaClass outermost(JavaClass type) {
        var outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }

    /** Read lazily from the output folder of the main code: tests share its packages. */
    private static final class One {
        static final JavaClasses CLASSES = new ClassFileImporter()
                .importUrl(Millrace.class.getProtectionDomain().getCodeSource().getLocation());
    }
}

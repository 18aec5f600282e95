package io.millrace.hostile;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Kind of attack that a test class or method tries. The tag {@code hostile} makes scripts/hostile run it and count each case under
 * this kind.
 */
@Documented
@Inherited
@Tag(HostileKind.TAG)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface HostileKind {
    String TAG = "hostile";

    /** Name of the line in the table of scripts/hostile, for example {@code git server}. */
    String value();
}

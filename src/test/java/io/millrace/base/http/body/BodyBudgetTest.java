package io.millrace.base.http.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Memory budget shared by all request bodies. */
final class BodyBudgetTest {
    private static final long MEGABYTE = 1 << 20;

    private final BodyBudget budget = new BodyBudget(16 * MEGABYTE, 100 * MEGABYTE);

    @Test
    void refusesMoreThanTheBudget_untilMemoryIsReleased() {
        var first = budget.permit();
        first.take(10 * MEGABYTE);
        var second = budget.permit();

        refused(ErrorCode.TOO_MANY_REQUESTS, second, 5 * MEGABYTE);
        first.free();
        second.take(5 * MEGABYTE);

        assertThat(budget.used()).isEqualTo(5 * MEGABYTE);
    }

    @Test
    void leavesAShareToSmallBodies() {
        budget.permit().take(7 * MEGABYTE);
        budget.permit().take(7 * MEGABYTE);

        refused(ErrorCode.TOO_MANY_REQUESTS, budget.permit(), MEGABYTE);
        budget.permit().take(64 * 1024);
    }

    @Test
    void takesOneBodyThatIsLargerThanTheBudget_upToHalfOfTheHeap() {
        var one = budget.permit();
        one.take(50 * MEGABYTE);
        refused(ErrorCode.BODY_TOO_LARGE, one, 1);
        refused(ErrorCode.TOO_MANY_REQUESTS, budget.permit(), 2 * MEGABYTE);
        one.free();

        refused(ErrorCode.BODY_TOO_LARGE, budget.permit(), 51 * MEGABYTE);
        assertThat(budget.used()).isZero();
    }

    @Test
    void weighsLargeBodiesWithWhatTheyBecome() {
        var runs = new AtomicLong(40 * MEGABYTE);
        budget.weighWith(runs::get);

        refused(ErrorCode.TOO_MANY_REQUESTS, budget.permit(), 30 * MEGABYTE);
        budget.permit().take(1024);
        runs.set(0);
        budget.permit().take(30 * MEGABYTE);
    }

    @Test
    void givesBackOnce() {
        var permit = budget.permit();
        permit.take(3 * MEGABYTE);
        permit.give(MEGABYTE);
        permit.free();
        permit.free();
        permit.take(MEGABYTE);

        assertThat(budget.used()).isZero();
    }

    private static void refused(ErrorCode code, BodyBudget.Permit permit, long bytes) {
        assertThatThrownBy(() -> permit.take(bytes))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }
}

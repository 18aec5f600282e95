package io.millrace.authoring.flow.testcase;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.RowBound;

/**
 * Limits of the tests of one flow.
 *
 * @param count number of tests (AP_FLOW_TESTS_MAX)
 * @param sizeKb size of one test in KiB (AP_FLOW_TEST_MAX_KB)
 */
public record FlowTestLimits(RowBound count, int sizeKb) {
    private static final int KB = 1024;

    public static FlowTestLimits of(int countMax, int sizeKb) {
        return new FlowTestLimits(new RowBound(countMax, "AP_FLOW_TESTS_MAX"), sizeKb);
    }

    public void checkSize(FlowTestCase test) {
        var bytes = test.size();
        if (bytes > (long) sizeKb * KB) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "test \"" + test.name() + "\": expected at most " + sizeKb + " KiB, found " + bytes
                            + " bytes; shorten its trigger and fixtures or raise AP_FLOW_TEST_MAX_KB");
        }
    }
}

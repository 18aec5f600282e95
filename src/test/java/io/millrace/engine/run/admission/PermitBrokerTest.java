package io.millrace.engine.run.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermitBrokerTest {
    @ParameterizedTest
    @CsvSource({"2, 1", "2, 2", "2, 6", "2, 7", "3, 1", "3, 2", "3, 6", "3, 10"})
    void neverExceedsTheLimit_andLetsEveryRunBegin(int nodes, int limit) {
        var reached = new AtomicInteger();

        Seeds.each(60, random -> {
            var simulation = new PermitSimulation(random, nodes, limit);
            simulation.run(400);
            reached.accumulateAndGet(simulation.runningMax(), Math::max);
        });

        assertThat(reached).as("the limit is used").hasValue(limit);
    }

    @ParameterizedTest
    @CsvSource({"2, 10, 6", "2, 10, 4", "2, 8, 1", "3, 12, 6", "3, 9, 2", "3, 10, 1"})
    void keepsToALowerLimit_overAllNodes_onceRunsOfBeforeHaveEnded(int nodes, int limit, int lower) {
        var reached = new AtomicInteger();

        Seeds.each(25, random -> {
            var simulation = new PermitSimulation(random, nodes, limit);
            simulation.lowerTo(lower, 1_500, 4_000);
            simulation.run(900);
            reached.accumulateAndGet(simulation.runningMax(), Math::max);
        });

        assertThat(reached).as("the first limit is used").hasValue(limit);
    }
}

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
}

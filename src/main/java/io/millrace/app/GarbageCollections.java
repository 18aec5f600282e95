package io.millrace.app;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Meters of the number and time of garbage collections, read from the JVM on each scrape. Micrometer's own meters use
 * notifications of each collection, delivered by a separate thread: 0.5 % of the CPU time of a loaded server (decision 0132).
 */
final class GarbageCollections implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionTimer.builder(
                            "jvm.gc.pause",
                            collector,
                            GarbageCollectorMXBean::getCollectionCount,
                            GarbageCollectorMXBean::getCollectionTime,
                            TimeUnit.MILLISECONDS)
                    .description("Time spent in garbage collections.")
                    .tag("gc", collector.getName())
                    .register(registry);
        }
        var threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        FunctionCounter.builder("jvm.gc.memory.allocated", threads, ThreadMXBean::getTotalThreadAllocatedBytes)
                .description("What all threads have allocated since the start.")
                .baseUnit("bytes")
                .register(registry);
    }
}

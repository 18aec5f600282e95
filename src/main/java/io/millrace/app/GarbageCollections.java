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
 * How often and for how long garbage was collected, asked of the virtual machine when somebody reads it. Micrometer's own meters
 * hear of each collection, which is told by a thread of its own: half a percent of what a loaded server does (decision 0308).
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

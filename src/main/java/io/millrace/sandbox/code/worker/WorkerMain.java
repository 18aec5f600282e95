package io.millrace.sandbox.code.worker;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * Entry point of a worker process: one call at a time, until the server closes the pipe.
 *
 * <p>The main thread only reads, so that the end of the server is noticed during a call too. The code runs on a thread
 * of its own with a deep stack; a watch stops it at its time limit. Memory is bounded by the process's heap: the
 * virtual machine is told to exit with {@link #EXIT_MEMORY} when an allocation fails.
 */
public final class WorkerMain {
    /** What the virtual machine exits with under ExitOnOutOfMemoryError; this class uses the same. */
    public static final int EXIT_MEMORY = 3;

    private static final int EXIT_DEFECT = 70;
    private static final String RANDOM_NUMBERS = "SUN";
    private static final long STACK_BYTES = 8L << 20;
    private static final long HEAP_POLL_MS = 50;
    private static final double FULL = 0.9;
    private static final double WORN = 0.5;
    private static final int WARM_UP_CALLS = 25;

    /** Enough for the virtual machine to learn which of the engine's methods are worth compiling at once. */
    private static final int TRAINING_CALLS = 400;

    private final DataOutputStream out;
    private final SynchronousQueue<WorkerFrame> calls = new SynchronousQueue<>();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private final HeapWatch heap = new HeapWatch();
    private final Sandbox sandbox = new Sandbox();

    private WorkerMain(DataOutputStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        // Standard output carries frames; whatever else is printed must not mix with them.
        System.setOut(System.err);
        DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
        keepOneProvider();
        WorkerMain worker = new WorkerMain(out);
        if (arguments.length > 0) {
            // A training run of the virtual machine's start cache.
            worker.warmUp(TRAINING_CALLS);
            return;
        }
        Thread.ofPlatform().name("code").stackSize(STACK_BYTES).daemon().start(worker::serve);
        worker.read(new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16)));
        Runtime.getRuntime().halt(0);
    }

    /** Each new context asks all providers of security for random numbers, a third of its cost; one has them. */
    private static void keepOneProvider() {
        Arrays.stream(Security.getProviders())
                .map(Provider::getName)
                .filter(name -> !RANDOM_NUMBERS.equals(name))
                .forEach(Security::removeProvider);
    }

    private void read(DataInputStream in) throws IOException, InterruptedException {
        Optional<WorkerFrame> frame = WorkerFrame.readFrom(in, WorkerFrame.BYTES_MAX);
        while (frame.isPresent()) {
            calls.put(frame.get());
            frame = WorkerFrame.readFrom(in, WorkerFrame.BYTES_MAX);
        }
    }

    private void serve() {
        try {
            warmUp(WARM_UP_CALLS);
            sandbox.prepare();
            WorkerFrame.of(WorkerFrame.Type.READY).writeTo(out);
            while (true) {
                WorkerFrame call = calls.take();
                WorkerFrame.of(WorkerFrame.Type.BEGUN).writeTo(out);
                watched(WorkerRequest.decoded(call.body())).writeTo(out);
                sandbox.prepare();
                if (heap.liveShare() > WORN) {
                    // What calls left behind in the shared engine must not be charged to the next one.
                    Runtime.getRuntime().halt(0);
                }
            }
        } catch (IOException | InterruptedException | RuntimeException defect) {
            System.err.println("code worker: " + defect);
            Runtime.getRuntime().halt(EXIT_DEFECT);
        }
    }

    private WorkerFrame watched(WorkerRequest request) throws InterruptedException {
        StopSignal stop = new StopSignal();
        Future<?> time = watch.schedule(stop::raise, request.timeLimitMs(), TimeUnit.MILLISECONDS);
        Future<?> memory =
                watch.scheduleWithFixedDelay(this::checkHeap, HEAP_POLL_MS, HEAP_POLL_MS, TimeUnit.MILLISECONDS);
        try {
            return sandbox.run(request, new BoundedLog(request.logLimitBytes()), stop);
        } finally {
            time.cancel(false);
            memory.cancel(false);
        }
    }

    private void checkHeap() {
        if (heap.liveShare() > FULL) {
            Runtime.getRuntime().halt(EXIT_MEMORY);
        }
    }

    /** The first calls of a process are slow; they are made here, before anybody waits. */
    private void warmUp(int calls) throws InterruptedException {
        String sample = "module.exports = {code: async (i) => {console.log(i.a); return {a: i.a.map((x) => x + 1)};}};";
        WorkerRequest request =
                new WorkerRequest(WorkerRequest.Form.COMMON_JS, "warm-up", sample, "{\"a\":[1,2]}", 5000, 0, 1 << 20);
        for (int call = 0; call < calls; call++) {
            sandbox.run(request, (level, text) -> false, new StopSignal());
        }
    }

    /** Sends console lines on while they fit the call's budget. */
    private final class BoundedLog implements ConsoleSink {
        private long leftBytes;

        BoundedLog(long limitBytes) {
            leftBytes = limitBytes;
        }

        @Override
        public boolean accept(String level, String text) {
            WorkerFrame line = WorkerFrame.of(WorkerFrame.Type.LOG, level + "\n" + text);
            leftBytes -= text.getBytes(StandardCharsets.UTF_8).length + 1L;
            try {
                // The line that passes the limit travels as well: by it the server knows that the log was cut.
                line.writeTo(out);
            } catch (IOException gone) {
                throw new IllegalStateException("the server is gone", gone);
            }
            return leftBytes >= 0;
        }
    }
}

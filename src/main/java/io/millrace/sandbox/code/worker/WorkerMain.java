package io.millrace.sandbox.code.worker;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Entry point of a worker process: one call at a time, until the server closes the pipe.
 *
 * <p>The main thread only reads, so that the end of the server is noticed during a call too. The code runs on a separate thread
 * with a deep stack; a watch stops it at its time limit. Memory is bounded by the process's heap: an option makes the virtual
 * machine exit with {@link #EXIT_MEMORY} when an allocation fails.
 */
public final class WorkerMain {
    /** Exit code of the virtual machine under ExitOnOutOfMemoryError; this class uses the same. */
    public static final int EXIT_MEMORY = 3;

    private static final int EXIT_DEFECT = 70;
    private static final String RANDOM_NUMBERS = "SUN";
    private static final long STACK_BYTES = 8L << 20;
    private static final double WORN = 0.5;

    /** Idle time in milliseconds after which a collection, about 50 ms, delays no call. */
    private static final long REST_MS = 500;

    private static final long GROWN_BYTES_MAX = 32L << 20;

    private static final String WARM_UP_KEY = "warm-up";
    private static final int WARM_UP_CALLS = 40;

    /** One in this number of warm-up calls has a separate realm. */
    private static final int CALLS_ALONE_EACH = 40;

    /** Number of calls after which the virtual machine has found the engine's methods that are worth compiling at once. */
    private static final int TRAINING_CALLS = 400;

    private final DataOutputStream out;
    private final BlockingQueue<WorkerFrame> calls = new LinkedBlockingQueue<>();
    private final HeapWatch heap = new HeapWatch();
    private final CallWatch watch;
    private final Sandbox sandbox = new Sandbox();

    private WorkerMain(DataOutputStream out) {
        this.out = out;
        watch = new CallWatch(heap, this::send);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        // Standard output carries frames; other output must not mix with them.
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
        Thread.ofPlatform().name("watch").daemon().start(worker.watch);
        Thread.ofPlatform().name("code").stackSize(STACK_BYTES).daemon().start(worker::serve);
        worker.read(new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16)));
        Runtime.getRuntime().halt(0);
    }

    /** Removes all security providers but one: each new context asks all providers for random numbers, a third of its cost. */
    private static void keepOneProvider() {
        Arrays.stream(Security.getProviders())
                .map(Provider::getName)
                .filter(name -> !RANDOM_NUMBERS.equals(name))
                .forEach(Security::removeProvider);
    }

    private void read(DataInputStream in) throws IOException, InterruptedException {
        Optional<WorkerFrame> frame = WorkerFrame.readFrom(in, WorkerFrame.BYTES_MAX);
        while (frame.isPresent()) {
            if (frame.get().type() == WorkerFrame.Type.WITHDRAW) {
                synchronized (out) {
                    WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, calls.drainTo(new ArrayList<>()))
                            .writeTo(out);
                }
            } else {
                calls.put(frame.get());
            }
            frame = WorkerFrame.readFrom(in, WorkerFrame.BYTES_MAX);
        }
    }

    private void serve() {
        try {
            warmUp(WARM_UP_CALLS);
            sandbox.prepare();
            WorkerFrame.of(WorkerFrame.Type.READY).writeTo(out);
            while (true) {
                serve(next());
            }
        } catch (IOException | InterruptedException | RuntimeException defect) {
            System.err.println("code worker: " + defect);
            Runtime.getRuntime().halt(EXIT_DEFECT);
        }
    }

    /**
     * Next call. While the worker is idle, memory that calls have left in the old generation is returned to the system: the serial
     * collector would keep it until the whole heap is used.
     */
    private WorkerFrame next() throws InterruptedException {
        WorkerFrame call = calls.poll(REST_MS, TimeUnit.MILLISECONDS);
        if (call == null) {
            if (heap.grownBytes() > GROWN_BYTES_MAX) {
                System.gc();
            }
            call = calls.take();
        }
        return call;
    }

    /** Executes a call. An answer that others follow at once is sent together with theirs. */
    private void serve(WorkerFrame call) throws IOException, InterruptedException {
        synchronized (out) {
            // Sent with the answer, or at the first check of a longer call.
            WorkerFrame.of(WorkerFrame.Type.BEGUN).writeLaterTo(out);
        }
        WorkerFrame answer = watched(WorkerRequest.decoded(call.body()));
        if (isLast(answer)) {
            sandbox.prepare();
            if (heap.liveShare() > WORN) {
                // State that calls left in the shared engine must not count for the next one.
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /** Writes the answer, and flushes it if no call follows: a following call cannot be withdrawn in the meantime. */
    private boolean isLast(WorkerFrame answer) throws IOException {
        synchronized (out) {
            answer.writeLaterTo(out);
            boolean last = calls.isEmpty();
            if (last) {
                out.flush();
            }
            return last;
        }
    }

    private WorkerFrame watched(WorkerRequest request) throws InterruptedException {
        StopSignal stop = new StopSignal();
        watch.begin(stop, request.timeLimitMs());
        try {
            return sandbox.run(request, new BoundedLog(request.logLimitBytes()), stop);
        } finally {
            watch.end();
        }
    }

    private void write(WorkerFrame frame) throws IOException {
        synchronized (out) {
            frame.writeTo(out);
        }
    }

    private void send() {
        try {
            synchronized (out) {
                out.flush();
            }
        } catch (IOException gone) {
            throw new UncheckedIOException("the server process has ended", gone);
        }
    }

    /** Makes the first calls of a process, which are slow, before any caller waits. */
    private void warmUp(int calls) throws InterruptedException {
        String sample = "module.exports = {code: async (i) => {console.log(i.a); return {a: i.a.map((x) => x + 1)};}};";
        String alone = sample + "// eval";
        for (int call = 0; call < calls; call++) {
            sandbox.run(warmUp(sample), (_, _) -> false, new StopSignal());
            if (call % CALLS_ALONE_EACH == 0) {
                sandbox.run(warmUp(alone), (_, _) -> false, new StopSignal());
            }
        }
        sandbox.handOn(WARM_UP_KEY);
    }

    private static WorkerRequest warmUp(String source) {
        return new WorkerRequest(WorkerRequest.Form.COMMON_JS, WARM_UP_KEY, source, "{\"a\":[1,2]}", 5000, 0, 1 << 20);
    }

    private final class BoundedLog implements ConsoleSink {
        private final long limitBytes;
        private long leftBytes;

        BoundedLog(long limitBytes) {
            this.limitBytes = limitBytes;
            leftBytes = limitBytes;
        }

        @Override
        public boolean accept(String level, String text) {
            WorkerFrame line = WorkerFrame.of(WorkerFrame.Type.LOG, level + "\n" + text);
            leftBytes -= text.getBytes(StandardCharsets.UTF_8).length + 1L;
            // The line that exceeds the limit is sent as well, so that the server knows that the log was cut.
            told(line);
            return leftBytes >= 0;
        }

        @Override
        public void beginAgain() {
            leftBytes = limitBytes;
            told(WorkerFrame.of(WorkerFrame.Type.AGAIN));
        }

        private void told(WorkerFrame frame) {
            try {
                write(frame);
            } catch (IOException gone) {
                throw new UncheckedIOException("the server process has ended", gone);
            }
        }
    }
}

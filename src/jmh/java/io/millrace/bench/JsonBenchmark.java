package io.millrace.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The path of a payload: its bytes are read once at the edge, and written once into the log or an answer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class JsonBenchmark {
    /** Orders in the payload: 1 has some 60 bytes, 1000 some 60 KB. */
    @Param({"1", "1000"})
    public int orders;

    private byte[] bytes;
    private JsonNode value;

    @Setup
    public void payload() {
        var payload = Json.object();
        var list = payload.putArray("orders");
        for (var number = 0; number < orders; number++) {
            list.addObject().put("customer", "Ada Lovelace " + number).put("quantity", number).put("price", 19.5);
        }
        value = payload;
        bytes = Json.bytes(payload);
    }

    @Benchmark
    public JsonNode read() throws JsonProcessingException {
        return Json.parse(bytes);
    }

    @Benchmark
    public byte[] write() {
        return Json.bytes(value);
    }
}

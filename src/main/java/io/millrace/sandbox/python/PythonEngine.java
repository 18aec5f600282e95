package io.millrace.sandbox.python;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.HostEngine;
import io.millrace.sandbox.node.call.HostScript;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CPython for code of users: the standard library only, no network, no further process, no files but its own. The interpreter
 * itself enforces none of this, so Python is unavailable on hosts where the kernel does not confine it.
 */
public final class PythonEngine implements HostEngine {
    private static final Logger LOG = LoggerFactory.getLogger(PythonEngine.class);
    private static final String MAIN = "host.py";

    private final boolean isOn;

    public PythonEngine(boolean isOn) {
        this.isOn = isOn;
    }

    @Override
    public ProcessPurpose purpose() {
        return ProcessPurpose.PYTHON;
    }

    @Override
    public Launcher prepare(NodeSettings settings, Path script) throws IOException {
        var refused = refusal(settings.isolation());
        if (refused.isPresent()) {
            throw new IOException(refused.get());
        }
        var python = PythonBinary.find(settings.executable());
        HostScript.unpack(script, "python", List.of(MAIN));
        LOG.info("code in Python runs on {} ({})", python.version(), python.executable());
        return new PythonLauncher(python, settings, script);
    }

    @Override
    public Optional<String> missing(NodeSettings settings) {
        return refusal(settings.isolation())
                .or(() -> PythonBinary.isThere(settings.executable())
                        ? Optional.empty()
                        : Optional.of(PythonBinary.NOWHERE));
    }

    private Optional<String> refusal(Isolation isolation) {
        if (!isOn) {
            return Optional.of("Python is disabled on this server (AP_CODE_PYTHON)");
        }
        return isolation.inForce().confinesCode()
                ? Optional.empty()
                : Optional.of("Python is disabled on this server: its kernel does not isolate code ("
                        + isolation.inForce().description() + ")");
    }

    private record PythonLauncher(PythonBinary python, NodeSettings settings, Path script) implements Launcher {
        private static final Path NICE = Path.of("/usr/bin/nice");

        @Override
        public List<String> command(NodeCall call, Path exchange) {
            var words = List.of(
                    python.executable().toString(),
                    // Ignores variables and folders of this host when it loads modules, and writes no files next to
                    // them.
                    "-I",
                    "-S",
                    "-B",
                    "-X",
                    "utf8",
                    script.resolve(MAIN).toString(),
                    Long.toString(settings.residentBytesMax()),
                    Long.toString(settings.limits().codeScratchBytesMax()),
                    Integer.toString(settings.limits().openFilesMax()),
                    Integer.toString(settings.limits().outputFilesMax()));
            return Files.isExecutable(NICE)
                    ? Stream.concat(List.of(NICE.toString(), "-n", "5").stream(), words.stream())
                            .toList()
                    : words;
        }

        @Override
        public FileGrants grants(NodeCall call, Path exchange) {
            return new FileGrants(
                    List.of(script, call.folders().root(), python.library()),
                    List.of(python.executable(), python.library()),
                    List.of(exchange));
        }

        @Override
        public Map<String, String> environment(Path exchange) {
            return Map.of(
                    "HOME", exchange.toString(),
                    "TMPDIR", exchange.toString(),
                    "LANG", "C.UTF-8",
                    "TZ", Optional.ofNullable(System.getenv("TZ")).orElse("UTC"));
        }
    }
}

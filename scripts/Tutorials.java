import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Does what tutorials say. A block marked {@code sh} is run, all blocks of all pages in one shell; a block marked {@code text} or
 * {@code json} behind it is what it prints. Blocks without a mark are for readers. In what is shown, {@code …} stands for anything,
 * and ids and times for any others; the ports 8080 to 8089 are others here, so that a server of the reader does not answer.
 */
final class Tutorials {
    private static final Pattern ID = Pattern.compile("(?<![0-9a-zA-Z])[0-9a-zA-Z]{21}(?![0-9a-zA-Z])");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
    private static final Pattern PORT = Pattern.compile("\\b808[0-9]\\b");
    private static final long BLOCK_SECONDS_MAX = 300;

    private record Block(Path page, int line, String mark, String text) {}

    private final Map<String, String> ports = new LinkedHashMap<>();
    private final boolean prints;

    private Tutorials(String url, boolean prints) {
        ports.put("8080", url.substring(url.lastIndexOf(':') + 1));
        this.prints = prints;
    }

    /** Expects {@code --print} or nothing, the server's URL, and the pages in the order in which they are read. */
    public static void main(String[] arguments) throws Exception {
        var given = Arrays.asList(arguments);
        var prints = given.getFirst().equals("--print");
        var rest = prints ? given.subList(1, given.size()) : given;
        var pages = rest.subList(1, rest.size()).stream().map(Path::of).toList();
        System.exit(new Tutorials(rest.getFirst(), prints).follow(pages) ? 0 : 1);
    }

    private boolean follow(List<Path> pages) throws IOException, InterruptedException {
        var blocks = new ArrayList<Block>();
        for (var page : pages) {
            blocks.addAll(blocks(page));
        }
        var shell = new ProcessBuilder("bash").redirectErrorStream(true).start();
        var script = Files.createTempFile("tutorial", ".sh");
        try (var told = shell.inputReader(StandardCharsets.UTF_8)) {
            for (var index = 0; index < blocks.size(); index++) {
                var block = blocks.get(index);
                if (block.mark().equals("sh")) {
                    Files.writeString(script, here(block.text()));
                    var printed = run(shell, told, script, block);
                    if (printed == null || !isAsShown(blocks, index, printed)) {
                        return false;
                    }
                }
            }
            return true;
        } finally {
            shell.descendants().forEach(ProcessHandle::destroy);
            shell.destroy();
            Files.delete(script);
        }
    }

    private static List<Block> blocks(Path page) throws IOException {
        var blocks = new ArrayList<Block>();
        var lines = Files.readAllLines(page);
        for (var from = 0; from < lines.size(); from++) {
            if (lines.get(from).startsWith("```")) {
                var to = from + 1;
                while (!lines.get(to).equals("```")) {
                    to++;
                }
                var mark = lines.get(from).substring(3);
                blocks.add(new Block(page, from + 1, mark, String.join("\n", lines.subList(from + 1, to)) + "\n"));
                from = to;
            }
        }
        return blocks;
    }

    /** What a block printed; null when it failed or did not end. */
    private String run(Process shell, BufferedReader told, Path script, Block block) throws IOException {
        var end = UUID.randomUUID().toString();
        var input = shell.outputWriter(StandardCharsets.UTF_8);
        input.write("source " + script + " </dev/null; echo \"" + end + " $?\"\n");
        input.flush();
        var late = new AtomicBoolean();
        var watch = Thread.ofVirtual().start(() -> {
            try {
                TimeUnit.SECONDS.sleep(BLOCK_SECONDS_MAX);
                late.set(true);
                shell.destroy();
            } catch (InterruptedException inTime) {
                Thread.currentThread().interrupt();
            }
        });
        var printed = new StringBuilder();
        for (var line = told.readLine(); line != null; line = told.readLine()) {
            var at = line.indexOf(end);
            if (at >= 0) {
                watch.interrupt();
                printed.append(line, 0, at);
                var status = line.substring(at + end.length() + 1);
                return status.equals("0") ? shown(block, printed.toString()) : refuse(block, "exit status " + status, printed);
            }
            printed.append(line).append('\n');
        }
        return refuse(block, late.get() ? "no end within " + BLOCK_SECONDS_MAX + " s" : "the shell ended", printed);
    }

    private String shown(Block block, String printed) {
        if (prints) {
            System.out.println("--- " + block.page().getFileName() + ":" + block.line() + "\n" + block.text() + "--- prints\n"
                    + printed);
        }
        return printed;
    }

    private static String refuse(Block block, String reason, CharSequence printed) {
        System.err.println(block.page() + ":" + block.line() + ": " + reason + "\n" + block.text() + "printed\n" + printed);
        return null;
    }

    private boolean isAsShown(List<Block> blocks, int index, String printed) {
        if (index + 1 == blocks.size() || !List.of("text", "json").contains(blocks.get(index + 1).mark())) {
            return true;
        }
        var answer = blocks.get(index + 1);
        if (pattern(here(answer.text())).matcher(printed.strip()).matches()) {
            return true;
        }
        refuse(answer, "something else was printed", printed);
        return false;
    }

    private static Pattern pattern(String shown) {
        var parts = shown.strip().split("…", -1);
        var regex = Arrays.stream(parts).map(Tutorials::literal).collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.DOTALL);
    }

    private static String literal(String text) {
        var loose = Pattern.compile(ID + "|" + TIME + "|\\s+").matcher(text);
        var regex = new StringBuilder();
        var from = 0;
        while (loose.find()) {
            regex.append(Pattern.quote(text.substring(from, loose.start())));
            var found = loose.group();
            regex.append(found.isBlank() ? "\\s+" : (found.length() == 21 ? ID : TIME).pattern());
            from = loose.end();
        }
        return regex.append(Pattern.quote(text.substring(from))).toString();
    }

    private String here(String text) {
        return PORT.matcher(text).replaceAll(port -> ports.computeIfAbsent(port.group(), _ -> freePort()));
    }

    private static String freePort() {
        try (var socket = new ServerSocket(0)) {
            return String.valueOf(socket.getLocalPort());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

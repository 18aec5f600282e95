import com.marcnuri.helm.Helm;
import java.nio.file.Path;

/** Lets Helm's own library look at a chart, and make manifests of it with its settings turned both ways. */
final class Chart {
    private Chart() {}

    /** Expects the folder of the chart. */
    public static void main(String[] arguments) {
        var chart = new Helm(Path.of(arguments[0]));
        var lint = chart.lint().strict().call();
        lint.getMessages().forEach(System.out::println);
        System.out.println(chart.template().call());
        System.out.println(chart.template()
                .set("hazelcast", "true")
                .set("ingress.enabled", "true")
                .set("ingress.tlsSecret", "certificate")
                .set("settings.AP_LOG_LEVEL", "info")
                .call());
        System.exit(lint.isFailed() ? 1 : 0);
    }
}

import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Checks a chart by Helm's own library, renders it with its settings turned both ways, and compares the manifests with the types that are
 * generated from the schema of Kubernetes: unknown kinds, unknown fields and values of a wrong type are objections. Required fields and
 * ranges are not compared.
 */
final class Chart {
    private static final String MISSPELT = """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: a}
        spec:
          template:
            spec:
              containers: [{name: a, imagePulPolicy: Always}]
        """;

    private final List<String> objections = new ArrayList<>();

    private Chart() {}

    /** Expects the folder of the chart. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        var control = new Chart();
        control.compare(MISSPELT);
        if (!control.objections.equals(
                List.of("Deployment a: spec.template.spec.containers[0].imagePulPolicy is unknown"))) {
            throw new AssertionError("expected an objection to a misspelt field, found " + control.objections);
        }
        var chart = new Helm(Path.of(arguments[0]));
        var lint = chart.lint().strict().call();
        lint.getMessages().forEach(System.out::println);
        var manifests = new Chart();
        manifests.compare(chart.template().call());
        manifests.compare(chart.template()
                .set("hazelcast", "true")
                .set("ingress.enabled", "true")
                .set("ingress.tlsSecret", "certificate")
                .set("settings.AP_LOG_LEVEL", "info")
                .call());
        manifests.objections.forEach(System.out::println);
        System.exit(lint.isFailed() || !manifests.objections.isEmpty() ? 1 : 0);
    }

    private void compare(String manifests) throws ReflectiveOperationException {
        System.out.println(manifests);
        for (var manifest : manifests.split("(?m)^---$", -1)) {
            if (manifest.lines().anyMatch(line -> line.startsWith("kind:"))) {
                Object read = new KubernetesSerialization()
                        .unmarshal(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)));
                var named = (HasMetadata) read;
                var name = named.getKind() + " " + named.getMetadata().getName();
                if (read instanceof GenericKubernetesResource) {
                    objections.add(name + ": the kind is unknown in " + named.getApiVersion());
                } else {
                    compare(name + ":", " ", read);
                }
            }
        }
    }

    /** Fields that a type does not have are its additional properties. */
    private void compare(String name, String place, Object value) throws ReflectiveOperationException {
        if (value instanceof Collection<?> list) {
            var index = 0;
            for (var item : list) {
                compare(name, place + "[" + index++ + "]", item);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (var entry : map.entrySet()) {
                compare(name, place + "." + entry.getKey(), entry.getValue());
            }
        } else if (value != null && value.getClass().getName().startsWith("io.fabric8.kubernetes.api.model.")) {
            for (var getter : value.getClass().getMethods()) {
                if (isGetter(getter)) {
                    var field = Character.toLowerCase(getter.getName().charAt(3))
                            + getter.getName().substring(4);
                    var found = getter.invoke(value);
                    if (field.equals("additionalProperties")) {
                        ((Map<?, ?>) found)
                                .keySet()
                                .forEach(key -> objections.add(name + joined(place, key) + " is unknown"));
                    } else {
                        compare(name, joined(place, field), found);
                    }
                }
            }
        }
    }

    private static String joined(String place, Object field) {
        return place.equals(" ") ? " " + field : place + "." + field;
    }

    private static boolean isGetter(Method method) {
        return method.getName().startsWith("get")
                && method.getName().length() > 3
                && method.getParameterCount() == 0
                && !Modifier.isStatic(method.getModifiers())
                && method.getDeclaringClass() != Object.class;
    }
}

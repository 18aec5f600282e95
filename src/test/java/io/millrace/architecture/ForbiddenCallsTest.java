package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.millrace.architecture.MainClasses.all;
import static io.millrace.architecture.MainClasses.in;
import static io.millrace.architecture.MainClasses.namedAs;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Calls that the main code must not make: the clock of the machine, and blocking waits (style, section 5). */
final class ForbiddenCallsTest {
    /** Types that read the current time from a global clock. */
    private static final Set<String> CLOCKS = Set.of(
            Instant.class.getName(),
            Clock.class.getName(),
            InstantSource.class.getName(),
            LocalDate.class.getName(),
            LocalDateTime.class.getName(),
            OffsetDateTime.class.getName(),
            ZonedDateTime.class.getName());

    /** Only main classes pass the machine's clock to the modules. */
    @Test
    void timeIsReadFromAnInstantSource() {
        noClasses()
                .that(not(named("Millrace")))
                .should()
                .callMethodWhere(describe("read the clock of the machine", ForbiddenCallsTest::readsClock))
                .orShould()
                .callConstructor(Date.class)
                .check(all());
    }

    /** Calls that open a connection, or look a name up, without the address guard of base.net. */
    private static final Set<String> CONNECTING = Set.of(
            "io.vertx.core.Vertx.createHttpClient",
            "io.vertx.core.Vertx.httpClientBuilder",
            "io.vertx.core.Vertx.createNetClient",
            "io.vertx.core.Vertx.createDnsClient",
            "io.vertx.core.Vertx.createWebSocketClient",
            "io.vertx.core.Vertx.webSocketClientBuilder",
            "io.vertx.core.Vertx.createDatagramSocket",
            "java.net.http.HttpClient.newBuilder",
            "java.net.http.HttpClient.newHttpClient",
            "java.net.URL.openConnection",
            "java.net.URL.openStream",
            "java.net.Socket.<init>",
            "java.net.DatagramSocket.<init>",
            "java.net.InetAddress.getByName",
            "java.net.InetAddress.getAllByName",
            "java.nio.channels.SocketChannel.open",
            "java.nio.channels.AsynchronousSocketChannel.open");

    /**
     * DNS rebinding between check and connection: only the guarded clients resolve names and connect. The exceptions
     * connect to addresses of the operator, not of an author: the exporter of traces, the command line, the training
     * run, the database.
     */
    @Test
    void connectionsAreMadeByTheGuardedClients() {
        noClasses()
                .that(not(in("base.net", "base.otlp", "base.persistence.postgres", "app", "app.cli", "app.cli.remote"))
                        .and(not(namedAs("BoundedSocket"))))
                .should()
                .callCodeUnitWhere(describe("connect without the guard", ForbiddenCallsTest::connects))
                .check(all());
    }

    private static boolean connects(JavaCall<?> call) {
        return CONNECTING.contains(call.getTargetOwner().getName() + "." + call.getName());
    }

    @Test
    void noClassSleeps() {
        noClasses()
                .that(not(in("base.persistence", "base.persistence.postgres")))
                .should()
                .callMethodWhere(describe("sleep", call -> call.getName().equals("sleep") && isOn(call, Thread.class)))
                .check(all());
    }

    /** Dedicated threads wait for the end of processes and threads: those of PostgreSQL, sandbox and log. */
    @Test
    void noClassWaitsForAFuture() {
        noClasses()
                .that(not(named("Millrace")))
                .and(not(in(
                        "base.log",
                        "base.otlp",
                        "base.persistence",
                        "base.persistence.postgres",
                        "sandbox.code.pool",
                        "sandbox.code.process",
                        "sandbox.code.worker",
                        "sandbox.document",
                        "sandbox.node.process",
                        "sandbox.npm")))
                .should()
                .callMethodWhere(describe("wait for a future", ForbiddenCallsTest::waits))
                .check(all());
    }

    /** The log is printed; the worker of the sandbox is a separate process that responds on its standard output. */
    @Test
    void noClassPrints() {
        noClasses()
                .that(not(named("Millrace")))
                .and(not(in("base.log", "sandbox.code.worker")))
                .should()
                .accessFieldWhere(describe("print", ForbiddenCallsTest::prints))
                .check(all());
    }

    private static DescribedPredicate<JavaClass> named(String... outermost) {
        return namedAs(outermost).and(in("", "app"));
    }

    private static boolean readsClock(JavaCall<?> call) {
        var now = call.getName().equals("now")
                && call.getTarget().getRawParameterTypes().isEmpty();
        var system = call.getName().startsWith("system") || call.getName().startsWith("tick");
        return CLOCKS.contains(call.getTargetOwner().getName()) && (now || system)
                || call.getName().equals("currentTimeMillis") && isOn(call, System.class);
    }

    /** Compares the name first: looking up the types of an owner is much slower. */
    private static boolean waits(JavaCall<?> call) {
        var owner = call.getTargetOwner();
        return switch (call.getName()) {
            case "await" -> owner.isAssignableTo(io.vertx.core.Future.class);
            case "get" -> owner.isAssignableTo(Future.class);
            case "join" -> owner.isAssignableTo(CompletableFuture.class) || owner.isAssignableTo(Thread.class);
            default -> false;
        };
    }

    private static boolean prints(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(System.class)
                && Set.of("out", "err").contains(access.getName());
    }

    private static boolean isOn(JavaCall<?> call, Class<?> owner) {
        return call.getTargetOwner().isEquivalentTo(owner);
    }
}

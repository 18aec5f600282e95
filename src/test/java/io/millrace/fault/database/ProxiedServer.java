package io.millrace.fault.database;

import static io.millrace.support.FlowScript.webhook;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.FaultyProxy;
import io.millrace.support.FlowScript;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;

/** Server in real time with a proxy before its database, and the HTTP target of its flows. */
record ProxiedServer(DatabaseSettings database, FaultyProxy way, Outside outside, TestServer server)
        implements AutoCloseable {
    /** Sweeps follow each other after 200 ms, and the server looks for lost runs each second. */
    private static final int RECOVERY_HASTE = 20;

    static ProxiedServer start() {
        return start(RECOVERY_HASTE);
    }

    /** @param recoveryHaste divisor of the periods in which the server looks for runs without an owner */
    static ProxiedServer start(int recoveryHaste) {
        var database = TestPostgres.freshDatabase();
        var way = FaultyProxy.to(database.port());
        var settings = ServerSettings.openSignUpAndLocalCalls().values();
        return new ProxiedServer(
                database, way, Outside.start(), TestServer.startBehind(way, settings, database, recoveryHaste));
    }

    /** Makes an outgoing call before and after it stores a value; the first call is held. */
    FlowScript callsAroundAWrite() {
        return webhook()
                .http("step_1", "POST", outside.url("/held"))
                .storePut("step_2", "key", "value")
                .http("step_3", "POST", outside.url("/after"));
    }

    @Override
    public void close() {
        outside.release();
        way.mend();
        server.close();
        outside.close();
        way.close();
    }
}

import io.millrace.base.core.Json;
import io.millrace.base.http.document.ApiDocument;

/** Prints the API document as the server serves it. */
final class PrintApi {
    private PrintApi() {}

    public static void main(String[] arguments) {
        System.out.println(Json.text(ApiDocument.load()));
    }
}

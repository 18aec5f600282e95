package pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Common data of ICU in a shared library. Items that PostgreSQL does not read (names of countries and currencies, time zones,
 * converters, dictionaries, transliteration) leave the table of contents, and their bytes become zero, which compresses to nothing.
 * All collations, rules of case and properties of characters remain.
 */
final class IcuData {
    private static final Pattern READ = Pattern.compile("[^/]+/(coll/.*|brkitr/.*(?<!\\.dict)|[^/]*\\.(icu|nrm)"
            + "|(root|res_index|supplementalData|likelySubtags|icuver|keyTypeData|metadata|numberingSystems)\\.res)");

    /** In the header of the data, behind its length, two magic bytes and the description of its platform. */
    private static final byte[] FORMAT = "CmnD".getBytes(StandardCharsets.US_ASCII);

    private static final int FORMAT_OFFSET = 12;
    private static final int ENTRY_BYTES = 8;

    private final byte[] file;
    private final ByteBuffer buffer;

    IcuData(byte[] file) {
        this.file = file;
        buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    }

    private record Item(int nameOffset, int dataOffset, String name) {}

    void reduce() throws IOException {
        var header = header();
        var contents = header + Short.toUnsignedInt(buffer.getShort(header));
        var items = items(contents);
        var kept = new ArrayList<Item>();
        for (var i = 0; i < items.size(); i++) {
            var item = items.get(i);
            if (READ.matcher(item.name()).matches()) {
                kept.add(item);
            } else if (i + 1 < items.size()) {
                // The length of the last item is not known: its bytes stay.
                Arrays.fill(file, contents + item.dataOffset(), contents + items.get(i + 1).dataOffset(), (byte) 0);
            }
        }
        if (kept.isEmpty() || kept.size() == items.size()) {
            throw new IOException("the data of ICU names its items in another way than expected, such as " + items.getFirst());
        }
        buffer.putInt(contents, kept.size());
        for (var i = 0; i < kept.size(); i++) {
            buffer.putInt(contents + Integer.BYTES + ENTRY_BYTES * i, kept.get(i).nameOffset());
            buffer.putInt(contents + Integer.BYTES + ENTRY_BYTES * i + Integer.BYTES, kept.get(i).dataOffset());
        }
    }

    private int header() throws IOException {
        for (var at = 0; at + FORMAT_OFFSET + FORMAT.length < file.length; at += Integer.BYTES) {
            if (file[at + 2] == (byte) 0xda
                    && file[at + 3] == 0x27
                    && Arrays.equals(
                            file, at + FORMAT_OFFSET, at + FORMAT_OFFSET + FORMAT.length, FORMAT, 0, FORMAT.length)) {
                return at;
            }
        }
        throw new IOException("the library of ICU's data has no header of common data (CmnD)");
    }

    private ArrayList<Item> items(int contents) {
        var items = new ArrayList<Item>();
        for (var i = 0; i < buffer.getInt(contents); i++) {
            var at = contents + Integer.BYTES + ENTRY_BYTES * i;
            var name = buffer.getInt(at);
            items.add(new Item(name, buffer.getInt(at + Integer.BYTES), text(contents + name)));
        }
        return items;
    }

    private String text(int from) {
        var end = from;
        while (file[end] != 0) {
            end++;
        }
        return new String(file, from, end - from, StandardCharsets.US_ASCII);
    }
}

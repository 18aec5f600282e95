package pack;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/** The archive of PostgreSQL without files for building extensions, and with the data of ICU that a database can use. */
final class PostgresArchive {
    private static final Pattern FOR_BUILDS = Pattern.compile("(\\./)?lib/(.*\\.a|(postgresql/)?(pgxs|pkgconfig)(/.*)?)");

    private static final Pattern ICU_DATA = Pattern.compile("(\\./)?lib/libicudata\\.so\\.[0-9.]+");

    private final InputStream archive;

    PostgresArchive(InputStream archive) {
        this.archive = archive;
    }

    void write(XZOutputStream compressed) throws IOException {
        var in = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)));
        var out = new TarArchiveOutputStream(compressed);
        out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            if (!FOR_BUILDS.matcher(entry.getName()).matches()) {
                copy(entry, in, out);
            }
        }
        out.finish();
        compressed.finish();
    }

    private static void copy(TarArchiveEntry entry, InputStream in, TarArchiveOutputStream out) throws IOException {
        out.putArchiveEntry(entry);
        if (entry.isFile()) {
            var bytes = in.readAllBytes();
            if (ICU_DATA.matcher(entry.getName()).matches() && bytes.length > 0) {
                new IcuData(bytes).reduce();
            }
            out.write(bytes);
        }
        out.closeArchiveEntry();
    }
}

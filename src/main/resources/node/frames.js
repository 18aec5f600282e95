'use strict';

const NEWLINE = 10;
/** Largest frame in either direction, in bytes (contract pieces 9); larger values travel as files. */
const FRAME_BYTES_MAX = 16 * 1024 * 1024;

/** Calls back for each whole line of a stream of chunks. */
function lineReader(onLine) {
  let parts = [];
  return (chunk) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      parts.push(rest.subarray(0, end));
      const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts = [];
      rest = rest.subarray(end + 1);
      onLine(line.toString('utf8'));
    }
    if (rest.length > 0) {
      parts.push(rest);
    }
  };
}

/** Writes frames; one that cannot be written, or is too large, throws and leaves nothing behind. */
function writer(writeSync) {
  return (frame) => {
    const bytes = Buffer.from(JSON.stringify(frame) + '\n', 'utf8');
    if (bytes.length > FRAME_BYTES_MAX) {
      throw new Error(`expected at most ${FRAME_BYTES_MAX} bytes of output, found ${bytes.length}`);
    }
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSync(bytes.subarray(written));
      } catch (error) {
        // The pipe is full: the reader needs a moment.
        if (error.code !== 'EAGAIN') {
          throw error;
        }
      }
    }
  };
}

module.exports = { lineReader, writer, FRAME_BYTES_MAX };

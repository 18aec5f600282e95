'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');

/** Larger contents travel through the folder that both sides can read (contract pieces 9.1). */
const INLINE_BYTES_MAX = 256 * 1024;
let lastFile = 0;

/** A file of a step's input: contents read when first asked for. */
class HostedFile {
  constructor({ name, ext, base64, path: file }) {
    this.filename = name;
    this.extension = ext;
    this.data = file === undefined ? Buffer.from(base64, 'base64') : fs.readFileSync(file);
  }

  get base64() {
    return this.data.toString('base64');
  }
}

/** Puts files where their markers are; property names in `streaming` get a stream instead. */
function withFiles(value, streaming = [], name = undefined) {
  if (Array.isArray(value)) {
    return value.map((item) => withFiles(item, streaming, name));
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (value.$file) {
    return streaming.includes(name) ? streamOf(value.$file) : new HostedFile(value.$file);
  }
  for (const key of Object.keys(value)) {
    value[key] = withFiles(value[key], streaming, key);
  }
  return value;
}

function streamOf(marker) {
  const file = new HostedFile(marker);
  return { filename: file.filename, extension: file.extension, size: file.data.length, body: Readable.from([file.data]) };
}

/** `files` of a context. */
function filesOf(ask) {
  return {
    async write({ fileName, data }) {
      if (!Buffer.isBuffer(data) && !(data instanceof Uint8Array)) {
        throw new Error('Expected file data to be a Buffer');
      }
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      if (bytes.length <= INLINE_BYTES_MAX) {
        return ask('files.write', { fileName, base64: bytes.toString('base64') });
      }
      const file = freshFile();
      await fs.promises.writeFile(file, bytes);
      return handOver(ask, fileName, file);
    },
    async writeStream({ fileName, stream }) {
      const file = freshFile();
      await pipeline(stream, fs.createWriteStream(file));
      return handOver(ask, fileName, file);
    },
  };
}

function freshFile() {
  return path.join(process.env.TMPDIR, `out-${process.pid}-${++lastFile}`);
}

async function handOver(ask, fileName, file) {
  try {
    return await ask('files.write', { fileName, path: path.basename(file) });
  } finally {
    await fs.promises.rm(file, { force: true });
  }
}

module.exports = { withFiles, filesOf };

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

/** Finds and keeps the piece objects of installed packages (contract pieces 1.2, 2.1). */
class Pieces {
  #byPath = new Map();

  async load({ name, version, path: folder }) {
    const known = this.#byPath.get(folder);
    if (known) {
      return known;
    }
    let exported;
    try {
      exported = await exportsOf(entryOf(folder));
    } catch (error) {
      throw notFound(`piece ${name} ${version} cannot be loaded: ${error && error.message ? error.message : error}`);
    }
    const piece = pieceAmong(exported);
    if (!piece) {
      const found = Object.values(exported).map((value) => value?.constructor?.name ?? typeof value);
      throw notFound(`no piece in package ${name} ${version}, found: ${found.join(', ') || 'nothing'}`);
    }
    this.#byPath.set(folder, piece);
    return piece;
  }
}

function entryOf(folder) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const candidates = ['index.bundle.js', manifest.main, 'src/index.js', 'index.js'];
  const entry = candidates.filter(Boolean).map((file) => resolved(path.join(folder, file))).find(Boolean);
  if (!entry) {
    throw new Error(`expected one of ${candidates.filter(Boolean).join(', ')}`);
  }
  return entry;
}

/** A main may leave out its suffix, or name a folder. */
function resolved(file) {
  return [file, `${file}.js`, path.join(file, 'index.js')].find((candidate) => {
    try {
      return fs.statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

async function exportsOf(entry) {
  try {
    return require(entry);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') {
      throw error;
    }
    return import(pathToFileURL(entry).href);
  }
}

function pieceAmong(exported) {
  const values = Object.values(exported ?? {});
  return (
    values.find((value) => value?.constructor?.name === 'Piece') ??
    values.find((value) => typeof value?.metadata === 'function')
  );
}

function notFound(message) {
  return Object.assign(new Error(message), { name: 'PieceNotFoundError', class: 'USER' });
}

/** Generation of a piece's contexts: 0, 1 or 2 (contract pieces 1.1). */
function generationOf(piece) {
  const version = typeof piece.getContextInfo === 'function' ? piece.getContextInfo()?.version : undefined;
  return version === undefined ? 0 : Number(version) || 0;
}

function actionOf(piece, name) {
  return found(piece.getAction(name), 'action', name);
}

function triggerOf(piece, name) {
  return found(piece.getTrigger(name), 'trigger', name);
}

function found(part, kind, name) {
  if (!part) {
    throw notFound(`the piece has no ${kind} ${name}`);
  }
  return part;
}

/** The authentication definition whose type the value has; the only one when there is just one. */
function authOf(piece, value) {
  const definitions = [piece.auth].flat().filter(Boolean);
  return definitions.find((auth) => auth.type === value?.type) ?? (definitions.length === 1 ? definitions[0] : undefined);
}

module.exports = { Pieces, generationOf, actionOf, triggerOf, authOf };

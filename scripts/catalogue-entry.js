'use strict';

// The part of scripts/catalogue that reads JSON and loads packages.
//   FOLDER NAME VERSION OLDEST     prints a line of JSON: what the package says of itself
//   --range VERSIONS               prints the oldest and the newest exact version of a list of JSON
//   --write ENTRIES TARGET DATE    makes index.json and details.jsonl of the lines, and of catalogue.summaries

const fs = require('node:fs');
const path = require('node:path');

const EXACT = /^\d+\.\d+\.\d+$/;
const TEXT_CHARACTERS_MAX = 400;

function numbersOf(version) {
  return version.split('.').map(Number);
}

function byAge(one, other) {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  const place = left.findIndex((number, index) => number !== right[index]);
  return place < 0 ? 0 : left[place] - right[place];
}

function printRange(text) {
  const exact = [JSON.parse(text)].flat().filter((version) => EXACT.test(version)).sort(byAge);
  if (exact.length === 0) {
    throw new Error('the package has no exact version');
  }
  console.log(`${exact[0]} ${exact.at(-1)}`);
}

async function printEntry(folder, name, version, oldest) {
  const nodeFolder = path.join(__dirname, '../src/main/resources/node');
  const { Pieces } = require(path.join(nodeFolder, 'pieces.js'));
  const { operations } = require(path.join(nodeFolder, 'operations.js'));
  const piece = await new Pieces().load({ name, version, path: folder });
  const metadata = operations.describe(piece);
  const line = JSON.stringify({ name, version, oldest, metadata });
  // Pieces may leave timers and connections behind.
  fs.writeSync(1, `${line}\n`);
  process.exit(0);
}

function partsOf(parts) {
  return Object.entries(parts ?? {}).map(([name, { displayName, description }]) => ({
    name,
    displayName: displayName ?? name,
    description: String(description ?? '').slice(0, TEXT_CHARACTERS_MAX),
  }));
}

/** The kinds of credentials; packages of the first generation ask for them in each action and trigger. */
function authKindsOf(metadata) {
  const parts = [...Object.values(metadata.actions ?? {}), ...Object.values(metadata.triggers ?? {})];
  const definitions = metadata.auth ? [metadata.auth].flat() : parts.map(({ props }) => props?.authentication);
  return [...new Set(definitions.filter(Boolean).map(({ type }) => type))];
}

/** By name, what the project says of pieces that say nothing of themselves: {categories, description}. */
function ownSummaries() {
  const lines = fs.readFileSync(path.join(__dirname, 'catalogue.summaries'), 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.match(/^(\S+) (\S+) (.+)$/))
      .map(([, name, categories, description]) => [name, { categories: categories.split(','), description }]),
  );
}

/** An entry as lists of pieces have it, and which versions there are. */
function summaryOf({ name, version, oldest, metadata }, own) {
  const actions = partsOf(metadata.actions);
  const triggers = partsOf(metadata.triggers);
  return {
    name,
    version,
    versionRange: { oldest, newest: version },
    displayName: metadata.displayName,
    description: metadata.description || own?.description || '',
    logoUrl: metadata.logoUrl ?? '',
    authors: metadata.authors ?? [],
    categories: metadata.categories?.length > 0 ? metadata.categories : (own?.categories ?? []),
    auth: metadata.auth,
    authKinds: authKindsOf(metadata),
    minimumSupportedRelease: metadata.minimumSupportedRelease ?? '0.0.0',
    maximumSupportedRelease: metadata.maximumSupportedRelease ?? '999.999.999',
    actions: actions.length,
    triggers: triggers.length,
    suggestedActions: actions,
    suggestedTriggers: triggers,
  };
}

function write(entriesFile, target, date) {
  const entries = fs.readFileSync(entriesFile, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const own = ownSummaries();
  const index = entries.map((entry) => `  ${JSON.stringify(summaryOf(entry, own.get(entry.name)))}`);
  fs.writeFileSync(path.join(target, 'index.json'), `{"date": "${date}", "pieces": [\n${index.join(',\n')}\n]}\n`);
  const details = entries.map(({ name, version, metadata }) => JSON.stringify({ name, version, metadata }));
  fs.writeFileSync(path.join(target, 'details.jsonl'), `${details.join('\n')}\n`);
}

const [first, ...rest] = process.argv.slice(2);
switch (first) {
  case '--range':
    printRange(rest[0]);
    break;
  case '--write':
    write(...rest);
    break;
  default:
    printEntry(first, ...rest).catch((error) => {
      console.error(error.message);
      process.exit(1);
    });
}

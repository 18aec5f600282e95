/** Three-way merge of JSON values: what each side changed since their common origin is kept. */

export interface Clash {
  path: string[];
  mine: unknown;
  theirs: unknown;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Equality of JSON values. The order of fields does not count; `undefined` counts as absent. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) {
    return true;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, index) => same(part, other[index]));
  }
  if (!isFields(one) || !isFields(other)) {
    return false;
  }
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => same(one[key], other[key]));
}

/**
 * Merges two changes of a value. Objects are merged by field; every other value, lists included, is one property. Where both sides
 * changed one, their value stays and the clash is reported.
 */
export function merge(base: unknown, mine: unknown, theirs: unknown, clashes: Clash[], path: string[] = []): unknown {
  if (same(mine, base) || same(mine, theirs)) {
    return theirs;
  }
  if (same(theirs, base)) {
    return mine;
  }
  if (!isFields(mine) || !isFields(theirs) || !isFields(base ?? {})) {
    clashes.push({ path, mine, theirs });
    return theirs;
  }
  const merged: Fields = {};
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const value = merge((base as Fields | undefined)?.[key], mine[key], theirs[key], clashes, [...path, key]);
    if (value !== undefined) {
      merged[key] = value;
    }
  }
  return merged;
}

/** Value with the property at the path replaced; an absent value removes the property. */
export function put(value: unknown, path: readonly string[], property: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    return property;
  }
  if (Array.isArray(value)) {
    return value.map((part, index) => (String(index) === key ? put(part, rest, property) : (part as unknown)));
  }
  const fields: Fields = { ...(isFields(value) ? value : {}) };
  const next = put(fields[key], rest, property);
  if (next === undefined) {
    delete fields[key];
  } else {
    fields[key] = next;
  }
  return fields;
}

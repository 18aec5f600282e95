/** Order and hidden columns of a table, by field id; a choice of the user in this browser. */
export interface Arrangement {
  order: readonly string[];
  hidden: readonly string[];
}

export const USUAL: Arrangement = { order: [], hidden: [] };

const isText = (value: unknown): value is string => typeof value === 'string';

/** Invalid parts of a stored arrangement are dropped. */
export function readArrangement(text: string | null): Arrangement {
  try {
    const found = JSON.parse(text ?? '{}') as { order?: unknown; hidden?: unknown } | null;
    const texts = (list: unknown): string[] => (Array.isArray(list) ? list.filter(isText) : []);
    return { order: texts(found?.order), hidden: texts(found?.hidden) };
  } catch {
    return USUAL;
  }
}

function ordered<F extends { id: string }>(fields: readonly F[], { order }: Arrangement): F[] {
  const place = new Map(order.map((id, index) => [id, index]));
  return fields
    .map((field, index) => ({ field, index, at: place.get(field.id) ?? order.length }))
    .sort((one, other) => one.at - other.at || one.index - other.index)
    .map(({ field }) => field);
}

/** Visible fields in their order; fields that the arrangement does not know come last. All fields if none would be visible. */
export function arranged<F extends { id: string }>(fields: readonly F[], arrangement: Arrangement): readonly F[] {
  if (arrangement.order.length === 0 && arrangement.hidden.length === 0) {
    return fields;
  }
  const all = ordered(fields, arrangement);
  const visible = all.filter((field) => !arrangement.hidden.includes(field.id));
  return visible.length > 0 ? visible : all;
}

/** Moves a column past its visible neighbor: -1 to the left, 1 to the right. */
export function moved<F extends { id: string }>(
  fields: readonly F[],
  arrangement: Arrangement,
  id: string,
  by: -1 | 1,
): Arrangement {
  const visible = arranged(fields, arrangement);
  const neighbor = visible[visible.findIndex((field) => field.id === id) + by];
  if (!neighbor) {
    return arrangement;
  }
  const order = ordered(fields, arrangement)
    .map((field) => field.id)
    .filter((each) => each !== id);
  order.splice(order.indexOf(neighbor.id) + (by === 1 ? 1 : 0), 0, id);
  return { ...arrangement, order };
}

/** Hides a column, except the last visible one. */
export function hidden<F extends { id: string }>(
  fields: readonly F[],
  arrangement: Arrangement,
  id: string,
): Arrangement {
  return arranged(fields, arrangement).length > 1
    ? { ...arrangement, hidden: [...arrangement.hidden, id] }
    : arrangement;
}

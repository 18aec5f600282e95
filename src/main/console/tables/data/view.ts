import { textOf, type Field, type Row } from '../model';
import { instantOf, numberOf } from './values';

export type Operator = 'eq' | 'neq' | 'co' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists' | 'not_exists';

export interface Filter {
  fieldId: string;
  operator: Operator;
  value: string;
}

export interface Sort {
  fieldId: string;
  descending: boolean;
}

export interface View {
  filters: readonly Filter[];
  sort?: Sort | undefined;
}

export const takesValue = (operator: Operator): boolean => operator !== 'exists' && operator !== 'not_exists';

const isInstant = (field: Field): boolean => field.type === 'DATE' || field.type === 'DATETIME';

const worth = (text: string, field: Field): number | undefined => (isInstant(field) ? instantOf(text) : numberOf(text));

/** Applies a filter by the server's rules, except that text filters ignore case here. */
export function fitsFilter(text: string, field: Field, filter: Filter): boolean {
  const { operator, value } = filter;
  if (operator === 'exists' || operator === 'not_exists') {
    return (text !== '') === (operator === 'exists');
  }
  if (text === '') {
    return false;
  }
  if (operator === 'eq' || operator === 'neq') {
    return (text === value) === (operator === 'eq');
  }
  if (operator === 'co') {
    return text.toLowerCase().includes(value.toLowerCase());
  }
  const [left, right] = [worth(text, field), worth(value, field)];
  if (left === undefined || right === undefined) {
    return false;
  }
  return operator === 'gt'
    ? left > right
    : operator === 'gte'
      ? left >= right
      : operator === 'lt'
        ? left < right
        : left <= right;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * Rows of a view. Numbers and days are sorted by value; texts that are neither follow, and empty cells come last in
 * both directions. Rows just added stay at the end until a new view is chosen.
 */
export function rowsOf(rows: readonly Row[], fields: readonly Field[], view: View, fresh: ReadonlySet<string>): Row[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const filters = view.filters.flatMap((filter) => {
    const field = byId.get(filter.fieldId);
    return field ? [{ field, filter }] : [];
  });
  const isFresh = (row: Row): boolean => fresh.size > 0 && fresh.has(row.id);
  const shown = rows.filter(
    (row) => isFresh(row) || filters.every(({ field, filter }) => fitsFilter(textOf(row, field), field, filter)),
  );
  const field = view.sort && byId.get(view.sort.fieldId);
  if (!field || !view.sort) {
    return shown;
  }
  const sign = view.sort.descending ? -1 : 1;
  const compares = field.type === 'NUMBER' || isInstant(field);
  const keyed = shown.map((row, order) => {
    const text = textOf(row, field);
    return {
      row,
      order,
      text,
      worth: compares ? worth(text, field) : undefined,
      group: isFresh(row) ? 3 : text === '' ? 2 : 0,
    };
  });
  keyed.sort((one, other) => {
    if (one.group !== other.group || one.group === 3) {
      return one.group - other.group || one.order - other.order;
    }
    if (compares && (one.worth === undefined) !== (other.worth === undefined)) {
      return one.worth === undefined ? 1 : -1;
    }
    const difference =
      one.worth !== undefined && other.worth !== undefined
        ? one.worth - other.worth
        : collator.compare(one.text, other.text);
    return sign * difference || one.order - other.order;
  });
  return keyed.map(({ row }) => row);
}

/** View in the form of the address. */
export const written = (view: View): { filter: string; sort: string } => ({
  filter:
    view.filters.length === 0
      ? ''
      : JSON.stringify(view.filters.map(({ fieldId, operator, value }) => [fieldId, operator, value])),
  sort: view.sort ? `${view.sort.descending ? '-' : ''}${view.sort.fieldId}` : '',
});

export function readView(filter: string | null, sort: string | null): View {
  return {
    filters: readFilters(filter ?? ''),
    sort: sort ? { fieldId: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : undefined,
  };
}

function readFilters(text: string): Filter[] {
  try {
    return (JSON.parse(text) as [string, Operator, string][]).map(([fieldId, operator, value]) => ({
      fieldId,
      operator,
      value,
    }));
  } catch {
    return [];
  }
}

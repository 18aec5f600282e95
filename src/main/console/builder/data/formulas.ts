export interface Formula {
  name: string;
  parameters: string;
  kind: 'text' | 'number' | 'date' | 'list' | 'logic';
}

const of = (kind: Formula['kind'], ...all: string[]): Formula[] =>
  all.map((each) => {
    const [, name = '', parameters = ''] = /^(\w+)\((.*)\)$/.exec(each) ?? [];
    return { name, parameters, kind };
  });

/** A test compares the names with the server's. */
export const formulas: readonly Formula[] = [
  ...of(
    'text',
    'combine(a; b; separator)',
    'uppercase(text)',
    'lowercase(text)',
    'titlecase(text)',
    'trim(text)',
    'prefix(text; before)',
    'suffix(text; behind)',
    'replace(text; find; with)',
    'remove(text; find)',
    'first_n(text; n)',
    'last_n(text; n)',
    'truncate(text; n)',
    'split(text; separator; index)',
    'extract_between(text; start; end)',
    'extract_email(text)',
    'extract_url(text)',
    'length(text)',
    'contains(text; find)',
    'starts_with(text; find)',
    'ends_with(text; find)',
    'remove_spaces(text)',
    'word_count(text)',
  ),
  ...of(
    'number',
    'add(a; b)',
    'subtract(a; b)',
    'multiply(a; b)',
    'divide(a; b)',
    'percentage(value; total)',
    'round(n; decimals)',
    'round_up(n)',
    'round_down(n)',
    'absolute(n)',
    'format_number(n; decimals)',
    'format_currency(n; symbol)',
    'cents_to_dollars(n)',
    'min(a; b)',
    'max(a; b)',
    'to_number(text)',
  ),
  ...of(
    'date',
    'format_date(date; pattern)',
    'format_time(date; pattern)',
    'format_date_long(date)',
    'relative_time(date)',
    'add_days(date; n)',
    'subtract_days(date; n)',
    'add_hours(date; n)',
    'days_between(a; b)',
    'get_day(date)',
    'get_month(date)',
    'get_year(date)',
    'get_day_of_week(date)',
    'start_of_month(date)',
    'end_of_month(date)',
    'convert_timezone(date; zone)',
    'now()',
    'today()',
    'to_date(text)',
  ),
  ...of(
    'list',
    'filter_list(list; field; value)',
    'sort_list(list; field; order)',
    'pluck(list; field)',
    'join_list(list; separator)',
    'first_item(list)',
    'last_item(list)',
    'item_at(list; index)',
    'count(list)',
    'sum(list; field)',
    'average(list; field)',
    'max_in_list(list; field)',
    'min_in_list(list; field)',
    'deduplicate(list; field)',
    'flatten(list)',
    'split_text_to_list(text; separator)',
  ),
  ...of(
    'logic',
    'if(condition; then; else)',
    'if_empty(value; fallback)',
    'if_null(value; fallback)',
    'switch(value; case; result; otherwise)',
    'is_empty(value)',
    'is_not_empty(value)',
    'is_equal(a; b)',
    'and(a; b)',
    'or(a; b)',
    'not(value)',
    'coalesce(a; b)',
  ),
];

const OPEN = 'ap-formula-v1::{';
const CLOSE = '}::ap-formula-v1';

export const isFormula = (token: string): boolean => token.startsWith(OPEN);
export const innerOf = (token: string): string => token.slice(OPEN.length, -CLOSE.length);
export const formulaToken = (inner: string): string => `${OPEN}${inner}${CLOSE}`;

/** Innermost function whose parentheses are open at the end of a text. */
export function callAround(before: string): Formula | undefined {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    if (before[at] === ')') {
      depth++;
    } else if (before[at] === '(' && depth-- === 0) {
      const name = /([A-Za-z_]\w*)$/.exec(before.slice(0, at))?.[1];
      return formulas.find((formula) => formula.name === name);
    }
  }
  return undefined;
}

const EXAMPLES: Record<string, string> = {
  a: '2',
  b: '3',
  n: '2',
  decimals: '1',
  value: '5',
  total: '20',
  index: '0',
  date: 'now()',
  list: 'split_text_to_list("b,a"; ",")',
  condition: '2 > 1',
  zone: '"Europe/Paris"',
  pattern: '"YYYY-MM-DD"',
  separator: '","',
  symbol: '"$"',
  field: '"name"',
  order: '"asc"',
  text: '"Ada,42"',
};

export const exampleOf = (formula: Formula): string =>
  `${formula.name}(${
    formula.parameters === ''
      ? ''
      : formula.parameters
          .split('; ')
          .map((name) => EXAMPLES[name] ?? '"a"')
          .join('; ')
  })`;

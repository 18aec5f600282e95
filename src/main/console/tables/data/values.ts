import type { FieldKind, FieldType } from '../model';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i;
const BOOLEAN = /^(true|false)$/i;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DATE_WITH_DOTS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const TIME = /^(\d{4}-\d{1,2}-\d{1,2})[T ](\d{1,2}):(\d{2})(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Number of a text by the server's rules; undefined for none. */
export function numberOf(text: string): number | undefined {
  const digits = text.trim();
  return NUMBER.test(digits) && Number.isFinite(Number(digits)) ? Number(digits) : undefined;
}

/** Instant of a text by the server's rules: UTC without a zone. */
export function instantOf(text: string): number | undefined {
  const iso = normal(text, 'DATETIME');
  const time = TIME.exec(iso);
  if (time) {
    const at = Date.parse(`${iso.replace(' ', 'T')}${time[6] ? '' : 'Z'}`);
    return Number.isNaN(at) ? undefined : at;
  }
  const at = isDay(iso) ? Date.parse(`${iso}T00:00:00Z`) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** True for an existing calendar day, false for February 30. */
function isDay(iso: string): boolean {
  const at = DATE.test(iso) ? new Date(`${iso}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso);
}

const two = (part: string | undefined): string => (part ?? '').padStart(2, '0');

/** Stored form of a typed or pasted text: numbers and days normalized for the server, other texts unchanged. */
export function normal(text: string, type: FieldType): string {
  const trimmed = text.trim();
  switch (type) {
    case 'NUMBER': {
      const plain = trimmed.replace(/[\s\u00a0'](?=\d{3}(\D|$))/g, '');
      const grouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
      const decimal = /^[+-]?\d+,\d+$/.test(grouped) ? grouped.replace(',', '.') : grouped;
      return numberOf(decimal) === undefined ? trimmed : decimal;
    }
    case 'DATE':
    case 'DATETIME': {
      const day = DATE.exec(trimmed);
      if (day) {
        return `${day[1]}-${two(day[2])}-${two(day[3])}`;
      }
      const dots = DATE_WITH_DOTS.exec(trimmed);
      return dots ? `${dots[3]}-${two(dots[2])}-${two(dots[1])}` : trimmed;
    }
    case 'TEXT':
      return text;
    case 'STATIC_DROPDOWN':
      return trimmed;
  }
}

/** True if a text matches its column type; the server stores any text. */
export function fits(text: string, type: FieldType, options: readonly string[]): boolean {
  if (text === '') {
    return true;
  }
  switch (type) {
    case 'TEXT':
      return true;
    case 'NUMBER':
      return numberOf(text) !== undefined;
    case 'DATE':
      return isDay(text);
    case 'DATETIME':
      return instantOf(text) !== undefined;
    case 'STATIC_DROPDOWN':
      return options.includes(text);
  }
}

export function guess(texts: readonly string[]): FieldKind {
  const given = texts.filter((text) => text.trim() !== '');
  const all = (type: FieldType): boolean =>
    given.length > 0 && given.every((text) => fits(normal(text, type), type, []));
  return all('NUMBER') && !given.some((text) => /^0\d/.test(text))
    ? 'NUMBER'
    : all('DATE')
      ? 'DATE'
      : all('DATETIME')
        ? 'DATETIME'
        : given.length > 0 && given.every((text) => BOOLEAN.test(text.trim()))
          ? 'CHECKBOX'
          : 'TEXT';
}

import type { Field } from '../model';

/** Column widths chosen by the user, by field id. */
export type Widths = Readonly<Record<string, number>>;

export const WIDTH_MIN = 64;
export const WIDTH_MAX = 900;
/** Change of a column width per key press. */
export const WIDTH_STEP = 40;

const USUAL: Record<Field['type'], number> = { TEXT: 220, NUMBER: 130, DATE: 130, DATETIME: 200, STATIC_DROPDOWN: 160 };

export const widthOf = (field: Field, widths: Widths): number => widths[field.id] ?? USUAL[field.type];

/** Widths with one changed; undefined restores the default of its type. */
export function resized(widths: Widths, fieldId: string, width: number | undefined): Widths {
  const { [fieldId]: _, ...others } = widths;
  return width === undefined
    ? others
    : { ...others, [fieldId]: Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width))) };
}

/** Invalid widths are dropped. */
export function readWidths(text: string | null): Widths {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    return Object.fromEntries(
      Object.entries(found as object).filter(
        ([, width]) => typeof width === 'number' && width >= WIDTH_MIN && width <= WIDTH_MAX,
      ),
    );
  } catch {
    return {};
  }
}

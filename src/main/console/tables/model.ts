import type { Answer } from '../base/api/client';
import type { TableField } from '#api';

export type Table = Answer<'GET /v1/tables/{id}'>;
export type Field = TableField;
export type FieldType = Field['type'];
export type Folder = Answer<'GET /v1/folders/{id}'>;

export const FIELD_TYPES: readonly FieldType[] = ['TEXT', 'NUMBER', 'DATE', 'DATETIME', 'STATIC_DROPDOWN'];

/** Type of a field as people choose it: a checkbox is a choice of true and false. */
export type FieldKind = FieldType | 'CHECKBOX';
export const FIELD_KINDS: readonly FieldKind[] = [...FIELD_TYPES, 'CHECKBOX'];
export const CHECKBOX_OPTIONS = ['true', 'false'] as const;

/** Record of the grid: texts by field id. Empty cells are absent. */
export interface Row {
  id: string;
  cells: Readonly<Record<string, string>>;
}

interface StoredRecord {
  id: string;
  cells: Record<string, { value: string | null }>;
}

export function rowOf(record: StoredRecord): Row {
  const cells: Record<string, string> = {};
  for (const [fieldId, cell] of Object.entries(record.cells)) {
    if (cell.value !== null && cell.value !== '') {
      cells[fieldId] = cell.value;
    }
  }
  return { id: record.id, cells };
}

export const textOf = (row: Row, field: Field): string => row.cells[field.id] ?? '';

export const optionsOf = (field: Field): string[] => field.data?.options.map((option) => option.value) ?? [];

export function kindOf(field: Field): FieldKind {
  const options = optionsOf(field);
  return field.type === 'STATIC_DROPDOWN' &&
    options.length === 2 &&
    CHECKBOX_OPTIONS.every((option) => options.includes(option))
    ? 'CHECKBOX'
    : field.type;
}

export function typeOf(
  kind: FieldKind,
  choices: readonly string[] = [],
): { type: FieldType; data?: { options: Array<{ value: string }> } } {
  const type = kind === 'CHECKBOX' ? 'STATIC_DROPDOWN' : kind;
  const values = kind === 'CHECKBOX' ? CHECKBOX_OPTIONS : choices;
  return type === 'STATIC_DROPDOWN' ? { type, data: { options: values.map((value) => ({ value })) } } : { type };
}

/** Address of a text that is one link as a whole. */
export const linkOf = (text: string): string | undefined =>
  /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text) ? text : undefined;

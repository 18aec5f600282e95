import type { GivenNote } from '#api';
import { parseJson } from '../base/json';

/** Exported flow: a template with one flow. */
export interface Exported {
  flows?: Array<{
    displayName?: string;
    trigger?: Record<string, unknown>;
    schemaVersion?: string | null;
    notes?: GivenNote[];
  }>;
}

/** Parses an exported flow: a template, or the bare flow of one; undefined for other files. */
export function readExported(text: string): Exported | undefined {
  try {
    const json = parseJson(text) as Exported & { trigger?: Record<string, unknown> };
    const exported = json.flows ? json : json.trigger ? { flows: [json] } : undefined;
    return exported?.flows?.[0]?.trigger ? exported : undefined;
  } catch {
    return undefined;
  }
}
